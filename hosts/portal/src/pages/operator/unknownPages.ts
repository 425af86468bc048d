import { signerModuli } from "@overa/adapter-vpfr"
import {
  advancePartOf,
  type Attempt,
  AttentionOversight,
  decideUnknown,
  ElementOversight,
  FiscalDocumentId,
  FoundReceiptRefused,
  InstallationOversight,
  isNeverSent,
  mayBeNotIssued,
  mayHaveArrived,
  type Operation,
  OperationOversight,
  OperationHistory,
  OperationStore,
  type OperatorDecision,
  operatorOf,
  readReceiptFound,
  retryCopy,
  signedTin,
  totalAmount
} from "@overa/domain"
import { Effect, Option } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { badge, card, facts, table } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { operatorRoute } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { amount, moment } from "../../language/formats.ts"
import { PortalSettings } from "../../layers.ts"
import { doneNotice } from "../doneNotice.ts"
import { kindWords, statusBadge } from "../receipts/receiptWords.ts"
import { attentionWords } from "./attentionWords.ts"
import { findOrganization, idParameter, required } from "./actInput.ts"
import { acknowledge } from "./attentionItem.ts"
import { type ActField, ActInvalid, type OperatorAct } from "./OperatorAct.ts"

const list = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { say } = visit
  const entries = yield* (yield* OperationOversight).unresolved(500)
  const title = say("Непознати исходи", "Unknown outcomes")
  const content = all(
    el("h1", {}, title),
    table(
      [say("Од", "Since"), say("Документ", "Document"), say("Окружење", "Environment"), say("Стање", "Status"), say("Претрага", "Searches"), say("Следећа", "Next")],
      entries.map((it) => [
        moment(it.createdAt),
        el("a", { href: `/operator/unknown/${it.id}` }, it.id),
        it.environment,
        statusBadge(say, it.status),
        String(it.checks),
        it.nextCheckAt === null ? "–" : moment(it.nextCheckAt)
      ]),
      { caption: title, empty: say("Сваки исход је познат.", "There is no unknown outcome.") }
    )
  )
  return page(title, content)
})

/** The operation that a page is about, with its tenant and organization. */
export const openedOperation = Effect.fnUntraced(function*(visit: PersonVisit) {
  const id = FiscalDocumentId.make(yield* idParameter(visit, "operation"))
  const operationOversight = yield* OperationOversight
  const found = Option.getOrNull(yield* operationOversight.operation(id))
  if (found === null) return yield* new NotFound({})
  const { environment, organizationId } = found
  const operation = Option.getOrNull(yield* (yield* OperationStore).get({ organizationId, environment }, id))
  const organization = yield* findOrganization(organizationId)
  if (operation === null || organization === null) return yield* new NotFound({})
  return { tenant: { organizationId, environment }, operation, organization }
})

const attemptsTable = (visit: PersonVisit, attempts: ReadonlyArray<Attempt>): Html => {
  const { say } = visit
  return table(
    ["#", "RequestId", "JID", say("Почетак", "Started"), say("Исход", "Outcome"), say("Можда потписан", "May be signed"), say("Последња претрага", "Last search")],
    attempts.map((it) => [
      String(it.number),
      it.requestId,
      it.jid,
      moment(it.startedAt),
      it.outcome ?? "–",
      mayHaveArrived(it) ? say("да", "yes") : say("не", "no"),
      it.lastSearch === null ? say("никад", "never") : `${moment(it.lastSearch.at)} – ${it.lastSearch.found ? say("нађен", "found") : say("ништа", "nothing")}`
    ]),
    { caption: say("Покушаји", "Attempts"), empty: say("Није било покушаја.", "No attempt was made.") }
  )
}

const evidence = Effect.fnUntraced(function*(visit: PersonVisit, operation: Operation) {
  const { say } = visit
  const attentionOversight = yield* AttentionOversight
  const history = yield* OperationHistory
  const { environment, id, organizationId } = operation
  const attempts = yield* history.attempts(organizationId, id)
  const transitions = yield* history.transitions({ organizationId, environment }, id)
  const answers = (yield* history.evidence(organizationId, id)).filter((it) => it.answerText !== null)
  const attention = yield* attentionOversight.attentionOf(organizationId, id)
  return el(
    "div",
    { class: "columns" },
    el(
      "div",
      {},
      card(say("Покушаји", "Attempts"), attemptsTable(visit, attempts)),
      card(say("Одговори који нису потпис", "Answers without a signature"), answers.length === 0 ? el("p", {}, "–") : answers.map((it) => all(el("h3", {}, `#${it.number}`), el("pre", {}, it.answerText)))),
      card(say("Захтев", "Request"), el("pre", {}, operation.boundKey.body))
    ),
    el(
      "div",
      {},
      card(say("Кретање", "Moves"), el("ol", { class: "timeline" }, transitions.map((it) => el("li", {}, el("time", {}, moment(it.at)), `${it.from ?? "–"} → ${it.to} · ${it.cause} · ${it.actor}`)))),
      card(say("За пажњу", "Attention"), attention.length === 0 ? el("p", {}, "–") : el("ul", { class: "plain" }, attention.map((it) => el("li", {}, badge("wait", attentionWords(say, it.kind)), ` ${it.detail}`))))
    )
  )
})

