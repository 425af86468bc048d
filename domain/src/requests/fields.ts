import { BigDecimal, Schema } from "effect"
import { maximumDinars } from "../money/Dinars.ts"
import { formatDecimal, hasAtMostDecimals } from "../money/decimals.ts"

// Control characters of ISO 6429 (C0, delete, C1): they would change a printed receipt invisibly (Decisions §1).
const controlCharacter = /\p{Cc}/u
// A text area of a web page sends its newlines as CRLF.
const controlCharacterButNewline = /(?!\r?\n)\p{Cc}/u

/** The same rules as regular expressions, for the published contract. */
export const noControlCharacters = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"
export const noControlCharactersButNewline = "^(?:[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]|\\u000d\\u000a)*$"

/** How many characters (Unicode code points) a text has. */
export const codePoints = (text: string): number => {
  let pairs = 0
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      pairs++
      index++
    }
  }
  return text.length - pairs
}

/** Whether a text has more characters than the limit. */
export const isLongerThan = (text: string, limit: number): boolean => text.length > limit && codePoints(text) > limit

/** What is wrong with a text as such, or undefined. */
export const textFault = (text: string, max: number, newlines = false): string | undefined => {
  if (text === "") return "must not be empty; leave an optional field out or send null"
  if (isLongerThan(text, max)) return `must have at most ${max} characters`
  if ((newlines ? controlCharacterButNewline : controlCharacter).test(text)) {
    return `must not contain control characters${newlines ? " other than newline" : ""}`
  }
  return undefined
}

export interface TextOptions {
  /** Allows newlines, LF or CRLF (the commercial footer). */
  readonly newlines?: boolean
  /** A further check: what is wrong with a text that is valid otherwise. */
  readonly form?: (text: string) => string | undefined
  /** The form as a regular expression, for the published contract. */
  readonly pattern?: string
}

/** A form given by one regular expression, and the message for a text without this form. */
export const formOf = (expression: RegExp, says: string): Required<Pick<TextOptions, "form" | "pattern">> => ({
  form: (text) => (expression.test(text) ? undefined : says),
  pattern: expression.source
})

/** A text of 1 to `max` code points without control characters, neither trimmed nor normalized (Decisions §1). */
export const textField = (max: number, options: TextOptions = {}) =>
  Schema.String.check(
    Schema.makeFilter((text: string) => textFault(text, max, options.newlines) ?? options.form?.(text), {
      toJsonSchema: () => ({
        minLength: 1,
        maxLength: max,
        pattern: options.pattern ?? (options.newlines === true ? noControlCharactersButNewline : noControlCharacters)
      })
    })
  )

/** An optional text: absent and null mean the same. */
export const optional = <S extends Schema.Constraint>(field: S) => Schema.optionalKey(Schema.NullOr(field))

const uuidPattern = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/

/** Whether a text is a UUID in its usual form, in either case. */
export const isUuid = (text: string): boolean => uuidPattern.test(text)

/** An identifier as a caller writes it. UUIDs are compared in lower case, which the decoders turn them to. */
export const uuidField = Schema.String.check(
  Schema.makeFilter((text: string) => (isUuid(text) ? undefined : "must be a UUID"), {
    toJsonSchema: () => ({ format: "uuid" })
  })
)

const zero = BigDecimal.fromBigInt(0n)
const smallestQuantity = BigDecimal.fromStringUnsafe("0.001")
const largestQuantity = BigDecimal.fromStringUnsafe("99999999999.999")

interface NumberBounds {
  readonly minimum: BigDecimal.BigDecimal
  /** The minimum itself is refused too. */
  readonly exclusive?: true
  readonly maximum: BigDecimal.BigDecimal
  /** Most digits after the point; undefined where the V-PFR checks them. */
  readonly decimals?: number
}

/** What is wrong with a number, or undefined. */
const numberFault = (value: BigDecimal.BigDecimal, bounds: NumberBounds): string | undefined => {
  if (bounds.exclusive === true && !BigDecimal.isGreaterThan(value, bounds.minimum)) return `must be more than ${formatDecimal(bounds.minimum)}`
  if (BigDecimal.isLessThan(value, bounds.minimum)) return `must be at least ${formatDecimal(bounds.minimum)}`
  if (BigDecimal.isGreaterThan(value, bounds.maximum)) return `must be at most ${formatDecimal(bounds.maximum)}`
  if (bounds.decimals !== undefined && !hasAtMostDecimals(value, bounds.decimals)) {
    return `must have at most ${bounds.decimals} decimals`
  }
  return undefined
}

