import { CashierNames, readCashierName } from "@overa/domain"
import { Effect } from "effect"
import { el, type Html } from "../../html/el.ts"
import { type Faults, field } from "../../html/forms.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { actOf } from "../personAct.ts"

const name = "cashier"

/** The form's name for a person who has chosen none yet stays as typed, faults included. */
const given = ({ form, person }: MemberVisit): string => form?.has(name) === true ? form.text(name) : person.cashierName ?? ""

/** The field for the cashier of a document: the name that the person has chosen, which can be changed here. */
export const cashierField = (visit: MemberVisit, faults: Faults): Html =>
  field({
    name,
    label: visit.say("Касир на рачуну", "Cashier on the receipt"),
    hint: visit.say("Штампа се на рачуну и остаје за следећи, нпр. Ана или Каса 2. Никад е-пошта.", "Printed on the receipt and kept for the next one, Ana or Till 2 for example. Never an e-mail address."),
    value: given(visit),
    required: true,
    autocomplete: "off",
    fault: faults[name]
  })

/** The cashier that a form names; null where nobody may read this name on a receipt. */
export const readCashier = (visit: MemberVisit): string | null => readCashierName(given(visit))

export const cashierFaults = (visit: MemberVisit): Faults =>
  readCashier(visit) !== null ? {} : {
    [name]: visit.say("Унесите име касира: највише 50 знакова, без е-поште.", "Enter the cashier's name: at most 50 characters, and no e-mail address.")
  }

/** The confirmed cashier, in the form of a page that has shown it. */
export const hiddenCashier = (cashier: string): Html => el("input", { type: "hidden", name, value: cashier })

/** Keeps the name for the person's next document. */
export const keepCashier = Effect.fnUntraced(function*(visit: MemberVisit, cashier: string) {
  if (cashier !== visit.person.cashierName) yield* (yield* CashierNames).choose(actOf(visit), visit.person.id, cashier)
})
