import { JournalLog } from "@overa/domain"
import { Effect } from "effect"
import { text } from "../contract/JsonSchema.ts"
import { declareForTenant } from "../http/Operation.ts"
import { exampleCheckpoint } from "./exampleLog.ts"

/** Source: Decisions §14, §17; C2SP tlog-checkpoint. */
export const getJournalCheckpoint = declareForTenant({
  id: "readJournalCheckpoint",
  method: "GET",
  path: "/v1/journal/checkpoint",
  tag: "Journal",
  summary: "Read the log's last checkpoint",
  description:
    "Every transition of every document is a leaf of a Merkle tree of your organization and environment. The checkpoint says how many leaves there are and under which root, signed. Keep checkpoints: whoever has one can later show that nothing before it was changed or removed. Its key is at `/.well-known/overa-journal-key`.",
  scope: "fiscal:read",
  premises: "everybody",
  idempotent: false,
  pathParameters: {},
  query: {},
  body: null,
  responses: {
    200: {
      description: "A signed note: origin, size, root in base64, an empty line, the signature.",
      headers: ["Cache-Control"],
      content: { "text/plain": { schema: text("The signed note."), example: exampleCheckpoint } }
    }
  },
  errors: [],
  handle: Effect.fnUntraced(function*({ tenant }) {
    const { note } = yield* (yield* JournalLog).checkpoint(tenant)
    return { status: 200, headers: { "Cache-Control": "private, no-store" }, bytes: note, mediaType: "text/plain; charset=utf-8" }
  })
})
