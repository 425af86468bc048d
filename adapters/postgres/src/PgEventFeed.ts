import { changeEvent, type DocumentChangeType, EventFeed, type FiscalDocumentId, notedEvent, type NotedType, type Tenant, type WorkflowLink } from "@overa/domain"
import { Effect, Layer } from "effect"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"
import { utc } from "./rows/OperationRow.ts"

/** $1 organization, $2 environment. */
export const lastEvent = "select sequence from event_heads where organization_id = $1 and environment = $2"

/** $1 organization, $2 environment, $3 from this sequence on, $4 rows. */
export const eventsFrom = `select e.sequence, e.type, e.at, e.position, e.source, e.subject_id, e.operation_id, o.workflow_type, o.workflow_id, o.client_reference, o.invoice_number
from (select * from events where organization_id = $1 and environment = $2 and sequence >= $3 order by sequence limit $4) e
left join lateral (
    select operation_id, workflow_type, workflow_id, client_reference, invoice_number from operations
    where organization_id = $1 and operation_id = e.operation_id offset 0) o on true
order by e.sequence`

interface AnyRow {
  readonly sequence: bigint
  readonly at: Date
  readonly operation_id: string | null
  readonly client_reference: string | null
}

interface DocumentRow extends AnyRow {
  readonly source: null
  readonly type: DocumentChangeType
  readonly position: number
  readonly operation_id: string
  readonly workflow_type: WorkflowLink["type"] | null
  readonly workflow_id: string | null
  readonly client_reference: string
  readonly invoice_number: string | null
}

interface NotedEventRow extends AnyRow {
  readonly source: string
  readonly type: NotedType
  readonly subject_id: string
}

type EventRow = DocumentRow | NotedEventRow

const documentEventOf = (tenant: Tenant, row: DocumentRow) =>
  changeEvent(tenant, {
    sequence: Number(row.sequence),
    type: row.type,
    at: utc(row.at),
    documentId: row.operation_id as FiscalDocumentId,
    position: row.position,
    workflow: row.workflow_type === null || row.workflow_id === null ? null : { type: row.workflow_type, id: row.workflow_id as WorkflowLink["id"] },
    clientReference: row.client_reference,
    invoiceNumber: row.invoice_number
  })

const notedEventOf = (tenant: Tenant, row: NotedEventRow) =>
  notedEvent(tenant, {
    sequence: Number(row.sequence),
    type: row.type,
    at: utc(row.at),
    source: row.source,
    subjectId: row.subject_id,
    documentId: row.operation_id as FiscalDocumentId | null,
    clientReference: row.client_reference
  })

const eventOf = (tenant: Tenant, row: EventRow) => row.source === null ? documentEventOf(tenant, row) : notedEventOf(tenant, row)

/** The events from a sequence on, in a transaction. */
export const readEventsFrom = (tx: PgStatements, tenant: Tenant, from: number, limit: number) =>
  Effect.map(tx.query<EventRow>(eventsFrom, [tenant.organizationId, tenant.environment, from, limit]), (rows) => rows.map((row) => eventOf(tenant, row)))

/** The events that the sealer has numbered. */
export const layerEventFeed: Layer.Layer<EventFeed, never, PgDatabase> = Layer.effect(
  EventFeed,
  Effect.gen(function*() {
    const { keyed } = yield* PgDatabase
    return EventFeed.of({
      page: Effect.fn("EventFeed.page")(function*(tenant, { after, limit }) {
        const scope = [tenant.organizationId, tenant.environment]
        const rows = yield* keyed.read<EventRow>(eventsFrom, [...scope, after, limit + 1])
        const [head] = yield* keyed.read<{ readonly sequence: bigint }>(lastEvent, scope)
        const events = rows.map((row) => eventOf(tenant, row))
        return {
          afterId: events.find(({ sequence }) => sequence === after)?.id ?? null,
          items: events.filter(({ sequence }) => sequence > after).slice(0, limit),
          last: Number(head?.sequence ?? 0)
        }
      }, keyed.confirmed)
    })
  })
)
