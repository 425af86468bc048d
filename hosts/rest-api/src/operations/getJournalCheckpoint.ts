import { CosignedCheckpointNotFound, Cosignatures, JournalLog, type Tenant } from "@overa/domain"
import { Effect } from "effect"
import { flag, text } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { exampleCheckpoint } from "./exampleLog.ts"

const cosigned = Effect.fnUntraced(function*(tenant: Tenant) {
  const note = yield* (yield* Cosignatures).newest(tenant)
  return note ?? (yield* new CosignedCheckpointNotFound({}))
})

/** Source: Decisions §14, §17; C2SP tlog-checkpoint, tlog-cosignature. */
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
  query: {
    cosigned: {
      description: "`true`: the newest checkpoint that every witness of the installation has cosigned, with their signature lines. It may be older than the last one. An extension of the contract.",
      schema: flag("Whether witnesses must have cosigned it."),
      required: false
    }
  },
  body: null,
  responses: {
    200: {
      description: "A signed note: origin, size, root in base64, an empty line, the signatures; with `cosigned` those of the witnesses too.",
      headers: ["Cache-Control"],
      content: { "text/plain": { schema: text("The signed note."), example: exampleCheckpoint } }
    }
  },
  errors: ["COSIGNED_CHECKPOINT_NOT_FOUND"],
  handle: Effect.fnUntraced(function*({ query, tenant }) {
    const isCosigned = query["cosigned"]?.[0] === "true"
    const note = isCosigned ? yield* cosigned(tenant) : (yield* (yield* JournalLog).checkpoint(tenant)).note
    return { status: 200, headers: { "Cache-Control": "private, no-store" }, bytes: note, mediaType: "text/plain; charset=utf-8" }
  })
})
