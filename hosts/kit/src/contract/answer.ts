import { type JsonSchema, nullable, object } from "./JsonSchema.ts"

/** One member of an answer: its schema in the contract, and its value. A value that is undefined is left out, where the member is optional. */
export type Member<A> = readonly [schema: JsonSchema, value: (of: A) => unknown]

export type Members<A> = Readonly<Record<string, Member<A>>>

/** The members' schemas by name, for `object`. */
export const schemasOf = (members: Members<never>): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(Object.entries(members).map(([name, [schema]]) => [name, schema]))

/** Writes what the members say, in their order. */
export const writerOf = <A>(members: Members<A>): ((of: A) => Readonly<Record<string, unknown>>) => {
  const values = Object.entries(members).map(([name, [, value]]) => [name, value] as const)
  return (of) => {
    const written: Record<string, unknown> = {}
    for (const [name, value] of values) written[name] = value(of)
    return written
  }
}

/** An answer stated once: the schema from which document, example check and client come, and the writer. */
export const answer = <A>(description: string, members: Members<A>, optional: ReadonlyArray<string> = []) => ({
  schema: object(description, schemasOf(members), optional),
  write: writerOf(members)
})

/** A member that is null where there is no value. */
export const orNull = <A, V>(schema: JsonSchema, value: (of: A) => V | null, write: (value: V) => unknown): Member<A> => [
  nullable(schema),
  (of) => {
    const found = value(of)
    return found === null ? null : write(found)
  }
]
