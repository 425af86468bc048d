import { BigDecimal } from "effect"
import type { Payment } from "../documents/LineItem.ts"
import { maximumDinars } from "../money/Dinars.ts"
import { formatDecimal, hasAtMostDecimals } from "../money/decimals.ts"
import { lineAmount } from "../money/rounding.ts"
import { type Fault, faultAt } from "./Fault.ts"
import { listMember, numberMember } from "./bodyTree.ts"
import type { BodyRule } from "./decodeRequest.ts"

const zero = BigDecimal.fromBigInt(0n)

/** The rounded amount of each item; undefined where quantity or price is no number. */
const lineAmounts = (body: unknown): ReadonlyArray<BigDecimal.BigDecimal | undefined> =>
  listMember(body, "items").map((item) => {
    const quantity = numberMember(item, "quantity")
    const unitPrice = numberMember(item, "unitPrice")
    return quantity === undefined || unitPrice === undefined ? undefined : lineAmount({ quantity, unitPrice })
  })

/** The sum of a list of amounts; undefined for an empty list, or when one amount is undefined. */
const knownSum = (
  amounts: ReadonlyArray<BigDecimal.BigDecimal | undefined>
): BigDecimal.BigDecimal | undefined => {
  if (amounts.length === 0) return undefined
  return amounts.reduce<BigDecimal.BigDecimal | undefined>(
    (sum, amount) => (sum === undefined || amount === undefined ? undefined : BigDecimal.sum(sum, amount)),
    zero
  )
}

const tooLarge = (amount: BigDecimal.BigDecimal): boolean => BigDecimal.isGreaterThan(amount, maximumDinars)

const boundFaults = (
  amounts: ReadonlyArray<BigDecimal.BigDecimal | undefined>,
  total: BigDecimal.BigDecimal | undefined
): ReadonlyArray<Fault> => {
  const limit = formatDecimal(maximumDinars, 2)
  const lines = amounts.flatMap((amount, index) =>
    amount !== undefined && tooLarge(amount)
      ? [faultAt(["items", index], `must come to at most ${limit}: quantity × unitPrice is ${formatDecimal(amount, 2)}`)]
      : []
  )
  const whole = total !== undefined && tooLarge(total)
    ? [totalsFault(`the items must come to at most ${limit} together, not ${formatDecimal(total, 2)}`)]
    : []
  return [...lines, ...whole]
}

/**
 * The fault of a document whose payments are not equal to its items, at the key the contract names.
 *
 * @example totalsFault("the items come to 10.00, the payments to 9.99; they must be equal")
 */
export const totalsFault = (message: string, list = "payments"): Fault => ({
  pointer: `/${list}`,
  key: "totals",
  message
})

/** No line and no total above the largest amount (Decisions §1, Bounds). */
export const amountBounds: BodyRule = (body) => {
  const amounts = lineAmounts(body)
  return boundFaults(amounts, knownSum(amounts))
}

/**
 * The payments sum to exactly the total, which is the sum of the rounded lines (Spec, fiscal-documents rule 1; Decisions §1,
 * Totals). Includes {@link amountBounds}.
 */
export const totalsRule: BodyRule = (body) => {
  const amounts = lineAmounts(body)
  const total = knownSum(amounts)
  const paid = knownSum(listMember(body, "payments").map((payment) => numberMember(payment, "amount")))
  const bounds = boundFaults(amounts, total)
  if (total === undefined || paid === undefined || BigDecimal.equals(total, paid)) return bounds
  const message = `the items come to ${formatDecimal(total, 2)}, the payments to ${formatDecimal(paid, 2)}; they must be equal`
  return [...bounds, totalsFault(message)]
}

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
