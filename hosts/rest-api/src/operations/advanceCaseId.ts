import { AdvanceCaseNotFound, WorkflowId } from "@overa/domain"
import { Result } from "effect"
import { pathId } from "../http/pathId.ts"
import type { Call } from "../http/Operation.ts"

/** The case that the path names; what is no UUID names nothing (Decisions §1). */
export const advanceCaseId = (call: Call): Result.Result<WorkflowId, AdvanceCaseNotFound> => {
  const asked = call.params["advanceCaseId"] ?? ""
  const id = pathId(asked)
  return id === null ? Result.fail(new AdvanceCaseNotFound({ advanceCaseId: asked })) : Result.succeed(WorkflowId.make(id))
}
