import { FiscalDocumentId, FiscalDocumentNotFound } from "@overa/domain"
import { Result } from "effect"
import type { Call } from "../http/Operation.ts"
import { pathId } from "../http/pathId.ts"

/** The document in the path; a text that is no UUID is answered like an unknown id (Decisions §1). */
export const fiscalDocumentId = (call: Call): Result.Result<FiscalDocumentId, FiscalDocumentNotFound> => {
  const asked = call.params["fiscalDocumentId"] ?? ""
  const id = pathId(asked)
  return id === null ? Result.fail(new FiscalDocumentNotFound({ fiscalDocumentId: asked })) : Result.succeed(FiscalDocumentId.make(id))
}
