import type { StoreUnavailable } from "@overa/domain"
import { Effect } from "effect"
import type { PgQueries } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"

/** $1 organization, $2 operation. A row lock is a commit of its own, which is confirmed after every earlier one. */
const lockOperation = "select operation_id from operations where organization_id = $1 and operation_id = $2 for key share"

/**
 * Commits of this process that ended without an answer. While a commit waits for a synchronous standby nobody sees its row; if the wait ends without the
 * standby (the statement is cancelled, the session is ended), the server shows the row although it is on its own disk alone. Until a later commit is
 * confirmed, a row that was read is therefore not told as stored (docs/adr/0368).
 */
export class UnansweredCommits {
  #noted = 0
  #confirmed = 0

  /** Notes a commit that was given up. */
  note(): void {
    this.#noted += 1
  }

  /** Notes a statement that failed, where it may have been committed. */
  noteFailure({ committed }: PgFailure): void {
    if (committed === "unknown") this.note()
  }

  /** After a row was read: waits until it is wherever commits must be, or fails. Costs nothing while every commit was answered. */
  confirm(queries: PgQueries, organizationId: string, operationId: string): Effect.Effect<void, StoreUnavailable> {
    return Effect.suspend(() => {
      const noted = this.#noted
      if (this.#confirmed === noted) return Effect.void
      return Effect.map(queries.read(lockOperation, [organizationId, operationId]), () => {
        this.#confirmed = Math.max(this.#confirmed, noted)
      })
    })
  }
}
