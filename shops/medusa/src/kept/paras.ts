/** Millionths of a dinar, from a number of the engine's: a text, a number or its own decimal. */
const microsOf = (amount: unknown): bigint => {
  const [whole = "0", fraction = ""] = Number(amount).toFixed(6).split(".")
  return BigInt(whole.replace("-", "")) * 1_000_000n + BigInt(fraction)
}

const microsInPara = 10_000n

/** Half a para counts as one. */
export const parasOf = (amount: unknown): number => Number((microsOf(amount) + microsInPara / 2n) / microsInPara)

/** Amounts in whole paras that sum to `total` paras: each is rounded down, and the paras that are left go to those that lost most; of two alike, to the earlier. */
export const sharedParas = (amounts: ReadonlyArray<unknown>, total: number): ReadonlyArray<number> => {
  const exact = amounts.map(microsOf)
  const parts = exact.map((micros) => Number(micros / microsInPara))
  const missing = total - parts.reduce((sum, part) => sum + part, 0)
  const byLoss = exact.map((micros, at) => ({ at, lost: Number(micros % microsInPara) })).toSorted((one, other) => other.lost - one.lost || one.at - other.at)
  for (const { at } of byLoss.slice(0, Math.max(0, missing))) parts[at] = (parts[at] ?? 0) + 1
  return parts
}
