import type { Attempt } from "../operations/Operation.ts"
import type { SecurityElement } from "../tenancy/SecurityElement.ts"
import type { KeptFile, KeptProof } from "./KeptFile.ts"

/** An element of the tenant, and the TIN of its certificate as it is signed. */
export interface UsableElement {
  readonly id: SecurityElement["id"]
  readonly jid: string
  readonly taxpayerId: SecurityElement["taxpayerId"]
  readonly tin: string
}

/** The attempts of which there may be a receipt, numbered from 1, and the digest of the request they were made for. */
export interface TriedRequest {
  readonly attempts: readonly [Attempt, ...ReadonlyArray<Attempt>]
  readonly fingerprint: string
}

const unknown: ReadonlySet<string> = new Set(["SUBMITTING", "OUTCOME_UNKNOWN", "RECONCILING"])

/** Whether the document in a kept file had an unknown outcome, or was in flight. */
export const hasUnknownOutcome = ({ status }: KeptFile["document"]): boolean => unknown.has(status)

type KeptAttempt = KeptProof["attempts"][number]

const mayHaveReceipt = ({ outcome }: KeptAttempt): boolean => outcome !== "NOT_SENT" && outcome !== "REJECTED"

/** The attempts of which there may be a receipt; of a receipt at least the last one. None where there is no receipt to search for. */
const attemptsOf = ({ attempts, document }: KeptProof): ReadonlyArray<KeptAttempt> => {
  if (document.status !== "FISCALIZED") return hasUnknownOutcome(document) ? attempts.filter(mayHaveReceipt) : []
  const searched = attempts.filter(mayHaveReceipt)
  return searched.length === 0 ? attempts.slice(-1) : searched
}

/** Null where there is nothing to search for with the tenant's element; `differs` where the receipt was signed for another element's attempt. */
export const triedWith = (proof: KeptProof, element: UsableElement): { readonly tried: TriedRequest | null; readonly differs: boolean } => {
  const all = attemptsOf(proof)
  const own = all.filter(({ jid }) => jid === element.jid)
  const differs = all.some(({ jid, outcome }) => outcome === "SIGNED" && jid !== element.jid) || (all.length > 0 && own.length === 0)
  const [first, ...others] = own.filter(({ requestId }, at) => own.findIndex((other) => other.requestId === requestId) === at)
  if (first === undefined || differs) return { tried: null, differs }
  const made = ({ jid, requestId, startedAt }: KeptAttempt, number: number): Attempt => ({
    operationId: proof.document.id, number, requestId, mark: null, elementId: element.id, jid, hostId: "restored", bootId: "restored", startedAt, outcome: null, lastSearch: null
  })
  return { tried: { attempts: [made(first, 1), ...others.map((other, at) => made(other, at + 2))], fingerprint: proof.request.fingerprint }, differs }
}
