import { renderDocument, RepresentationFormat } from "@overa/domain"
import { Effect } from "effect"
import type { Reply } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { documentId } from "./documentId.ts"

const serve = Effect.fnUntraced(function*(visit: MemberVisit) {
  const id = documentId(visit.params["id"])
  const format = RepresentationFormat.literals.find((it) => it === visit.params["format"])
  if (id === null || format === undefined) return yield* new NotFound({})
  const rendered = yield* renderDocument({ tenant: visit.tenant, id, format, knownEntityTags: [] })
  if (rendered._tag === "Unchanged") return yield* Effect.die(new Error("nothing was known, and nothing was drawn"))
  const { bytes, fileName, mediaType } = rendered.representation
  const reply: Reply = { _tag: "File", bytes, mediaType, fileName, inline: visit.query.get("save") === null }
  return reply
})

/** A receipt in any of its formats: shown in the page, or downloaded. */
export const paperRoutes = [memberRoute("GET", "/receipts/:id/paper/:format", "receipts:read", serve)]
