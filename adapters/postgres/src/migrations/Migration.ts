/**
 * One numbered step of the schema. Frozen once released: its digest is kept beside its number, and a start against a database
 * whose applied steps differ is refused. Each statement is sent alone (the protocol takes one at a time).
 */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly statements: ReadonlyArray<string>
}