/** A document that was not sent, of a closing that may be given up; whether it may, the whole case decides. */
const mayBeGivenUp = (operation: Operation): boolean => {
  const part = operation.workflow?.type === "ADVANCE" ? advancePartOf(operation) : null
  return operation.status === "NOT_FISCALIZED" && !isNeverSent(operation) && (part === "CLOSING_REFUND" || (part === "FINAL_SALE" && operation.content.reference === null))
}

const decisions = (visit: PersonVisit, operation: Operation, isNotIssuedOffered: boolean): Html => {
  const { say } = visit
  const base = `/operator/unknown/${operation.id}`
  if (operation.status === "REJECTED") return el("div", { class: "actions" }, el("a", { class: "button", href: `${base}/retry` }, say("Пошаљи одбијену копију поново", "Send the rejected copy again")))
  if (mayBeGivenUp(operation)) return el("div", { class: "actions" }, el("a", { class: "button", href: `${base}/give-up` }, say("Одустани од затварања аванса", "Give up the closing of the advance case")))
  return operation.status !== "OUTCOME_UNKNOWN" ? null : el(
    "div",
    { class: "actions" },
    el("a", { class: "button", href: `${base}/issued` }, say("Рачун је издат", "It was issued")),
    isNotIssuedOffered
      ? el("a", { class: "button", href: `${base}/not-issued` }, say("Рачун није издат", "It was not issued"))
      : operation.inDoubt === undefined
      ? el("p", { class: "hint" }, say("„Рачун није издат“ се нуди кад прође рок последњег покушаја и кад последња претрага за сваки покушај одговори да рачуна нема.", "“It was not issued” is offered once the last attempt's deadline has passed and the last search for each attempt has answered that there is no receipt."))
      : null
  )
}

const caseContent = Effect.fnUntraced(function*(visit: PersonVisit, operation: Operation) {
  const { say } = visit
  const title = say("Непознат исход", "Unknown outcome")
  return page(title, all(
    el("h1", {}, title),
    doneNotice(visit),
    el("p", {}, statusBadge(say, operation.status)),
    operation.inDoubt === undefined ? null : el("p", {}, badge("wait", say("За проверу", "In doubt")), " ", say(
      `Ставка за пажњу каже да можда постоји рачун који овај документ нема; у бази је ${operation.inDoubt}. Ништа се не шаље док се ставка не означи као решена.`,
      `An item of the attention list says that there may be a receipt which this document does not have; in the store it is ${operation.inDoubt}. Nothing is sent until the item is marked as dealt with.`
    )),
    decisions(visit, operation, yield* mayBeNotIssued(operation)),
    facts([
      ["ID", operation.id],
      [say("Врста", "Kind"), kindWords(say, operation)],
      [say("Износ", "Amount"), `${amount(totalAmount(operation.content.items))} RSD`],
      [say("Ознака продавнице", "Shop's reference"), operation.content.clientReference],
      [say("Следећа претрага", "Next search"), operation.nextCheckAt === null ? "–" : moment(operation.nextCheckAt)]
    ]),
    yield* evidence(visit, operation)
  ))
})

const show = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { operation } = yield* openedOperation(visit)
  return yield* caseContent(visit, operation)
})

const attemptOf = Effect.fnUntraced(function*(visit: PersonVisit, attempts: ReadonlyArray<Attempt>) {
  const open = attempts.filter(mayHaveArrived)
  const asked = visit.form?.text("attempt") ?? ""
  const found = asked === "" ? open.at(-1) : open.find((it) => String(it.number) === asked)
  return found ?? (yield* new ActInvalid({ field: "attempt", sentence: visit.say("Тај покушај није могао стићи до В-ПФР-а.", "This attempt cannot have reached the V-PFR.") }))
})

/** The printed facts, for a link that cannot be read. */
const statedOn = (visit: PersonVisit) => {
  const [invoiceNumber = "", sdcTime = ""] = [visit.form?.text("number"), visit.form?.text("time")]
  return invoiceNumber === "" || sdcTime === "" ? null : { invoiceNumber, sdcTime }
}

