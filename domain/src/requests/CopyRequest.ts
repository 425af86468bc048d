import { Result, Schema } from "effect"
import type { Metadata } from "../documents/DocumentContent.ts"
import type { Cashier } from "../parties/Buyer.ts"
import { cashierField, optionalMutationFields, toCashier, toPrintAndMetadata } from "./commonFields.ts"
import { requestDecoder } from "./decodeRequest.ts"
import type { RequestFaults } from "./Fault.ts"

/** The body of `POST /v1/fiscal-documents/{id}/copies`. Source: Decisions §5, Copies. */
export const CopyShape = Schema.Struct({ cashier: cashierField, ...optionalMutationFields }).annotate({
  identifier: "CopyRequest",
  description: "A copy of a document this service issued."
})

/** A copy to issue; what is null is taken from the source, except the footer and metadata, which are the copy's own. */
export interface CopyRequest {
  readonly cashier: Cashier
  readonly clientReference: string | null
  readonly commercialFooter: string | null
  readonly metadata: Metadata | null
}

const decode = requestDecoder(CopyShape)

export const decodeCopyRequest = (body: unknown): Result.Result<CopyRequest, RequestFaults> =>
  Result.map(decode(body), (copy) => ({
    cashier: toCashier(copy.cashier),
    clientReference: copy.clientReference ?? null,
    ...toPrintAndMetadata(copy)
  }))
