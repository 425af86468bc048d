import type { Operation } from "@overa/domain"
import type { Html } from "../../html/el.ts"
import { type Faults, field } from "../../html/forms.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import type { Say } from "../../language/Language.ts"

/** Why money is given back, as typed: kept with the refund (docs/adr/0371), never on the receipt. */
export const reasonField = ({ say }: MemberVisit, reason: string, faults: Faults): Html =>
  field({
    name: "reason",
    label: say("Разлог", "Reason"),
    hint: say("Остаје уз рефундацију; не штампа се на рачуну.", "Kept with the refund; not printed on the receipt."),
    value: reason,
    autocomplete: "off",
    fault: faults["reason"]
  })

/** The members of a request that hold the reason. */
export const reasonMembers = (reason: string) => reason === "" ? {} : { metadata: { reason } }

/** The reason that a refund made here is kept with. */
export const reasonOf = ({ content: { metadata } }: Operation): string => typeof metadata?.["reason"] === "string" ? metadata["reason"] : ""

export const reasonTooLong = (say: Say): string => say("Разлог има највише 500 знакова.", "A reason has at most 500 characters.")

/** The legend of the buyer's fields of a refund. */
export const refundBuyerLegend = (say: Say): string => say("Купац: закон га тражи за сваку рефундацију", "Buyer: the law asks for one on every refund")
