import type { DateTime } from "effect"
import type { BoundKey, Operation } from "../operations/Operation.ts"
import type { Buyer } from "../parties/Buyer.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { BusinessPremiseId, OrganizationId, TaxpayerId, WorkflowId } from "../tenancy/identifiers.ts"
import type { ExternalAdvance } from "./AdvanceCase.ts"

/**
 * An advance case as it was opened. These fields never change; everything else about the case is derived from its documents. Source: Decisions §5,
 * Advance case.
 */
export interface OpenedAdvanceCase {
  readonly id: WorkflowId
  readonly organizationId: OrganizationId
  readonly environment: Environment
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly clientId: string
  /** The key of the request that opened it. */
  readonly boundKey: BoundKey
  readonly clientReference: string
  readonly buyer: Buyer | null
  readonly externalAdvance: ExternalAdvance | null
  readonly createdAt: DateTime.Utc
}

/** A case with its documents, every attempt, in the order they were reserved. */
export interface StoredAdvanceCase {
  readonly opened: OpenedAdvanceCase
  readonly documents: ReadonlyArray<Operation>
}
