import { BigDecimal, Result } from "effect"

/**
 * A number of the request body that the service will not take: more than 15 significant digits (zeros trimmed), or out of bounds
 * in exponent form (Decisions §1). The host puts it where the number stood, so that the fault is reported at its place.
 *
 * @example new UnrepresentableNumber("0.12345678901234567")
 */
export class UnrepresentableNumber {
  /** The number as it was written. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

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

const jsonNumber = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,9}))?$/

/** Numbers with more digits are not distinct for every reader of JSON (Decisions §1). */
const mostSignificantDigits = 15
/** Positions before and after the point that a number may use: far beyond every bound, and few enough to be cheap. */
const farthestPosition = 200
/** Longer than every number within those positions: a longer one is refused before its digits are read. */
export const longestNumber = 512

/**
 * A number of a JSON text as the exact decimal that is written there (Decisions §1). More than 15 significant digits, a digit too far from the point,
 * or more than 512 characters make it an `UnrepresentableNumber`, which the decoders refuse at its place.
 *
 * @example decimalFromJsonNumber("1.50e1") // the decimal 15
 */
export const decimalFromJsonNumber = (text: string): BigDecimal.BigDecimal | UnrepresentableNumber => {
  // The fast path for one digit: most quantities, and the usual filling of a hostile body.
  if (text.length === 1 && text >= "0" && text <= "9") return BigDecimal.fromBigInt(BigInt(text))
  const parts = text.length > longestNumber ? null : jsonNumber.exec(text)
  if (parts === null) return new UnrepresentableNumber(text.slice(0, longestNumber))
  const fraction = parts[3] ?? ""
  const digits = `${parts[2]}${fraction}`.replace(/^0+/, "")
  const significant = withoutTrailingZeros(digits)
  if (significant === "") return BigDecimal.fromBigInt(0n)
  const scale = fraction.length - Number(parts[4] ?? 0) - (digits.length - significant.length)
  const isRepresentable = significant.length <= mostSignificantDigits && scale <= farthestPosition &&
    significant.length - scale <= farthestPosition
  return isRepresentable
    ? BigDecimal.make(BigInt(`${parts[1]}${significant}`), scale)
    : new UnrepresentableNumber(text)
}

/** The reviver's third argument; the library types do not know it yet, and older engines do not pass it. */
type Reviver = (this: unknown, key: string, value: unknown, context?: { readonly source?: string }) => unknown

/** This engine reads JSON numbers only as floating point, which would round amounts. A defect: no body can be read with it. */
export class NumbersNotExact extends Error {
  override readonly name = "NumbersNotExact"

  constructor() {
    super("This JavaScript engine does not show the numbers of a JSON text as they are written, and amounts must not be rounded. " +
      "Use Node 22, Chrome or Edge 122, Firefox 135, Safari 18.4, or a later version.")
  }
}

const exactNumbers: Reviver = (_key, value, context) => {
  if (typeof value !== "number") return value
  if (context?.source === undefined) throw new NumbersNotExact()
  return decimalFromJsonNumber(context.source)
}

/**
 * The tree that the decoders read, from a JSON text that was accepted before: numbers are decimals as written. The host reads untrusted bodies with a
 * stricter reader (repeated names, lone surrogates, depth); both give the same tree.
 *
 * @throws NumbersNotExact in an engine too old to read amounts exactly.
 */
export const readBodyTree = (text: string): Result.Result<unknown, SyntaxError> =>
  Result.try({
    try: () => JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text, exactNumbers as Parameters<typeof JSON.parse>[1]),
    catch: (error) => {
      if (error instanceof NumbersNotExact) throw error
      return error as SyntaxError
    }
  })

/**
 * The tree that the decoders read, from data that was never a text: numbers become decimals, everything else stays as it is.
 *
 * @example bodyOf({ quantity: 2, unitPrice: 1250.5 }) // decimals 2 and 1250.5
 */
export const bodyOf = (data: unknown): unknown => {
  if (typeof data === "number") return decimalFromJsonNumber(String(data))
  if (Array.isArray(data)) return data.map(bodyOf)
  return isObject(data) ? Object.fromEntries(Object.entries(data).map(([name, member]) => [name, bodyOf(member)])) : data
}

/** Whether a node of the body is a JSON object: no list, no number in our decimal form, no other class. */
export const isObject = (node: unknown): node is Readonly<Record<string, unknown>> => {
  if (typeof node !== "object" || node === null || Array.isArray(node)) return false
  const prototype: unknown = Object.getPrototypeOf(node)
  return prototype === Object.prototype || prototype === null
}

/** A member of a node, whatever the node is: undefined where there is none, and for null, which means absent (Decisions §1). */
export const member = (node: unknown, name: string): unknown =>
  isObject(node) && Object.hasOwn(node, name) ? (node[name] ?? undefined) : undefined

/** A text member, or undefined. */
export const textMember = (node: unknown, name: string): string | undefined => {
  const value = member(node, name)
  return typeof value === "string" ? value : undefined
}

/** A number member, or undefined. */
export const numberMember = (node: unknown, name: string): BigDecimal.BigDecimal | undefined => {
  const value = member(node, name)
  return BigDecimal.isBigDecimal(value) ? value : undefined
}

/** A list member; empty where there is none. */
export const listMember = (node: unknown, name: string): ReadonlyArray<unknown> => {
  const value = member(node, name)
  return Array.isArray(value) ? value : []
}

/** The node at a path; undefined where there is none. */
export const nodeAt = (root: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>((node, segment) => {
    if (Array.isArray(node)) return typeof segment === "number" ? node[segment] : undefined
    return isObject(node) && typeof segment === "string" && Object.hasOwn(node, segment) ? node[segment] : undefined
  }, root)
