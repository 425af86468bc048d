import { Context, type Effect, type Option } from "effect"
import type { Operation } from "../operations/Operation.ts"
import type { SourceRefund } from "../proforma-training/sourceClaim.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId, WorkflowId } from "../tenancy/identifiers.ts"
import type { Reservation, Reserved } from "./OperationStore.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/**
 * Proforma and training documents. A workflow is its one document; the only other stored fact is which sale a refund claims. Concluding the document
 * (through `OperationStore.conclude`) frees the sale if it was rejected, in the same commit (Decisions §5).
 */
export class ProformaTrainingDocuments extends Context.Service<ProformaTrainingDocuments, {
  /**
   * Commit 1. A refund claims its source in the same commit, so of any number of concurrent refunds only one is stored. The others get
   * `SourceClaimed` with the refund that has the claim, and nothing of them is stored. Idempotent by operation id.
   */
  readonly reserve: (
    reservation: Reservation
  ) => Effect.Effect<Reserved | { readonly _tag: "SourceClaimed"; readonly by: SourceRefund }, StoreUnavailable>
  /** The stored refunds of a sale, including failed ones. */
  readonly refundsOf: (tenant: Tenant, sourceId: FiscalDocumentId) => Effect.Effect<ReadonlyArray<SourceRefund>, StoreUnavailable>
  /** The document of a workflow. */
  readonly get: (tenant: Tenant, id: WorkflowId) => Effect.Effect<Option.Option<Operation>, StoreUnavailable>
}>()("@overa/domain/ports/ProformaTrainingDocuments") {}
