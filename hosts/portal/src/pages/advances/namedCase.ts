import { readAdvanceCase, type WorkflowId } from "@overa/domain"
import { Effect } from "effect"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { documentId } from "../receipts/documentId.ts"

/** The advance that an address names; another organization's is not found. */
export const namedCase = Effect.fnUntraced(function*(visit: MemberVisit) {
  const id = documentId(visit.params["case"])
  if (id === null) return yield* new NotFound({})
  return yield* readAdvanceCase(visit.tenant, id as string as WorkflowId).pipe(Effect.catchTag("AdvanceCaseNotFound", () => Effect.fail(new NotFound({}))))
})
