import { DeliveryActs, ErasureActs, recipientFault } from "@overa/domain"
import { Effect } from "effect"
import { el } from "../../../html/el.ts"
import { notice } from "../../../html/parts.ts"
import { page } from "../../../http/Reply.ts"
import type { PersonVisit } from "../../../http/Visit.ts"
import { organizationOf } from "../actInput.ts"
import { beforeProxyGivesUp } from "../beforeProxyGivesUp.ts"
import { type ActField, ActInvalid, type OperatorAct } from "../OperatorAct.ts"

const longestTerm = 36_500

const documentsAtRest: ActField = {
  kind: "text",
  name: "days",
  words: ["Само документи мирни бар оволико дана", "Only documents at rest for at least so many days"],
  more: { required: true, inputmode: "numeric" }
}

const days = Effect.fnUntraced(function*(visit: PersonVisit) {
  const text = visit.form?.text("days") ?? ""
  const count = Number(text)
  return /^\d{1,5}$/.test(text) && count <= longestTerm
    ? count
    : yield* new ActInvalid({ field: "days", sentence: visit.say(`Унесите број дана, од 0 до ${longestTerm}.`, `Enter a number of days, 0 to ${longestTerm}.`) })
})

const erasedPage = (visit: PersonVisit, organizationId: string, count: number) => {
  const title = visit.say("Обрисано", "Erased")
  return page(title, [
    el("h1", {}, title),
    notice("good", el("p", {}, visit.say("Докумената или порука из којих је обрисано: ", "Documents or messages it was erased from: "), String(count))),
    el("p", {}, el("a", { href: `/operator/organizations/${organizationId}` }, visit.say("Назад", "Back")))
  ])
}

const eraseBuyer: OperatorAct = {
  path: "/operator/organizations/:id/buyers/erase",
  title: ["Обриши податке о купцу", "Erase a buyer's details"],
  warning: [
    "Назив, адреса и матични број купца бришу се из докумената и не могу се вратити; потписани рачун остаје какав је.",
    "The buyer's name, address and registration number go from the documents and cannot be brought back; the signed receipt stays as it is."
  ],
  fields: (visit) =>
    Effect.as(organizationOf(visit), [
      { kind: "text", name: "buyer", words: ["Ознака купца као на рачуну, нпр. 10:101883300; празно: сви купци", "The buyer's id as on the receipt, 10:101883300 for example; empty: all buyers"], more: { autocomplete: "off" } },
      documentsAtRest
    ]),
  run: Effect.fnUntraced(function*(visit, act) {
    const { id } = yield* organizationOf(visit)
    const buyerId = visit.form?.text("buyer") || null
    if (buyerId !== null && !/^\d{2}:[\x21-\x7e]{1,17}$/.test(buyerId)) {
      return yield* new ActInvalid({ field: "buyer", sentence: visit.say("Ознака купца има облик 10:101883300.", "A buyer's id looks like 10:101883300.") })
    }
    return erasedPage(visit, id, yield* (yield* ErasureActs).eraseBuyerDetails(act, id, { buyerId, olderThanDays: yield* days(visit) }))
  })
}

const eraseRecipient: OperatorAct = {
  path: "/operator/organizations/:id/deliveries/erase",
  title: ["Обриши адресу из слања", "Erase an address from deliveries"],
  warning: [
    "Адреса се брише из завршених слања; рачуни остају какви су. Што још чека задржава је док се не пошаље.",
    "The address goes from deliveries that are over; receipts stay as they are. What still waits keeps it until it is sent."
  ],
  fields: (visit) =>
    Effect.as(organizationOf(visit), [
      { kind: "text", name: "recipient", words: ["Е-пошта купца; празно: све адресе", "The buyer's e-mail; empty: all addresses"], more: { type: "email", autocomplete: "off" } },
      { kind: "text", name: "days", words: ["Само слања завршена пре бар оволико дана", "Only what ended at least so many days ago"], more: { required: true, inputmode: "numeric" } }
    ]),
  run: Effect.fnUntraced(function*(visit, act) {
    const { id } = yield* organizationOf(visit)
    const recipient = visit.form?.text("recipient") || null
    if (recipient !== null && recipientFault(recipient) !== undefined) return yield* new ActInvalid({ field: "recipient", sentence: visit.say("Ово није адреса.", "This is no address.") })
    return erasedPage(visit, id, yield* (yield* DeliveryActs).eraseRecipient(act, id, { recipient, olderThanDays: yield* days(visit) }))
  })
}

const tooLong = ({ say }: PersonVisit): ActInvalid =>
  new ActInvalid({
    field: "days",
    sentence: say(
      "Траје дуже од 40 секунди. Део је обрисан и записан; пошаљите поново за остатак, или покрените „npm run admin -- metadata erase“.",
      "It takes longer than 40 seconds. A part is erased and logged; send it again for the rest, or run “npm run admin -- metadata erase”."
    )
  })

const eraseMetadata: OperatorAct = {
  path: "/operator/organizations/:id/metadata/erase",
  title: ["Обриши метаподатке из захтева", "Erase metadata from requests"],
  warning: [
    "Метаподаци и имена касира бришу се из захтева и не могу се вратити. Рачуни и запечаћени дневник остају какви су; докази кажу да је брисано.",
    "Metadata and cashiers' names go from the requests and cannot be brought back. Receipts and the sealed log stay as they are; proofs say that something was erased."
  ],
  fields: (visit) =>
    Effect.as(organizationOf(visit), [
      { kind: "text", name: "reference", words: ["Ознака продавнице; празно: сви документи", "The shop's reference; empty: all documents"], more: { autocomplete: "off" } },
      documentsAtRest
    ]),
  run: Effect.fnUntraced(function*(visit, act) {
    const { id } = yield* organizationOf(visit)
    const clientReference = visit.form?.exact("reference") || null
    const { erased } = yield* (yield* ErasureActs).eraseRequestData(act, id, { clientReference, olderThanDays: yield* days(visit) }).pipe(beforeProxyGivesUp(() => tooLong(visit)))
    return erasedPage(visit, id, erased)
  })
}

/** Erasing personal data on request. */
export const erasureActs: ReadonlyArray<OperatorAct> = [eraseBuyer, eraseMetadata, eraseRecipient]
