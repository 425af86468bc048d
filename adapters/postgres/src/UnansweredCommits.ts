import { StoreUnavailable } from "@overa/domain"
import { Effect, Fiber } from "effect"
import type { PgQueries } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"

/** $1 organization. A row lock is a commit of its own, which is confirmed after every earlier one of the server that has the row. */
const lockOrganization = "select organization_id from organizations where organization_id = $1 for key share"

interface ToConfirm {
  readonly organizationId: string
  /** Whether organizations are on several servers; undefined while that is not known. */
  readonly isSplit: () => boolean | undefined
}

/** A row lock in flight, and how many commits had no answer when it was sent. */
interface Confirmation {
  readonly noted: number
  readonly lock: Fiber.Fiber<void, StoreUnavailable>
}

/**
 * Commits of this process that ended without an answer. While a commit waits for a synchronous standby nobody sees its row; if the wait ends without the
 * standby (the statement is cancelled, the session is ended), the server shows the row although it is on its own disk alone. Until a later commit is
 * confirmed, a row that was read is therefore not told as stored (docs/adr/0368, docs/adr/0405).
 *
 * Each server of a split database has a standby of its own: there a confirmed commit says nothing about another organization's server.
 */
export class UnansweredCommits {
  #noted = 0
  /** The organizations confirmed since the last commit without an answer; "" for all of them, where one server has them all. */
  readonly #confirmed = new Set<string>()
  readonly #inFlight = new Map<string, Confirmation>()

  /** Notes a commit that is given up, before the server is asked to cancel it: from then on it may show the row. */
  note(): void {
    this.#noted += 1
    this.#confirmed.clear()
  }

  /** Notes a statement that failed, where it may have been committed. */
  noteFailure({ committed }: PgFailure): void {
    if (committed === "unknown") this.note()
  }

  /** After rows of an organization were read: waits until they are wherever commits must be, or fails. Costs nothing while every commit was answered. */
  confirm(queries: PgQueries, { isSplit, organizationId }: ToConfirm): Effect.Effect<void, StoreUnavailable> {
    return Effect.suspend(() => {
      const server = isSplit() === false ? "" : organizationId
      if (this.#noted === 0 || this.#confirmed.has(server)) return Effect.void
      return Fiber.join(this.lockOn(server, queries, organizationId))
    })
  }

  // One lock for all who wait: each of them would otherwise keep a connection for as long as the standby is away.
  private lockOn(server: string, queries: PgQueries, organizationId: string): Confirmation["lock"] {
    const noted = this.#noted
    const current = this.#inFlight.get(server)
    if (current?.noted === noted) return current.lock
    const lock = Effect.runFork(Effect.flatMap(queries.read(lockOrganization, [organizationId]), ({ length }) => {
      if (length === 0) return Effect.fail(new StoreUnavailable({ committed: "no", cause: new Error(`there is no organization ${organizationId} to lock`) }))
      // A commit that was given up meanwhile may be a later one.
      if (this.#noted === noted) this.#confirmed.add(server)
      return Effect.void
    }))
    this.#inFlight.set(server, { noted, lock })
    lock.addObserver(() => {
      if (this.#inFlight.get(server)?.lock === lock) this.#inFlight.delete(server)
    })
    return lock
  }
}
