/**
 * The digits before the point in groups of three, with points between them, as Serbian readers write them.
 *
 * @example inThousands("1234567") // "1.234.567"
 */
export const inThousands = (digits: string): string => {
  const sign = digits.startsWith("-") ? 1 : 0
  let grouped = digits
  for (let at = digits.length - 3; at > sign; at -= 3) grouped = `${grouped.slice(0, at)}.${grouped.slice(at)}`
  return grouped
}
