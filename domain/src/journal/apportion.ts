const roundedQuotient = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor)

/**
 * Splits a whole number in proportion to weights. The parts are whole numbers, and their sum is the whole. Where all weights are 0, the first part is
 * the whole.
 *
 * @param whole Not negative, as are the weights.
 * @example apportion(100n, [1n, 1n, 1n]) // [33n, 34n, 33n]
 */
export const apportion = (whole: bigint, weights: ReadonlyArray<bigint>): ReadonlyArray<bigint> => {
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  if (total === 0n) return weights.map((_, at) => (at === 0 ? whole : 0n))
  let weighed = 0n
  let given = 0n
  return weights.map((weight) => {
    weighed += weight
    const upToHere = roundedQuotient(whole * weighed, total)
    const part = upToHere - given
    given = upToHere
    return part
  })
}

/**
 * A table of whole numbers with given sums of its rows and of its columns. Each row is spread over the columns in proportion to what the columns
 * still lack. Both kinds of sums are exact where their totals are equal.
 *
 * @example spread([50n, 50n], [30n, 70n]) // [[15n, 35n], [15n, 35n]]
 */
export const spread = (rows: ReadonlyArray<bigint>, columns: ReadonlyArray<bigint>): ReadonlyArray<ReadonlyArray<bigint>> => {
  let left = columns
  return rows.map((row) => {
    const parts = apportion(row, left)
    left = left.map((column, at) => column - (parts[at] ?? 0n))
    return parts
  })
}
