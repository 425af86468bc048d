import { AccessOversight, ElementOversight, JournalStore, productionFiscalization, type SecurityElement, TenancyOversight, type Tenant } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { badge, notice } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { everyDocument } from "../everyDocument.ts"

/** How far the organization is on the way to its first production receipt. */
export interface Standing {
  readonly sandboxReceipt: boolean
  readonly taxpayer: boolean
  readonly elements: ReadonlyArray<SecurityElement["status"]>
  readonly licence: boolean
  readonly credential: boolean
  readonly productionReceipt: boolean
}

type Words = readonly [serbian: string, english: string]

interface Step {
  readonly isDone: boolean
  readonly title: Words
  /** What to do, and who does it. */
  readonly todo: Words
  readonly link?: readonly [href: string, words: Words]
}

/** The steps in their order. */
export const goingLiveSteps = (standing: Standing): ReadonlyArray<Step> => [
  {
    isDone: standing.sandboxReceipt,
    title: ["Први рачун у тестном окружењу", "First receipt in the sandbox"],
    todo: ["Ваш програмер повезује продавницу тестним акредитивом и издаје рачун.", "Your developer connects the shop with a sandbox credential and issues a receipt."],
    link: ["/credentials", ["Акредитиви", "Credentials"]]
  },
  {
    isDone: standing.taxpayer,
    title: ["Обвезник и пословни простор у продукцији", "Taxpayer and premise in production"],
    todo: ["Региструјте пословни простор на порталу Пореске управе, па га, док гледате продукцију, додајте овде са ПИБ-ом. Ознаке се касније не мењају.", "Register the premise at the tax authority's portal and, looking at production, add it here with its tax id. Neither identifier ever changes."],
    link: ["/setup/taxpayers/new", ["Додај обвезника", "Add a taxpayer"]]
  },
  {
    isDone: standing.elements.some((status) => status !== "REPLACED" && status !== "EXPIRED"),
    title: ["Безбедносни елемент је учитан", "The security element is uploaded"],
    todo: ["Затражите елемент од Пореске управе и учитајте датотеку са лозинком и ПАК-ом, док гледате продукцију.", "Ask the tax authority for the element and upload its file with password and PAC, looking at production."],
    link: ["/setup", ["Подешавања", "Setup"]]
  },
  {
    isDone: standing.elements.includes("ACTIVE"),
    title: ["Елемент је проверен и активан", "The element is checked and active"],
    todo: ["Оператер проверава сертификат и издаје један рачун обуке. Ви ту немате шта да радите.", "The operator checks the certificate and issues one Training document. There is nothing for you to do here."]
  },
  {
    isDone: standing.licence,
    title: ["Лиценца за продукцију", "Production licence"],
    todo: ["Затражите је од оператера.", "Ask the operator for it."]
  },
  {
    isDone: standing.credential,
    title: ["Акредитив за продукцију", "Production credential"],
    todo: ["Оператер га издаје; тајну добијате једном и уносите је у продавницу.", "The operator issues it; you get its secret once and enter it in the shop."],
    link: ["/credentials", ["Акредитиви", "Credentials"]]
  },
  {
    isDone: standing.productionReceipt,
    title: ["Први прави рачун", "First real receipt"],
    todo: ["Издајте га из продавнице, па га погледајте овде и проверите код Пореске управе.", "Issue it from the shop, look at it here, and check it at the tax authority."],
    link: ["/receipts", ["Рачуни", "Receipts"]]
  }
]

const hasReceipt = Effect.fnUntraced(function*(tenant: Tenant) {
  const filter = { ...everyDocument, status: ["FISCALIZED"], invoiceType: "NORMAL" } as const
  return (yield* (yield* JournalStore).page(tenant, filter, { cursor: null, pageSize: 1 })).items.length > 0
})

/** Reads how far the organization is. */
export const readStanding = Effect.fnUntraced(function*({ organizationId }: Pick<MemberVisit, "organizationId">) {
  const taxpayers = yield* (yield* TenancyOversight).taxpayers(organizationId)
  const elements = yield* (yield* ElementOversight).elements(organizationId)
  const access = yield* AccessOversight
  const standing: Standing = {
    sandboxReceipt: yield* hasReceipt({ organizationId, environment: "sandbox" }),
    taxpayer: taxpayers.some(({ premises, taxpayer }) => taxpayer.environment === "production" && taxpayer.status === "active" && premises.some(({ status }) => status === "active")),
    elements: elements.filter(({ element }) => element.environment === "production").map(({ element }) => element.status),
    licence: productionFiscalization(yield* access.license(organizationId), yield* DateTime.now).productionFiscalizationAllowed,
    credential: (yield* access.credentials(organizationId)).some((it) => it.environment === "production" && it.revokedAt === null),
    productionReceipt: yield* hasReceipt({ organizationId, environment: "production" })
  }
  return standing
})

const stepHtml = ({ say }: MemberVisit, step: Step, isNext: boolean): Html =>
  el(
    "li",
    { class: isNext ? "card next" : "card", ...(isNext ? { "aria-current": "step" as const } : {}) },
    el("h2", {}, say(...step.title), " ", step.isDone ? badge("good", say("Урађено", "Done")) : badge(isNext ? "wait" : "plain", isNext ? say("Сада", "Now") : say("Касније", "Later"))),
    step.isDone ? null : el("p", {}, say(...step.todo)),
    step.isDone || step.link === undefined ? null : el("p", {}, el("a", { href: step.link[0] }, say(...step.link[1])))
  )

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const steps = goingLiveSteps(yield* readStanding(visit))
  const next = steps.findIndex(({ isDone }) => !isDone)
  const title = say("Пут до првог правог рачуна", "Going live")
  return page(title, all(
    el("h1", {}, title),
    next === -1
      ? notice("good", el("p", {}, say("Све је урађено: продавница издаје праве рачуне.", "All is done: the shop issues real receipts.")))
      : el("p", {}, say("Урађено корака: ", "Steps done: "), `${steps.filter(({ isDone }) => isDone).length} / ${steps.length}`),
    el("ol", { class: "plain steps" }, steps.map((step, at) => stepHtml(visit, step, at === next)))
  ))
})

/** The steps that remain before the first production receipt. */
export const goingLiveRoutes = [memberRoute("GET", "/setup/going-live", "setup:read", show)]
