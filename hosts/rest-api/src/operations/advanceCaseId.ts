import { AdvanceCaseNotFound, WorkflowId } from "@overa/domain"
import { Result } from "effect"
import { pathId } from "../http/pathId.ts"
import type { Call } from "../http/Operation.ts"

/** The case in the path; a text that is no UUID is answered like an unknown id (Decisions §1). */
export const advanceCaseId = (call: Call): Result.Result<WorkflowId, AdvanceCaseNotFound> => {
  const asked = call.params["advanceCaseId"] ?? ""
  const id = pathId(asked)
  return id === null ? Result.fail(new AdvanceCaseNotFound({ advanceCaseId: asked })) : Result.succeed(WorkflowId.make(id))
}
