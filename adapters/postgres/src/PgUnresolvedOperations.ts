import { type AttentionItem, type ClaimedCheck, type Transition, UnresolvedOperations } from "@overa/domain"
import { DateTime, Effect, Layer } from "effect"
import {
  claimDueStatement,
  endEarlierBootsStatement,
  expireLeasesStatement,
  recordSearchStatement,
  releaseClaimsStatement
} from "./operations/leaseStatements.ts"
import { PgDatabase, type PgQueries } from "./PgDatabase.ts"
import { attemptColumns, type AttemptRow, decodeAttempt } from "./rows/AttemptRow.ts"
import { decodeOperation, operationColumns, type OperationRow } from "./rows/OperationRow.ts"
import { storableText } from "./rows/storedJson.ts"

/** A host that died under load left thousands behind; they are moved in statements of this size. */
const earlierBootsAtOnce = 2_000

const dateOf = (at: Transition["at"]): Date => new Date(DateTime.toEpochMillis(at))

interface ClaimRow {
  readonly organization_id: string
  readonly operation_id: string
}

const claimedOperations = `select ${operationColumns} from operations o
  join unnest($1::uuid[], $2::uuid[]) as c (organization_id, operation_id) using (organization_id, operation_id)
  order by o.created_at, o.operation_id`

// An attempt that certainly was not signed is not searched for; one whose process died may have been.
const claimedAttempts = `select ${attemptColumns} from attempts a
  join unnest($1::uuid[], $2::uuid[]) as c (organization_id, operation_id) using (organization_id, operation_id)
  where a.outcome is null or a.outcome = 'NO_ANSWER' order by a.number`

// The operation and its claim are read apart from the commit that claimed them; if this process dies in between, the claim's lease
// gives them back.
const loadClaims = Effect.fnUntraced(function*(database: PgQueries, claims: ReadonlyArray<ClaimRow>) {
  if (claims.length === 0) return []
  const keys = [claims.map((claim) => claim.organization_id), claims.map((claim) => claim.operation_id)]
  const operations = yield* database.read<OperationRow>(claimedOperations, keys)
  const attempts = yield* database.read<AttemptRow>(claimedAttempts, keys)
  return operations.map((row): ClaimedCheck => ({
    operation: decodeOperation(row),
    attempts: attempts.filter((attempt) => attempt.operation_id === row.operation_id).map(decodeAttempt),
    checks: row.checks
  }))
})

const raiseStatement = `insert into attention (organization_id, operation_id, kind, detail, evidence, raised_at)
  select $1::uuid, $2::uuid, kind, detail, evidence, $3::timestamptz from unnest($4::text[], $5::text[], $6::text[]) as r (kind, detail, evidence)`

const nullableTexts = (texts: ReadonlyArray<string | null>): ReadonlyArray<string | null> | string =>
  texts.every((text) => text === null) ? `{${texts.map(() => "NULL").join(",")}}` : texts

const make = Effect.gen(function*() {
  const { keyed: database } = yield* PgDatabase
  return UnresolvedOperations.of({
    expireLeases: Effect.fn("UnresolvedOperations.expireLeases")(function*(actor: string, at: Transition["at"], limit: number) {
      return (yield* database.read(expireLeasesStatement, [limit, actor, dateOf(at)])).length
    }),
    endLeasesOfEarlierBoots: Effect.fn("UnresolvedOperations.endLeasesOfEarlierBoots")(function*({ hostId, bootId }, actor, at) {
      yield* database.read(releaseClaimsStatement, [hostId, bootId])
      let ended = 0
      while (true) {
        const rows = yield* database.read(endEarlierBootsStatement, [hostId, bootId, earlierBootsAtOnce, actor, dateOf(at)])
        ended += rows.length
        if (rows.length < earlierBootsAtOnce) return ended
      }
    }),
    claimDue: Effect.fn("UnresolvedOperations.claimDue")(function*({ limit, leaseMillis, actor, hostId, at }) {
      const claims = yield* database.read<ClaimRow>(claimDueStatement, [limit, leaseMillis, hostId, actor, dateOf(at)])
      return yield* loadClaims(database, claims)
    }),
    recordSearch: Effect.fn("UnresolvedOperations.recordSearch")(function*(search) {
      yield* database.read(recordSearchStatement, [
        search.organizationId,
        search.operationId,
        dateOf(search.at),
        search.actor,
        search.reachedAttempts,
        search.nextCheckAfterMillis
      ])
    }),
    makeDue: Effect.fn("UnresolvedOperations.makeDue")(function*(elementId) {
      yield* database.read(
        `update operations o set next_check_at = now() where o.next_check_at > now()
           and exists (select from attempts a where a.organization_id = o.organization_id and a.operation_id = o.operation_id
             and a.element_id = $1)`,
        [elementId]
      )
    }),
    raise: Effect.fn("UnresolvedOperations.raise")(function*(operation, items: ReadonlyArray<AttentionItem>, at) {
      if (items.length === 0) return
      yield* database.read(raiseStatement, [
        operation.organizationId,
        operation.operationId,
        dateOf(at),
        items.map((item) => storableText(item.kind)),
        items.map((item) => storableText(item.detail)),
        nullableTexts(items.map((item) => (item.evidence === null ? null : storableText(item.evidence))))
      ])
    })
  })
})

/** What the worker asks of the operations. */
export const layerUnresolvedOperations: Layer.Layer<UnresolvedOperations, never, PgDatabase> = Layer.effect(
  UnresolvedOperations,
  make
)
