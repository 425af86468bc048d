import {
  checkTurnoverSize,
  compareInJournal,
  isBehindCursor,
  journalLineOf,
  journalPage,
  JournalStore,
  matchesJournalFilter,
  matchesTurnoverQuery,
  type JournalFilter,
  JournalUpkeep,
  type Operation,
  salesAndRefunds,
  type Tenant,
  turnover,
  type TurnoverQuery
} from "@overa/domain"
import { Effect, Layer } from "effect"
import { allShown, MemoryOperations } from "./MemoryOperations.ts"

const labelsOf = (operations: ReadonlyArray<Operation>): ReadonlyArray<string> =>
  [...new Set(operations.flatMap(({ content }) => content.items.flatMap(({ taxLabels }) => taxLabels)))].sort()

/** The journal over the operations in memory. */
export const layerJournalStore: Layer.Layer<JournalStore, never, MemoryOperations> = Layer.effect(
  JournalStore,
  Effect.gen(function*() {
    const memory = yield* MemoryOperations
    const ofTenant = (tenant: Tenant): ReadonlyArray<Operation> =>
      allShown(memory).filter(({ environment, organizationId }) => organizationId === tenant.organizationId && environment === tenant.environment)
    const matching = (tenant: Tenant, filter: JournalFilter): ReadonlyArray<Operation> =>
      ofTenant(tenant).filter((operation) => matchesJournalFilter(filter, operation)).toSorted(compareInJournal)
    const counted = (tenant: Tenant, query: TurnoverQuery): ReadonlyArray<Operation> => ofTenant(tenant).filter((operation) => matchesTurnoverQuery(query, operation))
    return JournalStore.of({
      page: (tenant, filter, { cursor, pageSize }) =>
        Effect.sync(() => journalPage(matching(tenant, filter).filter((operation) => isBehindCursor(operation, cursor)), pageSize)),
      select: (tenant, filter, most) => Effect.sync(() => matching(tenant, filter).slice(0, most).map(({ id }) => id)),
      labels: (tenant, ids) =>
        Effect.sync(() => {
          const asked = new Set(ids)
          return labelsOf(ofTenant(tenant).filter(({ id }) => asked.has(id)))
        }),
      lines: (tenant, ids) =>
        Effect.sync(() => {
          const byId = new Map(ofTenant(tenant).map((operation) => [operation.id, operation]))
          return ids.flatMap((id) => byId.get(id) ?? []).map(journalLineOf)
        }),
      turnover: (tenant, query) =>
        Effect.suspend(() => {
          const rows = turnover(counted(tenant, query), query.groupBy)
          return Effect.as(Effect.fromResult(checkTurnoverSize(rows.length)), rows)
        }),
      salesAndRefunds: (tenant, query) =>
        Effect.suspend(() => {
          const report = salesAndRefunds(counted(tenant, query), query.groupBy)
          return Effect.as(Effect.fromResult(checkTurnoverSize(report.rows.length)), report)
        })
    })
  })
)

/** In memory there is nothing to maintain. */
export const layerJournalUpkeep: Layer.Layer<JournalUpkeep> = Layer.succeed(JournalUpkeep, JournalUpkeep.of({ advance: () => Effect.succeed(0) }))
