import { sum } from "./decimals.ts"

/**
 * Parts of `amount` in proportion to the weights, which sum to exactly `amount`: each is rounded down, and what is left goes, one para each, to the parts
 * that lost most; of two alike, to the earlier. While the amount is no more than all weights, no part is more than its weight.
 */
export const spread = (amount: bigint, weights: ReadonlyArray<bigint>): ReadonlyArray<bigint> => {
  const whole = sum(weights)
  if (whole === 0n) return weights.map((_weight, at) => at === 0 ? amount : 0n)
  const parts = weights.map((weight) => (amount * weight) / whole)
  const lost = weights.map((weight, at) => ({ at, remainder: (amount * weight) % whole }))
  const missing = Number(amount - sum(parts))
  for (const { at } of [...lost].sort((one, other) => one.remainder === other.remainder ? one.at - other.at : one.remainder > other.remainder ? -1 : 1).slice(0, missing)) {
    parts[at] = (parts[at] ?? 0n) + 1n
  }
  return parts
}
