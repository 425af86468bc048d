import { type BookDocument, BookDocuments, type FiscalDocumentId, type Month, type TaxpayerId, type Tenant } from "@overa/domain"
import { type DateTime, Effect, Layer } from "effect"
import { bookColumns, type BookRow, decodeBookDocument } from "./journal/bookRows.ts"
import { byIdsWithinBytes, inOrderOf } from "./journal/byIds.ts"
import { dateOf } from "./journal/journalConditions.ts"
import { inParts } from "./inParts.ts"
import { hidesStatus } from "./operations/inDoubt.ts"
import { raisingUnreadable } from "./operations/raise.ts"
import { PgDatabase } from "./PgDatabase.ts"

/** The bytes of the contents that one statement reads, or one larger content: a body may have a megabyte. */
const bytesAtOnce = 1_048_576

const documentsByIds = byIdsWithinBytes(bookColumns, "content")

/** $1 organization, $2 environment, $3 taxpayer, $4 from, $5 to, $6 most. By the indexes of PFR times and of rare statuses. */
const signedInMonth = `select operation_id from operations
  where organization_id = $1 and environment = $2 and sdc_time >= $4 and sdc_time < $5 and taxpayer_id = $3 and status = 'FISCALIZED'
  order by sdc_time, created_at, operation_id limit $6`
const rejectedInMonth = `select o.operation_id from operations o
  where o.organization_id = $1 and o.environment = $2 and o.status = 'REJECTED' and o.status not in ('FISCALIZED', 'SUBMITTING')
    and o.created_at >= $4 and o.created_at < $5 and o.taxpayer_id = $3 and not ${hidesStatus("o")}
  order by o.created_at, o.operation_id limit $6`

/** $1 organization, $2 environment, $3 taxpayer, $4 before, $5 most. A document outside a case is a case of its own. */
const advancesOfOpenCases = `with advances as materialized (
    select operation_id, coalesce(workflow_id, operation_id) as case_id, sdc_time, case transaction_type when 'REFUND' then -total_amount else total_amount end as amount
    from operations where organization_id = $1 and environment = $2 and taxpayer_id = $3 and status = 'FISCALIZED' and invoice_type = 'ADVANCE' and sdc_time < $4)
  select a.operation_id from advances a
  where a.case_id in (select s.case_id from advances s group by s.case_id having sum(s.amount) <> 0)
  order by a.sdc_time, a.operation_id limit $5`

const make = Effect.gen(function*() {
  const database = yield* PgDatabase
  const idsOf = (name: string, sql: string) =>
    Effect.fn(name)(function*({ environment, organizationId }: Tenant, taxpayerId: TaxpayerId, { from, to }: Month, most: number) {
      const rows = yield* database.read<{ readonly operation_id: FiscalDocumentId }>(sql, [organizationId, environment, taxpayerId, dateOf(from), dateOf(to), most])
      return rows.map(({ operation_id }) => operation_id)
    }, database.inTurn)
  return BookDocuments.of({
    read: Effect.fn("BookDocuments.read")(function*(tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) {
      const { environment, organizationId } = tenant
      const found: Array<BookDocument> = []
      for (let left = ids; left.length > 0;) {
        const asked = left
        const reading = database.read<BookRow>(documentsByIds, [organizationId, environment, asked, bytesAtOnce])
        const read = yield* inParts(reading, (rows) => inOrderOf(asked, rows).map(decodeBookDocument)).pipe(raisingUnreadable(database, organizationId))
        found.push(...read)
        const last = read.at(-1)
        left = last === undefined ? [] : asked.slice(asked.indexOf(last.id) + 1)
      }
      return found
    }, database.inTurn, database.keyed.confirmed),
    signed: idsOf("BookDocuments.signed", signedInMonth),
    rejected: idsOf("BookDocuments.rejected", rejectedInMonth),
    openAdvances: Effect.fn("BookDocuments.openAdvances")(function*({ environment, organizationId }: Tenant, taxpayerId: TaxpayerId, before: DateTime.Utc, most: number) {
      const rows = yield* database.read<{ readonly operation_id: string }>(advancesOfOpenCases, [organizationId, environment, taxpayerId, dateOf(before), most])
      return rows.map(({ operation_id }) => operation_id as FiscalDocumentId)
    }, database.inTurn)
  })
})

/** What the month's book of every tenant reads. */
export const layerBookDocuments: Layer.Layer<BookDocuments, never, PgDatabase> = Layer.effect(BookDocuments, make)
