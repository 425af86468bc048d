const zero = 48

/**
 * Digits without the zeros at the end. A loop, because the expression `/0+$/` takes quadratic time on zeros in the middle.
 *
 * @example withoutTrailingZeros("1200") // "12"
 */
export const withoutTrailingZeros = (digits: string): string => {
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === zero) end -= 1
  return end === digits.length ? digits : digits.slice(0, end)
}
