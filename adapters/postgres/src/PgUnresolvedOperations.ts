import { raisesDoubt, type Transition, UnresolvedOperations } from "@overa/domain"
import { DateTime, Effect, Layer } from "effect"
import { byOrganization, type Candidate } from "./operations/byOrganization.ts"
import { claim } from "./operations/claims.ts"
import { giveBackAttempt } from "./operations/giveBackAttempt.ts"
import {
  claimsOfEarlierBoots,
  endLeasesOfEarlierBoots,
  expiredLeases,
  expireLeases,
  leasesOfEarlierBoots,
  makeDue,
  organizationsWaitingFor,
  releaseClaims
} from "./operations/leaseStatements.ts"
import { raiseItems } from "./operations/raise.ts"
import { recordSearch } from "./operations/recordSearch.ts"
import { PgDatabase } from "./PgDatabase.ts"
import { historyLineStart } from "./rows/OperationRow.ts"
import { followDoubt } from "./workflows/followDoubt.ts"

/** A host that crashed under load leaves thousands behind; they are moved in batches of this size. */
const earlierBootsAtOnce = 2_000

const leaseExpired = (actor: string, at: Transition["at"]): string => historyLineStart({ to: "OUTCOME_UNKNOWN", at, cause: "leaseExpired", actor })

const make = Effect.gen(function*() {
  const database = yield* PgDatabase
  const { keyed } = database
  const rows = (sql: string, params: ReadonlyArray<unknown>) => keyed.read<{ readonly operation_id: string }>(sql, params)
  const claimDue = claim(database)
  return UnresolvedOperations.of({
    expireLeases: Effect.fn("UnresolvedOperations.expireLeases")(function*(actor: string, at: Transition["at"], limit: number) {
      const line = leaseExpired(actor, at)
      const candidates = yield* keyed.read<Candidate>(expiredLeases, [limit])
      return (yield* byOrganization(candidates, (id, own) => rows(expireLeases, [id, own, line, DateTime.toDateUtc(at)]))).length
    }),
    endLeasesOfEarlierBoots: Effect.fn("UnresolvedOperations.endLeasesOfEarlierBoots")(function*({ hostId, bootId }, actor, at) {
      const claimed = yield* keyed.read<Candidate>(claimsOfEarlierBoots, [hostId, bootId])
      yield* byOrganization(claimed, (id, own) => rows(releaseClaims, [id, own, hostId, bootId]))
      const line = leaseExpired(actor, at)
      let ended = 0
      while (true) {
        const candidates = yield* keyed.read<Candidate>(leasesOfEarlierBoots, [hostId, bootId, earlierBootsAtOnce])
        const moved = yield* byOrganization(candidates, (id, own) =>
          rows(endLeasesOfEarlierBoots, [id, own, line, DateTime.toDateUtc(at), hostId, bootId]))
        ended += moved.length
        if (moved.length === 0) return ended
      }
    }),
    claimDue: Effect.fn("UnresolvedOperations.claimDue")(claimDue),
    recordSearch: Effect.fn("UnresolvedOperations.recordSearch")((search) =>
      database.transaction((statements) => recordSearch(statements, search))
    ),
    makeDue: Effect.fn("UnresolvedOperations.makeDue")(function*(elementId) {
      const waiting = yield* Effect.forEach(organizationsWaitingFor, (sql) => keyed.read<{ readonly organization_id: string }>(sql, [elementId]))
      const organizations = new Set(waiting.flat().map((row) => row.organization_id))
      for (const organizationId of organizations) yield* keyed.read(makeDue, [organizationId, elementId])
    }),
    raise: Effect.fn("UnresolvedOperations.raise")((operation, items, at, lost) =>
      items.length === 0
        ? Effect.void
        : database.transaction(Effect.fnUntraced(function*(statements) {
          yield* raiseItems(statements, { ...operation, at }, items)
          if (items.some(raisesDoubt)) yield* followDoubt(statements, { ...operation, at })
          if (lost !== undefined) yield* giveBackAttempt(statements, operation, lost, at)
        }))
    )
  })
})

/** The worker's view of the operations. */
export const layerUnresolvedOperations: Layer.Layer<UnresolvedOperations, never, PgDatabase> = Layer.effect(
  UnresolvedOperations,
  make
)
