import {
  type Attempt,
  type AttentionItem,
  type FiscalDocumentId,
  type KeyHolder,
  type KeyOwner,
  type KeyRole,
  nextStatus,
  type NotedChange,
  raisesDoubt,
  whileInDoubt,
  type OpenedAdvanceCase,
  type Operation,
  type OperatorsDeed,
  type OrganizationId,
  type RefundLedger,
  type Tenant,
  type Transition,
  type WorkflowId
} from "@overa/domain"
import { Context, DateTime, Layer, Result } from "effect"
import type { MemorySeries } from "./MemoryCounterWatch.ts"
import type { MemoryRefund } from "./refundEffects.ts"

/** Everything stored about one operation. */
export interface StoredOperation {
  operation: Operation
  attempts: Array<Attempt>
  transitions: Array<Transition>
  /** By the attempt's number: the V-PFR's answer where it was not a signed one. */
  answerTexts: Map<number, string>
  attention: Array<AttentionItem & { readonly at: Transition["at"]; readonly isAcknowledged: boolean }>
  /** Epoch milliseconds of the store's clock; null when nothing is leased. */
  leaseUntil: number | null
  nextCheckAt: number | null
  checks: number
}

/** The memory behind the stores, readable by tests and demonstrations. */
export class MemoryOperations extends Context.Service<MemoryOperations, {
  readonly byId: Map<FiscalDocumentId, StoredOperation>
  readonly byKey: Map<string, FiscalDocumentId>
  /** Refund workflows, and the ledgers of the receipts they give back. */
  readonly refunds: Map<WorkflowId, MemoryRefund>
  readonly ledgers: Map<FiscalDocumentId, RefundLedger>
  readonly cases: Map<WorkflowId, OpenedAdvanceCase>
  /** Keys that belong to no document, by `keyIn`: of cases and deliveries. */
  readonly owners: Map<string, KeyOwner>
  /** Counters of elements, and the numbers that were noted for them. */
  readonly counters: Map<string, MemorySeries>
  readonly noted: Set<string>
  /** What changed beside the documents and waits for its number as an event. */
  readonly changes: Array<{ readonly tenant: Tenant; readonly change: NotedChange }>
  /** The lines of the activity log that commits of this store wrote. */
  readonly deeds: Array<OperatorsDeed & { readonly subject: FiscalDocumentId }>
}>()("@overa/adapter-memory/MemoryOperations") {
  static readonly empty = (): MemoryOperations["Service"] => ({
    byId: new Map(),
    byKey: new Map(),
    refunds: new Map(),
    ledgers: new Map(),
    cases: new Map(),
    owners: new Map(),
    counters: new Map(),
    noted: new Set(),
    changes: [],
    deeds: []
  })
  static readonly layer = Layer.sync(MemoryOperations, MemoryOperations.empty)
}

export const keyIn = (key: { organizationId: OrganizationId; role: KeyRole; key: string }): string =>
  `${key.organizationId} ${key.role} ${key.key}`

/** Whether an item is open that says that there may be a receipt which the operation does not have. */
export const isInDoubt = ({ attention }: StoredOperation): boolean => attention.some((item) => raisesDoubt(item) && !item.isAcknowledged)

/** The operation as the store answers it. */
export const shown = (stored: StoredOperation): Operation => isInDoubt(stored) ? whileInDoubt(stored.operation) : stored.operation

/** Every stored operation as the store answers it. */
export const allShown = (memory: MemoryOperations["Service"]): ReadonlyArray<Operation> => [...memory.byId.values()].map(shown)

/** The holder of a key. */
export const holderOf = (memory: MemoryOperations["Service"], key: string): KeyHolder | undefined => {
  const id = memory.byKey.get(key)
  const stored = id === undefined ? undefined : memory.byId.get(id)
  return id === undefined ? memory.owners.get(key) : stored === undefined ? undefined : shown(stored)
}

export const keyOf = (holder: KeyHolder): string =>
  keyIn({ organizationId: holder.organizationId, ...holder.boundKey })

/** Writes an operator's act, where there is one, as a part of the commit that carries it out. */
export const recordDeed = (memory: MemoryOperations["Service"], subject: FiscalDocumentId, deed: OperatorsDeed | undefined): void => {
  if (deed !== undefined) memory.deeds.push({ ...deed, subject })
}

export const isTenants = (tenant: Tenant, operation: Operation): boolean =>
  operation.organizationId === tenant.organizationId && operation.environment === tenant.environment

export const utc = (millis: number): DateTime.Utc => DateTime.toUtc(DateTime.makeUnsafe(millis))

export const move = (
  stored: StoredOperation,
  change: { readonly event: Transition["cause"]; readonly at: Transition["at"]; readonly actor: string; readonly attempt: number },
  fields: Partial<Operation>
): boolean => {
  const from = stored.operation.status
  const to = nextStatus(from, change.event)
  if (Result.isFailure(to)) return false
  stored.operation = { ...stored.operation, ...fields, status: to.success, updatedAt: change.at }
  stored.transitions.push({ from, to: to.success, at: change.at, cause: change.event, actor: change.actor, attempt: change.attempt })
  return true
}

export const put = (memory: MemoryOperations["Service"], operation: Operation, rest: Omit<StoredOperation, "operation">): void => {
  memory.byKey.set(keyOf(operation), operation.id)
  memory.byId.set(operation.id, { operation, ...rest })
}
