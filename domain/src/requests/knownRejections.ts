import type { Payment } from "../documents/Payment.ts"
import { hasAtMostDecimals } from "../money/decimals.ts"
import { type Fault, faultAt } from "./Fault.ts"

/**
 * What the V-PFR is known to reject of a document that every check of ours accepts. Of all bodies that we accept these are the only ones, apart from
 * the labels' number, whose limit nobody has published (`contract-tests/test/knownRejections.test.ts` compares with the simulator).
 */
export const knownRejections = ({ payments }: { readonly payments: ReadonlyArray<Payment> }): ReadonlyArray<Fault> =>
  payments.flatMap(({ amount }, index) =>
    hasAtMostDecimals(amount, 2)
      ? []
      : [faultAt(["payments", index, "amount"], "has more than two decimals: the V-PFR rejects the document with code 2804")]
  )
