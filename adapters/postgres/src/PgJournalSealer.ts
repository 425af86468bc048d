import { JournalSealer, type StoreUnavailable, type Tenant } from "@overa/domain"
import { type Cause, Effect, Exit, Layer } from "effect"
import { type JournalKeys, readJournalKeys } from "./journal-log/JournalKeys.ts"
import * as sql from "./journal-log/logStatements.ts"
import { numberEvents } from "./journal-log/numberEvents.ts"
import { sealBatch } from "./journal-log/sealBatch.ts"
import type { RunningTransactions } from "./journal-log/sealingPosition.ts"
import { PgDatabase } from "./PgDatabase.ts"
import { toStoreUnavailable } from "./PgFailure.ts"
import type { Secrets } from "./Secrets.ts"

/** The server's own identifier, if the role may read it; the number of a future transaction shows the remaining cases. */
const readCluster = (database: PgDatabase["Service"]) =>
  database.query<{ readonly name: string }>(sql.clusterName).pipe(
    Effect.map(([row]) => row?.name ?? ""),
    Effect.catchIf((failure) => failure.sqlState === "42501", () => Effect.succeed("")),
    Effect.catchTag("PgFailure", toStoreUnavailable)
  )

const tenantsToSeal = Effect.fnUntraced(function*(database: PgDatabase["Service"], cluster: string) {
  const [running] = yield* database.read<RunningTransactions>(sql.runningTransactions)
  const rows = yield* database.read<{ readonly organization_id: string; readonly environment: string }>(sql.unsealedTenants, [cluster, running?.next ?? "0"])
  return rows.map((row) => ({ organizationId: row.organization_id, environment: row.environment } as Tenant))
})

/** A damaged log keeps no other log from being sealed. After this many failures in one pass it is probably the database that fails. */
const mostFailures = 3

const make = Effect.fnUntraced(function*(secrets: Secrets) {
  const database = yield* PgDatabase
  const sealTenant = Effect.fnUntraced(function*(tenant: Tenant, limit: number, keys: JournalKeys, cluster: string) {
    const sealed = { added: 0, waitedMillis: 0 }
    for (let more = true; more && sealed.added < limit;) {
      const batch = yield* database.transaction((tx) => sealBatch(tx, tenant, keys, cluster))
      sealed.added += batch.added
      sealed.waitedMillis = Math.max(sealed.waitedMillis, batch.waitedMillis)
      more = batch.more
    }
    return sealed
  })
  const sealAll = Effect.fnUntraced(function*(limit: number) {
    const cluster = yield* readCluster(database)
    const waiting = yield* tenantsToSeal(database, cluster)
    if (waiting.length === 0) return { added: 0, waitedMillis: 0 }
    const keys = yield* readJournalKeys(database, secrets)
    const failures: Array<Cause.Cause<StoreUnavailable>> = []
    let [added, waitedMillis] = [0, 0]
    for (const tenant of waiting) {
      const sealed = yield* Effect.exit(sealTenant(tenant, limit, keys, cluster))
      if (Exit.isSuccess(sealed)) {
        added += sealed.value.added
        waitedMillis = Math.max(waitedMillis, sealed.value.waitedMillis)
      } else {
        yield* Effect.logError("a journal log cannot be sealed", tenant)
        failures.push(sealed.cause)
      }
      if (failures.length >= mostFailures) break
    }
    const [failure] = failures
    return failure === undefined ? { added, waitedMillis } : yield* Effect.failCause(failure)
  })
  return JournalSealer.of({
    seal: Effect.fn("JournalSealer.seal")(function*({ limit }) {
      const sealed = yield* Effect.exit(sealAll(limit))
      yield* numberEvents(database, limit)
      return yield* sealed
    })
  })
})

/** Adds committed transitions to the logs. Any number of workers may do it at once (docs/adr/0084). */
export const layerJournalSealer = (secrets: Secrets): Layer.Layer<JournalSealer, never, PgDatabase> => Layer.effect(JournalSealer, make(secrets))
