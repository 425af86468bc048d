import {
  decodeReceiptDeliveryRequest,
  DeliveryActs,
  type DeliveryFormat,
  anyTime,
  deliveryFormats,
  DeliveryLocale,
  DeliverySettings,
  DeliveryStore,
  type FiscalDocumentId,
  isIssuedToBuyer,
  JournalStore,
  noDeliverySettings,
  noFilter,
  readBodyTree,
  requestDelivery,
  type TaxpayerEntry,
  TaxpayerId
} from "@overa/domain"
import { Effect, Result, Schema } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { choice, type Faults, faultStatus, faultSummary, field, form, tick } from "../../html/forms.ts"
import { card, notice, refusalNotice } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { languageNames } from "../../language/Language.ts"
import { doneNotice } from "../doneNotice.ts"
import { actOf } from "../personAct.ts"
import { deliveryTable } from "../receipts/deliveryTable.ts"
import { hasFormId, keyedRequestOf, refusalSentence } from "../receipts/issueForm.ts"
import { ownTaxpayer } from "./setupPage.ts"

const formatNames: Readonly<Record<DeliveryFormat, string>> = { "official-text": "TXT", "pdf-a4": "PDF A4", "pdf-80mm": "PDF 80 mm", "pdf-58mm": "PDF 58 mm" }

/** The settings as the form shows them: as typed, else as stored. */
const shown = (visit: MemberVisit, { delivery }: TaxpayerEntry) => {
  const { form: sent } = visit
  const stored = delivery ?? noDeliverySettings
  if (sent === null || !sent.has("locale")) return { ...stored, formats: stored.formats ?? [] }
  return {
    enabled: sent.text("enabled") === "yes",
    senderName: sent.exact("senderName"),
    replyTo: sent.text("replyTo"),
    locale: sent.text("locale"),
    formats: deliveryFormats.filter((it) => sent.texts("format").includes(it))
  }
}

const settingsForm = (visit: MemberVisit, entry: TaxpayerEntry, faults: Faults): Html => {
  const { say } = visit
  const settings = shown(visit, entry)
  return form(
    visit,
    { action: `/setup/mail/${entry.taxpayer.id}`, submit: say("Сачувај", "Save") },
    el("input", { type: "hidden", name: "seen", value: (faults["changed"] === undefined ? visit.form?.exact("seen") : undefined) || JSON.stringify(entry.delivery ?? noDeliverySettings) }),
    tick({ name: "enabled", label: say("Рачуни се шаљу купцима е-поштом", "Receipts are sent to buyers by e-mail"), checked: settings.enabled }),
    field({ name: "senderName", label: say("Име пошиљаоца", "Sender's name"), hint: [say("Празно: ", "Empty: "), entry.taxpayer.name], value: settings.senderName ?? "", fault: faults["senderName"] }),
    field({ name: "replyTo", label: say("Одговори купаца стижу на", "Answers of buyers go to"), type: "email", autocomplete: "off", hint: say("Празно: на адресу коју нико не чита.", "Empty: to an address that nobody reads."), value: settings.replyTo ?? "", fault: faults["replyTo"] }),
    choice({ name: "locale", label: say("Језик поруке", "Language of the message"), value: settings.locale, options: DeliveryLocale.literals.map((it) => [it, languageNames[it]] as const) }),
    el(
      "fieldset",
      { class: "ticks" },
      el("legend", {}, say("Прилози (ниједан: PDF папира из подешавања)", "Attachments (none: the PDF of the paper in the setup)")),
      deliveryFormats.map((it) => tick({ name: "format", value: it, label: formatNames[it], checked: settings.formats.includes(it) }))
    )
  )
}

const testForm = (visit: MemberVisit, { delivery, taxpayer }: TaxpayerEntry, fault: string | undefined): Html => {
  const { say } = visit
  return card(
    say("Пробна порука", "Test message"),
    refusalNotice(fault),
    el("p", {}, say("Последњи рачун се шаље вама, на ", "The last receipt is sent to you, at "), el("strong", {}, visit.person.email), say(", онако како би га добио купац.", ", as a buyer would get it.")),
    delivery?.enabled === true
      ? form(visit, { action: `/setup/mail/${taxpayer.id}/test`, submit: say("Пошаљи себи", "Send it to myself"), kind: "quiet" })
      : el("p", { class: "hint" }, say("Прво укључите слање и сачувајте.", "Switch delivery on and save first."))
  )
}

/** The latest deliveries are shown, however old they are. */
const latest = 10

