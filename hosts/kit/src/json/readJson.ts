import { decimalFromJsonNumber, mostInOne, mostNodes } from "@overa/domain"
import { Result } from "effect"

/** The text is no JSON document that this service accepts; `message` says what is wrong and where. */
export interface MalformedJson {
  readonly message: string
  /** The text may be valid JSON, but has more members and elements than any request can need; reading stopped there. */
  readonly tooLarge?: boolean
}

class TooLarge extends Error {}

/** Deeper than any request of the contract; the limit keeps nesting from exhausting the stack. */
const deepestNesting = 32

/**
 * Reads one JSON document (RFC 8259) with numbers as exact decimals.
 *
 * An own reader, because no available parser has the three properties a fiscal document needs: every repeated member name is refused (also with an
 * equal value), numbers come from their source text, and lone surrogates are refused (Decisions §1). `__proto__` is a member like any other. A
 * property test compares it with `JSON.parse`.
 */
export const readJson = (text: string): Result.Result<unknown, MalformedJson> => {
  const reader = new JsonReader(text)
  try {
    return Result.succeed(reader.document())
  } catch (error) {
    if (error instanceof TooLarge) return Result.fail({ message: error.message, tooLarge: true })
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
/** The usual characters of a string: everything but its end, an escape, and what must be escaped. */
const plainText = /[ !#-[\]-\uffff]*/y
class JsonReader {
  readonly text: string
  private at = 0
  private depth = 0
  private nodes = 0

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
    for (let more = 1; ; more++) {
      if (more > mostInOne) throw new TooLarge(`more than ${mostInOne} members in an object`)
      this.skipSpace()
      const start = this.at
      if (this.text.charCodeAt(this.at) !== quote) this.fail("a member name in quotes is expected")
      const name = this.string()
      if (Object.hasOwn(members, name)) this.fail(`the member name ${JSON.stringify(name)} is repeated`, start)
      this.expect(":")
      this.count()
      setMember(members, name, this.value())
      if (this.closes("}")) return members
      this.expect(",")
    }
  }

  private array(): Array<unknown> {
    const items: Array<unknown> = []
    if (this.closes("]")) return items
    while (true) {
      if (items.length === mostInOne) throw new TooLarge(`more than ${mostInOne} elements in a list`)
      this.count()
      items.push(this.value())
      if (this.closes("]")) return items
      this.expect(",")
    }
  }

  /** Counted while reading: a megabyte holds half a million elements, and reading them would keep the host busy for long. */
  private count(): void {
    this.nodes++
    if (this.nodes > mostNodes) throw new TooLarge(`more than ${mostNodes} members and elements`)
  }

  private number(): unknown {
    const start = this.at
    jsonNumber.lastIndex = start
    if (!jsonNumber.test(this.text)) return this.fail("not a number")
    this.at = jsonNumber.lastIndex
    return decimalFromJsonNumber(this.text.slice(start, this.at))
  }

  private string(): string {
    const start = this.at
    plainText.lastIndex = start + 1
    plainText.test(this.text)
    this.at = plainText.lastIndex
    const escaped = this.text.charCodeAt(this.at) === backslash
    if (escaped) this.skipEscaped()
    if (this.text.charCodeAt(this.at) !== quote) {
      this.fail(this.at < this.text.length ? "a control character must be escaped" : "the text ends inside a string")
    }
    this.at++
    const value = escaped ? this.unescaped(start) : this.text.slice(start + 1, this.at - 1)
    if (!value.isWellFormed()) this.fail("a string holds half a surrogate pair", start)
    return value
  }

  /** Skips to the end of the string, with all its escapes. */
  private skipEscaped(): void {
    while (true) {
      const code = this.text.charCodeAt(this.at)
      if (code === backslash) this.at += 2
      else if (code >= space && code !== quote) this.at++
      else return
    }
  }

  /** The engine's own parser reads escapes, many times faster than one by one. */
  private unescaped(start: number): string {
    try {
      return JSON.parse(this.text.slice(start, this.at)) as string
    } catch {
      return this.fail("unknown escape in a string", start)
    }
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
