import { Effect } from "effect"
import { JournalLog } from "../ports/JournalStore.ts"
import { KnownSigners } from "../ports/TaxAuthority.ts"
import { OperationHistory } from "../ports/OperationStore.ts"
import { documentProof } from "../proof/documentProof.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import { readDocument } from "./readOperation.ts"

/**
 * The proof of a tenant's document, whatever its status. The history is read after the document: a transition stored in between is in the history
 * although `document` does not show it yet, never the other way round.
 */
export const readProof = Effect.fn("readProof")(function*(tenant: Tenant, id: FiscalDocumentId) {
  const operation = yield* readDocument(tenant, id)
  const history = yield* OperationHistory
  const attempts = yield* history.attempts(tenant.organizationId, id)
  const evidence = operation.status === "REJECTED" ? yield* history.evidence(tenant.organizationId, id) : []
  const rejecting = attempts.findLast(({ outcome }) => outcome === "REJECTED")
  const transitions = yield* history.transitions(tenant, id)
  const journal = yield* (yield* JournalLog).entriesOf(tenant, id)
  const known = (yield* KnownSigners).inEnvironment(tenant.environment)
  const rejectionText = evidence.find(({ number }) => number === rejecting?.number)?.answerText ?? null
  return documentProof({ operation, attempts, transitions, rejectionText, known, journal })
})
