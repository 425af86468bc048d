import { JournalAudit, type LogReport, openCheckpoint, type StoreUnavailable, type Tenant } from "@overa/domain"
import { Effect, Layer } from "effect"
import * as sql from "./journal-log/auditStatements.ts"
import { checkCounts } from "./journal-log/checkCounts.ts"
import { checkBeyond, compareEntries } from "./journal-log/compareEntries.ts"
import { type JournalKeys, originOf, readJournalKeys } from "./journal-log/JournalKeys.ts"
import { LogAudit, type StoredCheckpoint } from "./journal-log/LogAudit.ts"
import { readStoredTree, type StoredTree } from "./journal-log/storedTree.ts"
import { PgDatabase, type PgQueries } from "./PgDatabase.ts"
import { type PgFailure, toStoreUnavailable } from "./PgFailure.ts"
import type { Secrets } from "./Secrets.ts"

const readCheckpoints = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, keys: JournalKeys) {
  const origin = originOf(keys.name, tenant)
  const rows = yield* database.query<{ readonly size: bigint; readonly note: string; readonly signed_at: Date }>(
    sql.allCheckpoints, [tenant.organizationId, tenant.environment]
  )
  return rows.map(({ note, signed_at, size }): StoredCheckpoint => ({
    size: Number(size),
    signedAt: signed_at.getTime(),
    opened: openCheckpoint(note, keys.known, origin)
  }))
})

const growTree = (audit: LogAudit, stored: StoredTree, size: number): void => {
  for (let index = 0; index < size; index += 1) {
    const leaf = stored.at(0, index)
    if (leaf === undefined) return
    audit.grow(leaf)
  }
}

const auditLog = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, keys: JournalKeys) {
  // The checkpoints are read before the head of the log: a checkpoint of more leaves than the log has was signed for leaves that were removed. The rows
  // are read after the head, so everything sealed meanwhile is after it.
  const checkpoints = yield* readCheckpoints(database, tenant, keys)
  const [head] = yield* database.query<{ readonly size: bigint }>(
    "select size from journal_logs where organization_id = $1 and environment = $2", [tenant.organizationId, tenant.environment]
  )
  const size = Number(head?.size ?? 0)
  const stored = yield* readStoredTree(database, tenant, size)
  const audit = new LogAudit(checkpoints, stored)
  growTree(audit, stored, size)
  yield* compareEntries(database, tenant, audit, stored, { size, keys })
  yield* checkBeyond(database, tenant, audit, size)
  yield* checkCounts(database, tenant, audit)
  audit.finish(size)
  return {
    ...tenant,
    origin: originOf(keys.name, tenant),
    leaves: audit.compared,
    erased: audit.erased,
    checkpoints: checkpoints.length,
    findings: audit.findings,
    findingCount: audit.findingCount
  } satisfies LogReport
})

const make = Effect.fnUntraced(function*(secrets: Secrets) {
  const database = yield* PgDatabase
  const reading = <A, R>(effect: Effect.Effect<A, PgFailure | StoreUnavailable, R>) => Effect.catchTag(effect, "PgFailure", toStoreUnavailable)
  return JournalAudit.of({
    verify: Effect.gen(function*() {
      const keys = yield* readJournalKeys(database, secrets)
      const tenants = yield* database.read<{ readonly organization_id: string; readonly environment: string }>(sql.allLogs)
      const waiting = yield* database.read<{ readonly organization_id: string; readonly environment: string }>(sql.tenantsWithoutLog)
      return yield* Effect.forEach([...tenants, ...waiting], (row) =>
        reading(auditLog(database, { organizationId: row.organization_id, environment: row.environment } as Tenant, keys))
      )
    }).pipe(Effect.withSpan("JournalAudit.verify"))
  })
})

/** Compares the logs with their rows. */
export const layerJournalAudit = (secrets: Secrets): Layer.Layer<JournalAudit, never, PgDatabase> => Layer.effect(JournalAudit, make(secrets))
