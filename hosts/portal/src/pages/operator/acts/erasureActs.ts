import { DeliveryActs, ErasureActs, recipientFault } from "@overa/domain"
import { Effect } from "effect"
import { el } from "../../../html/el.ts"
import { notice } from "../../../html/parts.ts"
import { page } from "../../../http/Reply.ts"
import type { PersonVisit } from "../../../http/Visit.ts"
import { organizationOf, required } from "../actInput.ts"
import { ActInvalid, type OperatorAct } from "../OperatorAct.ts"

const longestTerm = 36_500

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
      { kind: "text", name: "buyer", words: ["Ознака купца као на рачуну, нпр. 10:101883300", "The buyer's id as on the receipt, 10:101883300 for example"], more: { required: true, autocomplete: "off" } },
      { kind: "text", name: "days", words: ["Само документи мирни бар оволико дана", "Only documents at rest for at least so many days"], more: { required: true, inputmode: "numeric" } }
    ]),
  run: Effect.fnUntraced(function*(visit, act) {
    const { id } = yield* organizationOf(visit)
    const buyerId = yield* required(visit, "buyer", 20)
    if (!/^\d{2}:[\x21-\x7e]{1,17}$/.test(buyerId)) {
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
      { kind: "text", name: "recipient", words: ["Е-пошта купца", "The buyer's e-mail"], more: { type: "email", required: true, autocomplete: "off" } },
      { kind: "text", name: "days", words: ["Само слања завршена пре бар оволико дана", "Only what ended at least so many days ago"], more: { required: true, inputmode: "numeric", value: "0" } }
    ]),
  run: Effect.fnUntraced(function*(visit, act) {
    const { id } = yield* organizationOf(visit)
    const recipient = yield* required(visit, "recipient", 254)
    if (recipientFault(recipient) !== undefined) return yield* new ActInvalid({ field: "recipient", sentence: visit.say("Ово није адреса.", "This is no address.") })
    return erasedPage(visit, id, yield* (yield* DeliveryActs).eraseRecipient(act, id, { recipient, olderThanDays: yield* days(visit) }))
  })
}

/** Erasing personal data on request. */
export const erasureActs: ReadonlyArray<OperatorAct> = [eraseBuyer, eraseRecipient]
