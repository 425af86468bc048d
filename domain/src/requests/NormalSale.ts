import { Result } from "effect"
import type { Environment } from "../tenancy/Environment.ts"
import { faultAt, RequestFaults } from "./Fault.ts"
import { decodeFiscalDocumentRequest, type NormalSale } from "./FiscalDocumentRequest.ts"

/** Reads a Normal Sale; a copy of another ESIR's document is a fault here. @see {@link decodeFiscalDocumentRequest} */
export const decodeNormalSale = (
  body: unknown,
  context: { readonly environment: Environment }
): Result.Result<NormalSale, RequestFaults> =>
  Result.flatMap(decodeFiscalDocumentRequest(body, context), (request) =>
    request._tag === "NormalSale"
      ? Result.succeed(request)
      : Result.fail(new RequestFaults({ faults: [faultAt(["invoiceType"], "must be NORMAL")] })))
