import type { ExternalCopy, NormalSale } from "../requests/FiscalDocumentRequest.ts"
import type { FiscalRequest } from "./road/FiscalRequest.ts"
import { issueExternalCopy } from "./issueExternalCopy.ts"
import { issueNormalSale } from "./issueNormalSale.ts"

/** What `POST /v1/fiscal-documents` issues: a Normal Sale, or a copy of another ESIR's document. */
export const issueFiscalDocument = (request: FiscalRequest, decoded: NormalSale | ExternalCopy) =>
  decoded._tag === "NormalSale" ? issueNormalSale(request, decoded) : issueExternalCopy(request, decoded)