const show = Effect.fnUntraced(function*(visit: MemberVisit, faults: Faults = {}) {
  const { say } = visit
  const entry = yield* ownTaxpayer(visit, visit.params["taxpayer"] ?? "")
  const everything = { status: null, fiscalDocumentId: null, recipient: null, pfr: anyTime, created: anyTime }
  const deliveries = yield* (yield* DeliveryStore).list(visit.tenant, everything, { after: null, limit: latest })
  const title = say("Слање е-поштом", "Delivery by e-mail")
  const { changed, test, ...others } = faults
  const content = all(
    el("h1", {}, title),
    el("p", {}, entry.taxpayer.name),
    doneNotice(visit),
    changed === undefined ? faultSummary(visit, others) : notice("wait", el("p", {}, changed)),
    el("div", { class: "columns" }, el("div", { class: "card" }, settingsForm(visit, entry, faults)), testForm(visit, entry, test)),
    card(say("Последње поруке", "Latest messages"), deliveryTable(visit, deliveries)),
    el("p", {}, el("a", { href: "/setup" }, say("Назад на подешавања", "Back to the setup")))
  )
  return page(title, content, faultStatus(faults))
})

const read = Schema.decodeUnknownResult(DeliverySettings)

const seenOf = (visit: MemberVisit): DeliverySettings | null => {
  const tree = Result.getOrNull(readBodyTree(visit.form?.exact("seen") ?? ""))
  return Result.getOrNull(read(tree))
}

const faultsOf = (visit: MemberVisit, settings: { readonly senderName: string | null; readonly replyTo: string | null }): Faults => {
  const isWrong = (part: object) => Result.isFailure(read({ ...noDeliverySettings, ...part }))
  return {
    ...(isWrong({ senderName: settings.senderName }) ? { senderName: visit.say("Највише 100 знакова.", "At most 100 characters.") } : {}),
    ...(isWrong({ replyTo: settings.replyTo }) ? { replyTo: visit.say("Ово није адреса е-поште.", "This is no e-mail address.") } : {})
  }
}

const save = Effect.fnUntraced(function*(visit: MemberVisit) {
  const entry = yield* ownTaxpayer(visit, visit.params["taxpayer"] ?? "")
  const typed = shown(visit, entry)
  const settings = {
    ...typed,
    senderName: typed.senderName?.trim() || null,
    replyTo: typed.replyTo || null,
    formats: typed.formats.length === 0 ? null : typed.formats
  }
  const decoded = read(settings)
  const seen = seenOf(visit)
  if (Result.isFailure(decoded) || seen === null) {
    const faults = faultsOf(visit, settings)
    return Object.keys(faults).length === 0 ? yield* new NotFound({}) : yield* show(visit, faults)
  }
  yield* (yield* DeliveryActs).changeDelivery(actOf(visit), visit.organizationId, TaxpayerId.make(entry.taxpayer.id), decoded.success, seen)
  return redirect(`/setup/mail/${entry.taxpayer.id}?done=saved`)
}, (effect, visit) =>
  Effect.catchTag(effect, "ActRefused", () =>
    show(visit, {
      changed: visit.say(
        "Неко је у међувремену сачувао друга подешавања. Ваш унос је испод; ако га сачувате, замениће њихова.",
        "Somebody has saved other settings meanwhile. What you entered is below; saving it replaces theirs."
      )
    })))

/** The taxpayer's latest document that is given to a buyer. */
const latestReceipt = Effect.fnUntraced(function*(visit: MemberVisit, taxpayerId: string) {
  const filter = { ...noFilter, taxpayerId, status: ["FISCALIZED"] } as const
  const { items } = yield* (yield* JournalStore).page(visit.tenant, filter, { cursor: null, pageSize: 20 })
  return items.find(({ content }) => isIssuedToBuyer(content))?.id ?? null
})

const queueTest = Effect.fnUntraced(function*(visit: MemberVisit, id: FiscalDocumentId) {
  const body = { fiscalDocumentId: id, recipient: visit.person.email }
  const asked = yield* Effect.fromResult(decodeReceiptDeliveryRequest(body))
  yield* requestDelivery(keyedRequestOf(visit, "POST /v1/receipt-deliveries", body), asked)
})

const testFault = (visit: MemberVisit, error: unknown): string | null =>
  (error as { readonly _tag?: string })._tag === "RequestFaults"
    ? visit.say("Овај рачун вам је већ послат више пута. Проверите и непожељну пошту.", "This receipt was sent to you many times already. Look into your spam folder, too.")
    : refusalSentence(visit, error)

const test = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { taxpayer } = yield* ownTaxpayer(visit, visit.params["taxpayer"] ?? "")
  if (!hasFormId(visit)) return yield* new NotFound({})
  const id = yield* latestReceipt(visit, taxpayer.id)
  if (id === null) return yield* show(visit, { test: visit.say("Још нема рачуна који би се послао. Издајте један, па пробајте.", "There is no receipt to send yet. Issue one, then try.") })
  return yield* queueTest(visit, id).pipe(
    Effect.as(redirect(`/setup/mail/${taxpayer.id}?done=queued`)),
    Effect.catchIf((error) => testFault(visit, error) !== null, (error) => show(visit, { test: testFault(visit, error) ?? "" }))
  )
})

/** How receipts reach buyers by e-mail, and a test message to oneself. */
export const mailRoutes = [
  memberRoute("GET", "/setup/mail/:taxpayer", "setup:write", (visit) => show(visit)),
  memberRoute("POST", "/setup/mail/:taxpayer", "setup:write", save),
  memberRoute("POST", "/setup/mail/:taxpayer/test", "setup:write", test)
]
