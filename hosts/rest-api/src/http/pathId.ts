import { AdvanceCaseNotFound, FiscalDocumentId, FiscalDocumentNotFound, WorkflowId } from "@overa/domain"
import { Result, Schema } from "effect"
import type { Call } from "./Operation.ts"

const uuid = Schema.decodeUnknownResult(Schema.String.check(Schema.isUUID()))

/** An identifier from a path in lower case; null when it is no UUID, which is answered like an unknown id (Decisions §1). */
export const pathId = (text: string | undefined): string | null => {
  const decoded = uuid(text)
  return Result.isSuccess(decoded) ? decoded.success.toLowerCase() : null
}

/** The case in the path; a text that is no UUID is answered like an unknown id (Decisions §1). */
export const advanceCaseId = (call: Call): Result.Result<WorkflowId, AdvanceCaseNotFound> => {
  const asked = call.params["advanceCaseId"] ?? ""
  const id = pathId(asked)
  return id === null ? Result.fail(new AdvanceCaseNotFound({ advanceCaseId: asked })) : Result.succeed(WorkflowId.make(id))
}

/** The document in the path; a text that is no UUID is answered like an unknown id (Decisions §1). */
export const fiscalDocumentId = (call: Call): Result.Result<FiscalDocumentId, FiscalDocumentNotFound> => {
  const asked = call.params["fiscalDocumentId"] ?? ""
  const id = pathId(asked)
  return id === null ? Result.fail(new FiscalDocumentNotFound({ fiscalDocumentId: asked })) : Result.succeed(FiscalDocumentId.make(id))
}
