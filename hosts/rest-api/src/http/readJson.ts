import { decimalFromJsonNumber } from "@overa/domain"
import { Result } from "effect"

/** The text is no JSON document this service reads; `message` says what is wrong and where. */
export interface MalformedJson {
  readonly message: string
}

/** Deeper than any request of the contract; a bound, so that nesting can never exhaust the stack. */
const deepestNesting = 32

/**
 * Reads one JSON document (RFC 8259) with numbers as exact decimals.
 *
 * Own reader because three things a fiscal document needs are offered by no parser at hand: every repeated member name is refused
 * (also with an equal value), numbers come from their source text, and lone surrogates are refused (Decisions §1). `__proto__` is a
 * member like any other. Held to `JSON.parse` by a property test.
 */
export const readJson = (text: string): Result.Result<unknown, MalformedJson> => {
  const reader = new JsonReader(text)
  try {
    return Result.succeed(reader.document())
  } catch (error) {
    if (error instanceof SyntaxError) return Result.fail({ message: error.message })
    throw error
  }
}

const space = 0x20
const quote = 0x22
const minus = 0x2d
const nine = 0x39
const zero = 0x30
const backslash = 0x5c

const jsonNumber = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** What a string's text is mostly made of: everything but its end, an escape, and what must be escaped. */
const plainText = /[ !#-[\]-\uffff]*/y
const fourHexDigits = /^[0-9a-fA-F]{4}$/
const escapes: ReadonlyMap<string, string> = new Map([
  ["\"", "\""],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"]
])

class JsonReader {
  readonly text: string
  private at = 0
  private depth = 0

  constructor(text: string) {
    this.text = text
  }

  document(): unknown {
    const value = this.value()
    this.skipSpace()
    if (this.at < this.text.length) this.fail("nothing may follow the document")
    return value
  }

  private value(): unknown {
    this.skipSpace()
    const code = this.text.charCodeAt(this.at)
    if (code === quote) return this.string()
    if (code === minus || (code >= zero && code <= nine)) return this.number()
    switch (this.text[this.at]) {
      case "{":
        return this.nested(() => this.object())
      case "[":
        return this.nested(() => this.array())
      case "t":
        return this.word("true", true)
      case "f":
        return this.word("false", false)
      case "n":
        return this.word("null", null)
      default:
        return this.fail("a value is expected")
    }
  }

  private nested<A>(read: () => A): A {
    if (this.depth === deepestNesting) this.fail(`nested deeper than ${deepestNesting} levels`)
    this.depth++
    this.at++
    const value = read()
    this.depth--
    return value
  }

  private object(): Record<string, unknown> {
    const members: Record<string, unknown> = {}
    if (this.closes("}")) return members
    while (true) {
      this.skipSpace()
      const start = this.at
      if (this.text.charCodeAt(this.at) !== quote) this.fail("a member name in quotes is expected")
      const name = this.string()
      if (Object.hasOwn(members, name)) this.fail(`the member name ${JSON.stringify(name)} is repeated`, start)
      this.expect(":")
      setMember(members, name, this.value())
      if (this.closes("}")) return members
      this.expect(",")
    }
  }

  private array(): Array<unknown> {
    const items: Array<unknown> = []
    if (this.closes("]")) return items
    while (true) {
      items.push(this.value())
      if (this.closes("]")) return items
      this.expect(",")
    }
  }

  private number(): unknown {
    jsonNumber.lastIndex = this.at
    const match = jsonNumber.exec(this.text)
    if (match === null) return this.fail("not a number")
    this.at = jsonNumber.lastIndex
    return decimalFromJsonNumber(match[0])
  }

  private string(): string {
    const start = this.at
    this.at++
    let value = ""
    let from = this.at
    while (true) {
      plainText.lastIndex = this.at
      plainText.test(this.text)
      this.at = plainText.lastIndex
      const code = this.text.charCodeAt(this.at)
      if (code === quote) break
      if (code === backslash) {
        value += this.text.slice(from, this.at) + this.escape()
        from = this.at
      } else this.fail(this.at < this.text.length ? "a control character must be escaped" : "the text ends inside a string")
    }
    value += this.text.slice(from, this.at)
    this.at++
    if (!value.isWellFormed()) this.fail("a string holds half a surrogate pair", start)
    return value
  }

  private escape(): string {
    const letter = this.text[this.at + 1] ?? ""
    const simple = escapes.get(letter)
    if (simple !== undefined) {
      this.at += 2
      return simple
    }
    const digits = this.text.slice(this.at + 2, this.at + 6)
    if (letter !== "u" || !fourHexDigits.test(digits)) this.fail("unknown escape in a string")
    this.at += 6
    return String.fromCharCode(Number.parseInt(digits, 16))
  }

  private word<A>(word: string, value: A): A {
    if (!this.text.startsWith(word, this.at)) this.fail("a value is expected")
    this.at += word.length
    return value
  }

  private closes(bracket: string): boolean {
    this.skipSpace()
    if (this.text[this.at] !== bracket) return false
    this.at++
    return true
  }

  private expect(character: string): void {
    this.skipSpace()
    if (this.text[this.at] !== character) this.fail(`'${character}' is expected`)
    this.at++
  }

  private skipSpace(): void {
    while (true) {
      const code = this.text.charCodeAt(this.at)
      if (code !== space && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.at++
    }
  }

  private fail(what: string, at: number = this.at): never {
    throw new SyntaxError(`Not a JSON document: ${what} (at character ${at}).`)
  }
}

/** Plain assignment to `__proto__` would change the object's prototype instead of storing the member. */
const setMember = (members: Record<string, unknown>, name: string, value: unknown): void => {
  if (name === "__proto__") {
    Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true })
  } else members[name] = value
}
