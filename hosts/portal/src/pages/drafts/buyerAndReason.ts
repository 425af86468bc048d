import type { Operation } from "@overa/domain"
import { Effect } from "effect"
import { all, type Html } from "../../html/el.ts"
import type { Form } from "../../http/Form.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { buyerHtml, buyerIn, lookUpBuyer, type TypedBuyer, typedBuyerOf } from "./buyer.ts"
import type { Pressed, Shown } from "./DraftKind.ts"
import { reasonField, reasonOf, refundBuyerLegend } from "./refundReason.ts"

/** The entries of a refund of something whole. */
export interface BuyerAndReason {
  readonly buyer: TypedBuyer
  readonly reason: string
}

/** Those of a new draft: the buyer of what is given back, or the entries of the refund that failed. */
export const buyerAndReasonOf = (buyerId: string | null | undefined, failed: Operation | null): BuyerAndReason =>
  ({ buyer: typedBuyerOf(failed?.content.buyer?.id ?? buyerId), reason: failed === null ? "" : reasonOf(failed) })

export const buyerAndReasonIn = (form: Form): BuyerAndReason => ({ buyer: buyerIn(form), reason: form.text("reason") })

/** The entries after a button was pressed. */
export const buyerAndReasonPressed = Effect.fnUntraced(function*(visit: MemberVisit, form: Form, typed: BuyerAndReason) {
  const { buyer, looked } = yield* lookUpBuyer(visit, form, typed.buyer)
  const after: Pressed<BuyerAndReason> = { typed: { ...typed, buyer }, looked: { ...looked, products: null } }
  return after
})

/** Their fields. */
export const buyerAndReasonHtml = <Subject>(visit: MemberVisit, { address, faults, looked, typed }: Shown<Subject, BuyerAndReason>): Html =>
  all(
    buyerHtml(visit, { address, faults, looked, typed: typed.buyer, legend: refundBuyerLegend(visit.say) }),
    reasonField(visit, typed.reason, faults)
  )
