import { portableSha256 } from "../idempotency/boundKey.ts"
import { isCarriedOnByService } from "./carriedOnByService.ts"
import type { Attempt, Operation } from "./Operation.ts"

/** The facts of a document that stay the same when its row is lost and made again. */
export type DerivedFrom = Pick<Operation, "boundKey" | "content" | "environment" | "organizationId" | "workflow">

/** Begins what is hashed, so that no other hash of the service has the same input. */
const namespace = "overa/request-id/1"

/**
 * The RequestId of an attempt of a document that the service itself sends: the first 32 hex digits of the SHA-256 of a JSON list: the namespace above,
 * organization, environment, key role, key, the number of the receipt that the document refers to, and a number from 1. After a restore the service can
 * compute which RequestIds the lost future has sent, even if the document's row, and with it its id, is lost. Null for documents of callers, and while
 * the referenced receipt is not known. Source: docs/adr/0121.
 *
 * @example derivedRequestId(copy, 1) // "0b6e…", the same in each process and after each restore
 */
export const derivedRequestId = (document: DerivedFrom, serial: number): string | null => {
  const { boundKey: { key, role }, content: { reference }, environment, organizationId } = document
  if (!isCarriedOnByService(document) || reference === null) return null
  return portableSha256(JSON.stringify([namespace, organizationId, environment, role, key, reference.pfrNumber, serial])).slice(0, 32)
}

/**
 * The RequestIds of a document's next attempts, beginning with that of attempt `number`; ids that stored attempts have are left out. None where the
 * document's RequestIds are not derived.
 */
export const nextRequestIds = (
  document: DerivedFrom,
  number: number,
  stored: ReadonlyArray<Pick<Attempt, "requestId">>,
  count: number
): ReadonlyArray<string> => {
  const taken = new Set(stored.map(({ requestId }) => requestId))
  const ids: Array<string> = []
  for (let serial = number; ids.length < count && serial < number + count + taken.size; serial++) {
    const id = derivedRequestId(document, serial)
    if (id === null) return []
    if (!taken.has(id)) ids.push(id)
  }
  return ids
}

/** Three weeks in which an attempt fails each hour; a document with more has its older attempts searched for by a person. */
const mostAttempts = 512

/**
 * The RequestIds that attempts of the document can have; null where they are not derived, and each can be its own. An attempt with another one is of
 * another document that had its key before a restore: it refers to another receipt.
 */
export const possibleRequestIds = (document: DerivedFrom): ReadonlySet<string> | null => {
  const ids = nextRequestIds(document, 1, [], mostAttempts)
  return ids.length === 0 ? null : new Set(ids)
}

/**
 * What a store does with an attempt that it lost and gets back. `ADD`: as the operation's next one. `NOTHING`: it is stored. `SEARCH`: another process's
 * attempt with the same derived RequestId is searched for in its place. `USE_UP`: the same, and that process still sends: the next number is used up, so
 * that what it says of its own attempt alone ends nothing.
 */
export const giveBack = (
  { attempt: number, status }: Pick<Operation, "attempt" | "status">,
  stored: ReadonlyArray<Attempt>,
  lost: Attempt
): { readonly _tag: "ADD" | "NOTHING" | "USE_UP" } | { readonly _tag: "SEARCH"; readonly number: number } => {
  const same = stored.find(({ requestId }) => requestId === lost.requestId)
  if (same === undefined) return { _tag: "ADD" }
  if (isSameAttempt(same, lost) || same.outcome === "SIGNED") return { _tag: "NOTHING" }
  return status === "SUBMITTING" && same.number === number ? { _tag: "USE_UP" } : { _tag: "SEARCH", number: same.number }
}

/** Whether two attempts are the same one: the same RequestId, stored by the same process. */
export const isSameAttempt = (one: Pick<Attempt, "mark" | "requestId">, other: Pick<Attempt, "mark" | "requestId">): boolean =>
  one.requestId === other.requestId && one.mark === other.mark
