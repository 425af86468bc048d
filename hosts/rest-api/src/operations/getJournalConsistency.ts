import { base64Of, JournalLog, readConsistencyQuery } from "@overa/domain"
import { Effect } from "effect"
import { integer, ref } from "@overa/host-kit/contract"
import { declareForTenant, type QueryParameter } from "../http/Operation.ts"
import { exampleConsistency } from "./exampleLog.ts"

const size = (description: string): QueryParameter => ({ description, schema: integer(description, { minimum: 0 }), required: true })

/** Source: Decisions §14, §17; RFC 6962 §2.1.2. */
export const getJournalConsistency = declareForTenant({
  id: "proveJournalConsistency",
  method: "GET",
  path: "/v1/journal/consistency",
  tag: "Journal",
  summary: "Prove that the log only grew",
  description: "The hashes that prove that the log of `to` leaves begins with the log of `from` leaves: nothing of it was changed, removed or inserted.",
  scope: "fiscal:read",
  premises: "everybody",
  idempotent: false,
  pathParameters: {},
  query: {
    from: size("The size of the older checkpoint."),
    to: size("The size of the newer checkpoint, at most that of the last one.")
  },
  body: null,
  responses: {
    200: { description: "The proof.", content: { "application/json": { schema: ref("LogConsistency"), example: exampleConsistency } } }
  },
  errors: [],
  handle: Effect.fnUntraced(function*({ query, tenant }) {
    const log = yield* JournalLog
    const { size: last } = yield* log.checkpoint(tenant)
    const { from, to } = yield* Effect.fromResult(readConsistencyQuery(query, last))
    const proof = yield* log.consistency(tenant, from, to)
    return { status: 200, json: { from, to, proof: proof.map(base64Of) } }
  })
})
