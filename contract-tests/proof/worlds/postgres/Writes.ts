/** A statement that writes documents. */
export const writesDocument = /(insert into|update) operations\b/i
const isOneWrite = /^\s*(insert|update|delete)\b/i
const hasWrite = /\b(insert into|delete from|update \w+ (\w+ )?set)\b/i

interface Kind {
  readonly writes: boolean
  /** One statement that answers with the rows it has written. */
  readonly tells: boolean
  readonly ofDocument: boolean
}

const kindOf = (sql: string): Kind => ({
  writes: isOneWrite.test(sql) || (!/^\s*select\b/i.test(sql) && hasWrite.test(sql)),
  tells: isOneWrite.test(sql) && /\breturning\b/i.test(sql),
  ofDocument: writesDocument.test(sql)
})

/** Counts the statements that may have changed something, in any table and in `operations`. */
export class Writes {
  all = 0
  operations = 0
  /** A world has some two hundred statements. */
  readonly #kinds = new Map<string, Kind>()

  /** A statement was answered with so many rows. */
  count(sql: string, rows: number): void {
    const kind = this.#kinds.get(sql) ?? kindOf(sql)
    this.#kinds.set(sql, kind)
    if (!kind.writes || (kind.tells && rows === 0)) return
    this.all += 1
    if (kind.ofDocument) this.operations += 1
  }

  /** Anything may have changed. */
  countAll(): void {
    this.all += 1
    this.operations += 1
  }
}
