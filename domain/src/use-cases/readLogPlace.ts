import { Effect, Option } from "effect"
import { FiscalDocumentNotFound } from "../documents/errors.ts"
import type { LogPlace } from "../journal-log/LogPlace.ts"
import { JournalLog } from "../ports/JournalStore.ts"
import { OperationStore } from "../ports/OperationStore.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"

/**
 * Where a document's transitions are in the log. A document that is not in the log yet has no entries, under the last checkpoint; a document that the
 * tenant does not have is not found. Source: Decisions §14, §17.
 */
export const readLogPlace = Effect.fn("readLogPlace")(function*(tenant: Tenant, id: FiscalDocumentId) {
  const log = yield* JournalLog
  const place = yield* log.entriesOf(tenant, id)
  if (place !== null) return place
  const found = yield* (yield* OperationStore).get(tenant, id)
  if (Option.isNone(found)) return yield* new FiscalDocumentNotFound({ fiscalDocumentId: id })
  const { note, origin, publicKey } = yield* log.checkpoint(tenant)
  return { origin, publicKey, checkpoint: note, entries: [] } satisfies LogPlace
})
