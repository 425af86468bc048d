import { Schema } from "effect"

// Control characters of ISO 6429 (C0, delete, C1): they would change a printed receipt invisibly (Decisions §1).
const controlCharacter = /\p{Cc}/u
const controlCharacterButNewline = /(?!\n)\p{Cc}/u

/** The same rules as regular expressions, for the published contract. */
export const noControlCharacters = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"
export const noControlCharactersButNewline = "^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]*$"

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

const isLongerThan = (text: string, limit: number): boolean => text.length > limit && codePoints(text) > limit

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
  /** Allows line feeds (the commercial footer). */
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
