import { Effect, Result } from "effect"
import type { TriedSale } from "../elsewhere/compareTrial.ts"
import { decodeFiscalDocumentRequest } from "../requests/FiscalDocumentRequest.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"
import { dryRunFiscalDocument } from "./dryRunFiscalDocument.ts"

/** What became of a request that was tried: the sale as this service would have it signed, or why it would be refused. */
export interface SaleTrial {
  /** Null where the request cannot be read as a sale. */
  readonly sale: TriedSale | null
  /** The code of the refusal, and what is wrong; null where the sale would be signed. */
  readonly refused: { readonly code: string; readonly detail: string } | null
}

const refusal = (code: string, detail: string, sale: TriedSale | null = null): SaleTrial => ({ sale, refused: { code, detail } })

/** What is shown of a request's faults. */
const mostFaults = 3

interface Refusing {
  readonly _tag?: string
  readonly code?: string
  readonly faults?: ReadonlyArray<{ readonly pointer: string; readonly message: string }>
}

const faultsOf = ({ faults = [] }: Refusing): string => faults.slice(0, mostFaults).map(({ message, pointer }) => `${pointer}: ${message}`).join("; ")

/**
 * Tries a request of the shop's by dry run, as the request of this taxpayer: nothing is stored and nothing is sent. Fails only where the store fails; a refusal
 * is an answer. `body` is what the JSON reader of the service has read.
 */
export const trySale = Effect.fn("trySale")(function*(tenant: Tenant, taxpayerId: TaxpayerId, body: unknown) {
  const decoded = decodeFiscalDocumentRequest(body, { environment: tenant.environment })
  if (Result.isFailure(decoded)) return refusal("REQUEST_INVALID", faultsOf(decoded.failure))
  const request = decoded.success
  if (request._tag !== "NormalSale") return refusal("NOT_A_SALE", "only sales are compared")
  const sale: TriedSale = { items: request.items, payments: request.payments, buyerId: request.buyer?.id ?? null, taxes: null }
  if (request.taxpayerId !== taxpayerId) return refusal("OTHER_TAXPAYER", request.taxpayerId, sale)
  const tried = yield* Effect.result(dryRunFiscalDocument(tenant, request))
  if (Result.isSuccess(tried)) return { sale: { ...sale, taxes: tried.success.taxes }, refused: null } satisfies SaleTrial
  const error = tried.failure as Refusing
  if (error._tag === "RequestFaults") return refusal("REQUEST_INVALID", faultsOf(error), sale)
  return error.code === undefined ? yield* Effect.fail(tried.failure) : refusal(error.code, "", sale)
})
