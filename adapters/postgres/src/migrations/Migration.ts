/**
 * One numbered step of the schema. Frozen once released: its digest is kept beside its number, and a start against a database
 * whose applied steps differ is refused. Each statement is sent alone (the protocol takes one at a time).
 *
 * Sales run while a step is applied, by hosts of this release and of the one before. A step therefore only adds what the older release can
 * live with, and holds no lock for longer than a catalogue change takes.
 */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly statements: ReadonlyArray<string>
  /**
   * Whether the statements run without a transaction around them, one by one, as `create index concurrently` and `validate constraint` must. A
   * step that was interrupted is run again from its first statement, so each must be right the second time too.
   */
  readonly online?: true
}