const issuedDecision = Effect.fnUntraced(function*(visit: PersonVisit, operation: Operation) {
  const { environment, id, organizationId } = operation
  const installationOversight = yield* InstallationOversight
  const elementOversight = yield* ElementOversight
  const attempt = yield* attemptOf(visit, yield* (yield* OperationHistory).attempts(organizationId, id))
  const moduli = signerModuli(yield* installationOversight.referenceKeys, environment)
  const element = yield* elementOversight.element(attempt.elementId)
  const tin = Option.getOrNull(Option.map(element, (it) => signedTin(it.tin, environment)))
  const { vpfr } = yield* PortalSettings
  const { against, answer } = yield* Effect.fromResult(readReceiptFound(
    { jid: attempt.jid, content: operation.content, taxRates: null },
    { verificationUrl: yield* required(visit, "url", 4_000), journal: (visit.form?.exact("journal") ?? "").replaceAll("\n", "\r\n"), stated: statedOn(visit) },
    { submittedAt: attempt.startedAt, verificationRoot: vpfr[environment]?.verificationRoot ?? null, signerModulus: (jid) => moduli.get(jid), tin }
  ))
  if (against.length > 0 && visit.form?.text("despite") !== "yes") return yield* new FoundReceiptRefused({ reasons: against })
  const decision: OperatorDecision = { _tag: "CONFIRMED_ISSUED", attempt: attempt.number, answer, despite: against }
  return decision
})

const decide = (name: "issued" | "not-issued", fields: ReadonlyArray<ActField>, titles: Pick<OperatorAct, "title" | "warning">): OperatorAct => ({
  path: `/operator/unknown/:operation/${name}`,
  ...titles,
  fields: (visit) => Effect.as(openedOperation(visit), fields),
  run: Effect.fnUntraced(function*(visit, act) {
    const { operation, tenant } = yield* openedOperation(visit)
    const decision: OperatorDecision = name === "issued" ? yield* issuedDecision(visit, operation) : { _tag: "CONFIRMED_NOT_ISSUED" }
    yield* decideUnknown({ tenant, id: operation.id, decision, operator: operatorOf(act) })
    return `/operator/unknown/${operation.id}?done=decided`
  })
})

const retry: OperatorAct = {
  path: "/operator/unknown/:operation/retry",
  title: ["Пошаљи одбијену копију поново", "Send the rejected copy again"],
  fields: (visit) => Effect.as(openedOperation(visit), []),
  run: Effect.fnUntraced(function*(visit, act) {
    const { operation, tenant } = yield* openedOperation(visit)
    const copy = yield* retryCopy({ tenant, id: operation.id, operator: operatorOf(act) })
    return `/operator/unknown/${copy.id}?done=decided`
  })
}

const found: ReadonlyArray<ActField> = [
  { kind: "text", name: "url", words: ["Линк из QR кода рачуна", "The link of the receipt's QR code"], more: { required: true } },
  { kind: "text", name: "journal", words: ["Текст рачуна, цео", "The receipt's text, whole"], more: { rows: 12, required: true } },
  { kind: "text", name: "number", words: ["Број са папира (ако се линк не чита)", "Number on the paper (if the link cannot be read)"] },
  { kind: "text", name: "time", words: ["Време са папира (ако се линк не чита)", "Time on the paper (if the link cannot be read)"] },
  { kind: "choice", name: "despite", words: ["Ако се нешто не слаже", "If something differs"], options: [["no", ["не прихватај", "refuse"]], ["yes", ["прихвати, остаје за пажњу", "accept, kept on the attention list"]]] },
  { kind: "text", name: "attempt", words: ["Покушај (празно: последњи)", "Attempt (empty: the last)"], more: { inputmode: "numeric" } }
]

/** Deciding an unknown outcome, and closing items of the attention list. */
export const unknownActs: ReadonlyArray<OperatorAct> = [
  decide("issued", found, {
    title: ["Рачун је издат", "It was issued"],
    warning: ["Рачун постаје рачун овог документа заувек. Пореде се линк, потпис, износ, купац и време.", "The receipt becomes this document's for ever. Link, signature, amount, buyer and time are compared."]
  }),
  decide("not-issued", [], {
    title: ["Рачун није издат", "It was not issued"],
    warning: ["Продавница може да изда поново; ако га је В-ПФР ипак потписао, биће два рачуна.", "The shop may issue it again; if the V-PFR has signed it after all, there will be two receipts."]
  }),
  retry,
  acknowledge
]

/** Unknown outcomes with their evidence. */
export const unknownRoutes = [operatorRoute("GET", "/operator/unknown", list), operatorRoute("GET", "/operator/unknown/:operation", show)]
