import { readProof } from "@overa/domain"
import { proofJson } from "@overa/host-kit"
import { Effect } from "effect"
import type { Reply } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { documentId } from "./documentId.ts"

const serve = Effect.fnUntraced(function*(visit: MemberVisit) {
  const id = documentId(visit.params["id"])
  if (id === null) return yield* new NotFound({})
  const proof = yield* readProof(visit.tenant, id).pipe(Effect.catchTag("FiscalDocumentNotFound", () => new NotFound({})))
  const reply: Reply = {
    _tag: "File",
    bytes: JSON.stringify(proofJson(proof)),
    mediaType: "application/json",
    fileName: `proof-${id}.json`,
    inline: false
  }
  return reply
})

/** The proof of a document, the same file as the API's. */
export const proofRoutes = [memberRoute("GET", "/receipts/:id/proof", "receipts:read", serve)]