/** A bound or a step as a JSON number: all bounds have few enough digits. */
const jsonNumber = (value: BigDecimal.BigDecimal): number => Number(formatDecimal(value))

const boundsInJsonSchema = ({ decimals, exclusive, maximum, minimum }: NumberBounds) => ({
  type: decimals === 0 ? "integer" : "number",
  ...(exclusive === true ? { exclusiveMinimum: jsonNumber(minimum) } : { minimum: jsonNumber(minimum) }),
  maximum: jsonNumber(maximum),
  ...(decimals === undefined || decimals === 0 ? {} : { multipleOf: jsonNumber(BigDecimal.make(1n, decimals)) })
})

/** The contract uses numbers, the decoders use decimals: both have these bounds. */
export const numberField = (bounds: NumberBounds) =>
  Schema.BigDecimal.annotate({ expected: "a number" }).check(
    Schema.makeFilter((value: BigDecimal.BigDecimal) => numberFault(value, bounds), {
      toJsonSchema: () => boundsInJsonSchema(bounds)
    })
  )

/** A price or other amount of ours: 0 to 999 999 999 999.99, at most two decimals (Decisions §1, Bounds). */
export const dinarsField = numberField({ minimum: zero, maximum: maximumDinars, decimals: 2 })

/** An amount as in `dinarsField`, but not 0. */
export const positiveDinarsField = numberField({ minimum: zero, exclusive: true, maximum: maximumDinars, decimals: 2 })

/** A payment's amount. More than two decimals go to the V-PFR, which answers 2804 (Spec, Resources, Payment; Decisions §1). */
export const paymentAmountField = numberField({ minimum: zero, maximum: maximumDinars })

/** 0.001 to 99 999 999 999.999 in steps of 0.001 (Spec, Limits). */
export const quantityField = numberField({ minimum: smallestQuantity, maximum: largestQuantity, decimals: 3 })

/** The index of a line: a whole number from 0. */
export const indexField = numberField({ minimum: zero, maximum: BigDecimal.fromBigInt(999_999n), decimals: 0 })

/** Whole seconds, from none up to a most. */
export const secondsField = (most: number) => numberField({ minimum: zero, maximum: BigDecimal.fromBigInt(BigInt(most)), decimals: 0 })

/** The bounds of a list's length, from one on, and the words for its elements. */
export interface ListBounds {
  readonly one: string
  readonly many: string
  readonly most: number
}

/** Source: Spec, Limits; Decisions §1, Bounds. */
export const itemBounds: ListBounds = { one: "item", many: "items", most: 1_000 }
/** Source: Spec, Limits; Decisions §1, Bounds. */
export const paymentBounds: ListBounds = { one: "payment", many: "payments", most: 50 }

/** The fault in a list's length, or undefined. */
export const countFault = (count: number, { many, most, one }: ListBounds): string | undefined => {
  if (count === 0) return `must have at least one ${one}`
  return count > most ? `must have at most ${most} ${many}` : undefined
}

/** A list of one to `most` elements. */
export const listField = <S extends Schema.Constraint>(element: S, bounds: ListBounds) =>
  Schema.Array(element).check(
    Schema.makeFilter((list: ReadonlyArray<unknown>) => countFault(list.length, bounds), {
      toJsonSchema: () => ({ minItems: 1, maxItems: bounds.most })
    })
  )

const labelsFault = (labels: ReadonlyArray<string>): string | undefined => {
  if (labels.length === 0) return "must have at least one label"
  return new Set(labels).size === labels.length ? undefined : "must not name a label twice"
}

/** The tax labels of an item or a product: at least one, each only once. Source: Spec, Resources, LineItem. */
export const labelsField = <S extends Schema.Constraint & { readonly Type: string }>(label: S) =>
  Schema.Array(label).check(
    Schema.makeFilter((labels: ReadonlyArray<string>) => labelsFault(labels), {
      toJsonSchema: () => ({ minItems: 1, uniqueItems: true })
    })
  )
