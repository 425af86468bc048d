import type { Environment, SecurityElement } from "@overa/domain"
import { Effect } from "effect"
import { all, el } from "../../html/el.ts"
import { notice } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { hasRealReceipt, readStanding } from "./readStanding.ts"
import { stepHtml } from "./stepHtml.ts"

/** How far the organization is on the way to its first production receipt. */
export interface Standing {
  readonly sandboxTaxpayer: boolean
  readonly sandboxElement: boolean
  readonly sandboxCredential: boolean
  readonly sandboxReceipt: boolean
  readonly taxpayer: boolean
  readonly elements: ReadonlyArray<SecurityElement["status"]>
  readonly licence: boolean
  readonly credential: boolean
  readonly productionReceipt: boolean
}

type Words = readonly [serbian: string, english: string]

export interface Step {
  readonly isDone: boolean
  /** Where it is done. */
  readonly environment: Environment
  readonly title: Words
  /** What to do, and who does it. */
  readonly todo: Words
  readonly link?: readonly [href: string, words: Words]
}

/** The steps in their order. */
export const goingLiveSteps = (standing: Standing): ReadonlyArray<Step> => [
  // A receipt shows that what it needs was there, whatever was closed since.
  {
    isDone: standing.sandboxTaxpayer || standing.sandboxReceipt,
    environment: "sandbox",
    title: ["Обвезник и пословни простор у тестном окружењу", "Taxpayer and premise in the sandbox"],
    todo: ["Треба вам ПИБ и ознака пословног простора; у тестном окружењу могу бити измишљени.", "You need a tax id and the premise's identifier; in the sandbox they may be invented."],
    link: ["/setup/taxpayers/new", ["Додај обвезника", "Add a taxpayer"]]
  },
  {
    isDone: standing.sandboxElement || standing.sandboxReceipt,
    environment: "sandbox",
    title: ["Тестни безбедносни елемент", "Sandbox security element"],
    todo: ["Треба вам датотека тестног елемента са лозинком и ПАК-ом. Немате је? Оператер може да га да из залихе.", "You need the file of a sandbox element with its password and PAC. You have none? The operator can give one from the pool."],
    link: ["/setup", ["Подешавања", "Setup"]]
  },
  {
    isDone: standing.sandboxCredential || standing.sandboxReceipt,
    environment: "sandbox",
    title: ["Тестни акредитив", "Sandbox credential"],
    todo: ["Продавница се њиме представља. Тајна се види једном; дајте је програмеру.", "The shop identifies itself with it. Its secret is shown once; give it to your developer."],
    link: ["/credentials", ["Акредитиви", "Credentials"]]
  },
  {
    isDone: standing.sandboxReceipt,
    environment: "sandbox",
    title: ["Први рачун у тестном окружењу", "First receipt in the sandbox"],
    todo: ["Ваш програмер повезује продавницу тестним акредитивом и издаје рачун; појављује се међу рачунима.", "Your developer connects the shop with the sandbox credential and issues a receipt; it appears among the receipts."],
    link: ["/receipts", ["Рачуни", "Receipts"]]
  },
  {
    isDone: standing.taxpayer,
    environment: "production",
    title: ["Обвезник и пословни простор у продукцији", "Taxpayer and premise in production"],
    todo: ["Региструјте пословни простор на порталу Пореске управе, па га, док гледате продукцију, додајте овде са ПИБ-ом. Ознаке се касније не мењају.", "Register the premise at the tax authority's portal and, looking at production, add it here with its tax id. Neither identifier ever changes."],
    link: ["/setup/taxpayers/new", ["Додај обвезника", "Add a taxpayer"]]
  },
  {
    isDone: standing.elements.some((status) => status !== "REPLACED" && status !== "EXPIRED"),
    environment: "production",
    title: ["Безбедносни елемент је учитан", "The security element is uploaded"],
    todo: ["Затражите елемент од Пореске управе и учитајте датотеку са лозинком и ПАК-ом, док гледате продукцију.", "Ask the tax authority for the element and upload its file with password and PAC, looking at production."],
    link: ["/setup", ["Подешавања", "Setup"]]
  },
  {
    isDone: standing.elements.includes("ACTIVE"),
    environment: "production",
    title: ["Елемент је проверен и активан", "The element is checked and active"],
    todo: ["Оператер проверава сертификат и издаје један рачун обуке. Ви ту немате шта да радите.", "The operator checks the certificate and issues one Training document. There is nothing for you to do here."]
  },
  {
    isDone: standing.licence,
    environment: "production",
    title: ["Лиценца за продукцију", "Production licence"],
    todo: ["Затражите је од оператера.", "Ask the operator for it."]
  },
  {
    isDone: standing.credential,
    environment: "production",
    title: ["Акредитив за продукцију", "Production credential"],
    todo: ["Оператер га издаје; тајну добијате једном и уносите је у продавницу.", "The operator issues it; you get its secret once and enter it in the shop."],
    link: ["/credentials", ["Акредитиви", "Credentials"]]
  },
  {
    isDone: standing.productionReceipt,
    environment: "production",
    title: ["Први прави рачун", "First real receipt"],
    todo: ["Издајте га из продавнице, па га погледајте овде и проверите код Пореске управе.", "Issue it from the shop, look at it here, and check it at the tax authority."],
    link: ["/receipts", ["Рачуни", "Receipts"]]
  }
]

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const steps = goingLiveSteps(yield* readStanding(visit, yield* hasRealReceipt(visit)))
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
