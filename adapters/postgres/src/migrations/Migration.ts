/**
 * One numbered migration. Frozen once released: its digest is stored with its number, and a start against a database whose applied migrations differ
 * is refused. Each statement is sent alone (the protocol takes one at a time).
 *
 * Sales run while a migration is applied, by hosts of this release and of the previous one. A migration therefore only adds what the previous release
 * tolerates, and holds no lock for longer than a change of the catalogue takes.
 */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly statements: ReadonlyArray<string>
  /**
   * Whether the statements run without a transaction around them, one by one, as `create index concurrently` and `validate constraint` require. An
   * interrupted migration is run again from its first statement, so each statement must also be correct the second time.
   */
  readonly online?: true
}
