import { Effect, Result } from "effect"
import { mayBeSentAgain } from "../operations/afterFailure.ts"
import { decodeAdvanceCancellationRequest } from "../requests/AdvanceCancellationRequest.ts"
import { decodeAdvanceClosingRequest } from "../requests/AdvanceClosingRequest.ts"
import { decodeAdvancePaymentRequest } from "../requests/AdvancePaymentRequest.ts"
import { readBodyTree } from "../requests/bodyTree.ts"
import { decodeCopyRequest } from "../requests/CopyRequest.ts"
import { faultAt, RequestFaults } from "../requests/Fault.ts"
import { decodeFiscalDocumentRequest } from "../requests/FiscalDocumentRequest.ts"
import { decodeProformaTrainingRequest } from "../requests/ProformaTrainingRequest.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId, WorkflowId } from "../tenancy/identifiers.ts"
import { addAdvancePayment } from "./advances/addAdvancePayment.ts"
import { cancelAdvanceSale } from "./advances/cancelAdvanceSale.ts"
import { closeAdvanceCase } from "./advances/closeAdvanceCase.ts"
import { issueCopy } from "./issueCopy.ts"
import { issueFiscalDocument } from "./issueFiscalDocument.ts"
import { issueProformaTraining } from "./issueProformaTraining.ts"
import type { KeyedRequest } from "./issuing/issueUnderKey.ts"
import { readDocument } from "./readOperation.ts"

const target = /^POST \/v1\/(?<resource>[a-z-]+)(?:\/(?<id>[0-9a-f-]{36})\/(?<part>[a-z]+))?$/i

const unreadable = () => new RequestFaults({ faults: [faultAt([], "is a stored request that this release cannot read")] })

/** The request of a document as it was received. The stored content is what is sent; the checks are those of a first attempt (Decisions §3). */
const sameRequest = Effect.fnUntraced(function*(request: KeyedRequest) {
  const { body, target: asked } = request.boundKey
  const { id = "", part = "", resource = "" } = target.exec(asked)?.groups ?? {}
  const tree = yield* Result.match(readBodyTree(body), { onFailure: unreadable, onSuccess: Effect.succeed })
  const context = { environment: request.tenant.environment }
  const caseId = id as WorkflowId
  switch (`${resource}/${part}`) {
    case "fiscal-documents/":
      return yield* issueFiscalDocument(request, yield* Effect.fromResult(decodeFiscalDocumentRequest(tree, context)))
    case "fiscal-documents/copies":
      return yield* issueCopy(request, id as FiscalDocumentId, yield* Effect.fromResult(decodeCopyRequest(tree)))
    case "proforma-training-workflows/":
      return yield* issueProformaTraining(request, yield* Effect.fromResult(decodeProformaTrainingRequest(tree, context)))
    case "advance-cases/payments":
      return yield* addAdvancePayment(request, caseId, yield* Effect.fromResult(decodeAdvancePaymentRequest(tree, context)))
    case "advance-cases/cancellations":
      return yield* cancelAdvanceSale(request, caseId, yield* Effect.fromResult(decodeAdvanceCancellationRequest(tree)))
    case "advance-cases/closing":
      return yield* closeAdvanceCase(request, caseId, yield* Effect.fromResult(decodeAdvanceClosingRequest(tree, context)))
    default:
      return yield* unreadable()
  }
})

/**
 * A person has a document that was not signed sent again: the identical request under its own key, whoever sent it first, so that neither the person nor
 * the shop can make a second receipt of it. Does nothing where `mayBeSentAgain` says no; of several at once, one sends. Fails as the operation of its
 * kind does.
 *
 * @returns The document as it is afterwards.
 */
export const sendAgain = Effect.fn("sendAgain")(function*(
  tenant: Tenant,
  id: FiscalDocumentId,
  by: { readonly clientId: string; readonly callerGone: AbortSignal }
) {
  const found = yield* readDocument(tenant, id)
  if (!mayBeSentAgain(found)) return found
  yield* sameRequest({ tenant, clientId: by.clientId, callerGone: by.callerGone, boundKey: found.boundKey })
  return yield* readDocument(tenant, id)
})
