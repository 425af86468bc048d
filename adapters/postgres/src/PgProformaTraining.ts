import {
  claimsSource,
  type FiscalDocumentId,
  type Operation,
  ProformaTrainingDocuments,
  proformaTrainingStatus,
  type Reservation,
  type Reserved,
  type SourceRefund,
  statusInDoubt,
  type Tenant,
  type WorkflowId
} from "@overa/domain"
import { Data, Effect, Layer, Option } from "effect"
import { constraints } from "./constraints.ts"
import { operationById, readKeyHolder } from "./operations/readers.ts"
import { reserveInTransaction } from "./operations/reserve.ts"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"
import { PgFailure } from "./PgFailure.ts"
import { decodeOperation, type OperationRow } from "./rows/OperationRow.ts"

const insertWorkflow = `insert into proforma_training_documents
    (organization_id, workflow_id, environment, operation_id, source_id, claim) values ($1, $2, $3, $4, $5, $6)`
export const workflowInTenant = `select operation_id from proforma_training_documents
  where organization_id = $1 and workflow_id = $2 and environment = $3`
export const refundsOfSource = `select d.workflow_id, o.status, o.in_doubt from proforma_training_documents d
  cross join lateral (
    select status, in_doubt, created_at from operations where organization_id = $1 and operation_id = d.operation_id offset 0) o
  where d.organization_id = $1 and d.source_id = $2 order by o.created_at, d.workflow_id`

/** The source has a refund that is in flight or completed. */
class SourceIsClaimed extends Data.TaggedError("SourceIsClaimed")<{}> {}

const taken = Effect.fnUntraced(function*(statements: PgStatements, operation: Operation) {
  const existing = yield* readKeyHolder(statements, operation)
  if (existing === null) return yield* Effect.die(new Error(`Operation ${operation.id} exists under another key`))
  const answer: Reserved = existing.id === operation.id ? { _tag: "Reserved" } : { _tag: "KeyTaken", existing }
  return answer
})

const store = Effect.fnUntraced(
  function*(statements: PgStatements, reservation: Reservation) {
    const { operation } = reservation
    if (!(yield* reserveInTransaction(statements, reservation))) return yield* taken(statements, operation)
    const isRefund = operation.content.transactionType === "REFUND"
    yield* statements.query(insertWorkflow, [
      operation.organizationId,
      operation.workflow?.id ?? null,
      operation.environment,
      operation.id,
      isRefund ? operation.content.reference?.fiscalDocumentId ?? null : null,
      isRefund ? "HELD" : "NONE"
    ])
    const reserved: Reserved = { _tag: "Reserved" }
    return reserved
  },
  // The violation ends the transaction; nothing of it is stored.
  Effect.catchIf(
    (failure) => failure instanceof PgFailure && failure.constraint === constraints.proformaTrainingSource,
    () => Effect.fail(new SourceIsClaimed())
  )
)

interface RefundRow {
  readonly workflow_id: string
  readonly status: Operation["status"]
  readonly in_doubt: boolean
}

/** How often a claim may be released between the violation and the next read before the store is called unavailable. */
const mostTries = 5

const make = Effect.gen(function*() {
  const { keyed, transaction } = yield* PgDatabase
  const refundsOf = (organizationId: string, sourceId: string) =>
    Effect.map(keyed.confirmed(keyed.read<RefundRow>(refundsOfSource, [organizationId, sourceId]), { organizationId }), (rows): ReadonlyArray<SourceRefund> =>
      rows.map((row) => ({ workflowId: row.workflow_id as WorkflowId, status: proformaTrainingStatus(row.in_doubt ? statusInDoubt(row.status) : row.status) })))

  const reserve = Effect.fn("ProformaTrainingDocuments.reserve")(function*(reservation: Reservation) {
    const { content, organizationId } = reservation.operation
    for (let tries = 1;; tries += 1) {
      const reserved = yield* transaction((statements) => store(statements, reservation)).pipe(
        Effect.catchTag("SourceIsClaimed", () => Effect.succeed(null))
      )
      if (reserved !== null) return yield* keyed.confirmed(Effect.succeed(reserved), { organizationId })
      const refunds = yield* refundsOf(organizationId, content.reference?.fiscalDocumentId ?? "")
      const by = refunds.find(claimsSource)
      if (by !== undefined) return { _tag: "SourceClaimed", by } as const
      // Released meanwhile: the source may be claimed after all.
      if (tries === mostTries) return yield* Effect.die(new Error("a source was claimed and freed again and again"))
    }
  })

  return ProformaTrainingDocuments.of({
    reserve,
    refundsOf: (tenant: Tenant, sourceId: FiscalDocumentId) => refundsOf(tenant.organizationId, sourceId),
    get: Effect.fn("ProformaTrainingDocuments.get")(function*(tenant: Tenant, id: WorkflowId) {
      const { environment, organizationId } = tenant
      const [workflow] = yield* keyed.read<{ readonly operation_id: string }>(workflowInTenant, [organizationId, id, environment])
      if (workflow === undefined) return Option.none<Operation>()
      const [row] = yield* keyed.read<OperationRow>(operationById, [organizationId, workflow.operation_id])
      return Option.map(Option.fromUndefinedOr(row), decodeOperation)
    }, keyed.confirmed)
  })
})

/** Proforma and training documents; concluded through `PgOperationStore`, which frees a rejected refund's source in the same commit. */
export const layerProformaTraining: Layer.Layer<ProformaTrainingDocuments, never, PgDatabase> = Layer.effect(ProformaTrainingDocuments, make)
