import { RecordActs } from "@overa/domain"
import { Effect } from "effect"
import { Readable } from "node:stream"
import { actOf } from "../pages/personAct.ts"
import type { Reply } from "./Reply.ts"
import type { MemberVisit, PersonVisit, Visit } from "./Visit.ts"

const isPerson = (visit: Visit): visit is PersonVisit => "person" in visit

const placeOf = (visit: PersonVisit) => {
  const { environment = null, organizationId = null } = "may" in visit ? (visit as MemberVisit) : {}
  return { environment, organizationId }
}

/**
 * Writes a file that a person downloads into the activity log, before its first byte is sent: data that has left has its line. What is shown inside a page is no download, and an
 * act whose answer is a file writes its own line. Answers the reply as it was.
 */
export const noteDownload = Effect.fnUntraced(function*(visit: Visit, reply: Reply) {
  if (reply._tag !== "File" || reply.inline || visit.form !== null || !isPerson(visit)) return reply
  const { environment, organizationId } = placeOf(visit)
  const after = JSON.stringify({ address: visit.path + visit.search, environment })
  yield* (yield* RecordActs).record(actOf(visit), { organizationId, act: "file downloaded", subject: reply.fileName, after }).pipe(
    Effect.tapCause(() => Effect.sync(() => reply.bytes instanceof Readable && reply.bytes.destroy()))
  )
  return reply
})
