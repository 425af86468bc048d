/** A JSON number kept as its source text, so that no amount is rounded on the way in. */
export class JsonNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown

const exactly: Reviver = (_key, value, context) =>
  typeof value === "number" ? new JsonNumber(context.source ?? String(value)) : value

/** Parses JSON with its numbers as `JsonNumber`; throws `SyntaxError` like `JSON.parse`. */
export const parseJsonExactly = (text: string): unknown => JSON.parse(text, exactly as (key: string, value: unknown) => unknown)

/** A JSON object whose member names are read without regard to case, as the V-PFR reads them (V-PFR §2). */
export class JsonObject {
  readonly #members: ReadonlyMap<string, unknown>

  private constructor(members: ReadonlyMap<string, unknown>) {
    this.#members = members
  }

  static from(value: unknown): JsonObject | null {
    if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof JsonNumber) return null
    return new JsonObject(new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member])))
  }

  /** The member's value; null where it is absent, because null means absent in this protocol. */
  member(name: string): unknown {
    return this.#members.get(name.toLowerCase()) ?? null
  }
}
