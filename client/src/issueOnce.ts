import type { FiscalizedDocument, Operations } from "./contract.ts"
import { DocumentRejected, OutcomeUnknown, RequestRefused } from "./errors.ts"
import type { OveraClient } from "./OveraClient.ts"

/** The stored state of an order's receipt. */
export interface OrderProgress {
  readonly key: string
  /** The document whose outcome was unknown when it was last read. */
  readonly documentId: string | null
}

/** The shop's storage of the state with the order. Each method resolves only when the state would survive a restart of the shop. */
export interface OrderMemory {
  /** Stores the key unless the order has one already, and answers what is stored: two processes at once get the same. */
  readonly begin: (key: string) => Promise<OrderProgress>
  /** Stores which document of the key must be watched; null when there is none. */
  readonly watch: (key: string, documentId: string | null) => Promise<void>
  /** Removes the key, if it is still the order's: the next receipt uses a new one. */
  readonly forget: (key: string) => Promise<void>
}

type Sale = Operations["issueFiscalDocument"]["body"]

/**
 * One receipt for one order. In every case, calling it again continues where it stopped: the key is stored before the request is sent, and is removed
 * only when its operation certainly issued nothing (Spec, Client handling rules 7).
 */
export const issueOnce = async (client: OveraClient, body: Sale, memory: OrderMemory, signal?: AbortSignal): Promise<FiscalizedDocument> => {
  for (;;) {
    const kept = await memory.begin(client.newKey())
    const document = kept.documentId === null
      ? await send(client, body, kept.key, memory, signal)
      : await outcomeOf(client, { key: kept.key, documentId: kept.documentId }, memory, signal)
    if (document !== null) return document
  }
}

/** Sends under the key. Null when the state must be read again: the outcome was awaited, or the next round uses a new key. */
const send = async (client: OveraClient, body: Sale, key: string, memory: OrderMemory, signal?: AbortSignal) => {
  try {
    return await client.sale(body, key).send(signal)
  } catch (error) {
    if (error instanceof OutcomeUnknown) {
      await memory.watch(key, error.document.id)
      return null
    }
    if (error instanceof DocumentRejected) await memory.forget(key)
    const earlier = earlierOperation(error)
    if (earlier === null) throw error
    // The order was changed after its key was used: a new key only where the earlier request certainly issued nothing.
    const operation = await client.untilResolved(earlier, signal)
    if (operation.status === "FISCALIZED") throw error
    await memory.forget(key)
    return null
  }
}

const earlierOperation = (error: unknown): string | null =>
  error instanceof RequestRefused && error.facts.code === "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST" ? error.facts.operationId : null

/** The receipt of an operation that was unknown, or null: nothing was issued, and the same request may be sent. */
const outcomeOf = async (
  client: OveraClient,
  { documentId, key }: { readonly key: string; readonly documentId: string },
  memory: OrderMemory,
  signal?: AbortSignal
) => {
  const { document } = await client.untilResolved(documentId, signal)
  if (document.status === "FISCALIZED") return document
  if (document.status === "REJECTED") {
    await memory.forget(key)
    throw new DocumentRejected(document)
  }
  await memory.watch(key, null)
  return null
}
