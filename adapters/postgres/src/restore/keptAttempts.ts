import type { Attempt, FiscalDocumentId, KeyOwner, OrganizationId, SecurityElementId, TriedRequest } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { raiseItems } from "../operations/raise.ts"
import { readAttempts } from "../operations/readers.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { utc } from "../rows/OperationRow.ts"
import { addAttempts, knownById, type KnownRow, lostOf } from "./addAttempts.ts"

const keep = `insert into kept_attempts (organization_id, environment, key_role, key, request_id, fingerprint_digest, element_id, jid, started_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing returning request_id`

/** Keeps attempts for a document that is not here, or not ready, yet; true if one of them was not kept before. */
export const keepAttempts = Effect.fnUntraced(function*(
  tx: PgStatements,
  { environment, organizationId }: Pick<KeyOwner, "environment" | "organizationId">,
  { key, role }: Pick<KeyOwner["boundKey"], "key" | "role">,
  { attempts, fingerprint }: TriedRequest
) {
  let isNew = false
  for (const { elementId, jid, requestId, startedAt } of attempts) {
    const at = DateTime.toDateUtc(startedAt)
    const kept = yield* tx.query(keep, [organizationId, environment, role, key, requestId, fingerprint, elementId, jid, at])
    isNew = isNew || kept.length > 0
  }
  return isNew
})

const isKept = "select from kept_attempts where organization_id = $1 and environment = $2 and key_role = $3 and key = $4 limit 1"

/** Whether take-back has kept attempts of a document that is to be reserved: it may have a receipt already and must not be sent. */
export const hasKeptAttempts = Effect.fnUntraced(function*(tx: PgStatements, { boundKey: { key, role }, environment, organizationId }: Pick<KeyOwner, "boundKey" | "environment" | "organizationId">) {
  return (yield* tx.query(isKept, [organizationId, environment, role, key])).length > 0
})

interface KeptRow {
  readonly request_id: string
  readonly fingerprint_digest: string
  readonly element_id: string
  readonly jid: string
  readonly started_at: Date
}

/** $1 organization, $2 operation. */
const keptFor = `select k.request_id, k.fingerprint_digest, k.element_id, k.jid, k.started_at from operations o
  join kept_attempts k on k.organization_id = o.organization_id and k.environment = o.environment and k.key_role = o.key_role and k.key = o.key
  where o.organization_id = $1 and o.operation_id = $2 and k.organization_id = $1 order by k.started_at, k.request_id`

const attemptOf = (row: KeptRow, operationId: FiscalDocumentId): Attempt => ({
  operationId,
  number: 1,
  requestId: row.request_id,
  mark: null,
  elementId: row.element_id as SecurityElementId,
  jid: row.jid,
  hostId: "restored",
  bootId: "restored",
  startedAt: utc(row.started_at),
  outcome: null,
  lastSearch: null
})

/**
 * Puts the attempts that take-back has kept into the document that they belong to, in the commit that reserves it or makes it ready: the worker
 * searches for them, and the document is not sent again. Attempts of another request under its key go to the attention list.
 */
export const putBackKept = Effect.fnUntraced(function*(
  tx: PgStatements,
  { at, organizationId }: { readonly organizationId: OrganizationId; readonly at: DateTime.Utc },
  id: FiscalDocumentId
) {
  const kept = yield* tx.query<KeptRow>(keptFor, [organizationId, id])
  if (kept.length === 0) return
  const [row] = yield* tx.query<KnownRow>(knownById, [organizationId, id])
  if (row === undefined) return
  const stored = yield* readAttempts(tx, organizationId, id)
  const own = kept.filter((one) => one.fingerprint_digest === row.fingerprint_digest)
  yield* addAttempts(tx, { actor: "restored" }, organizationId, row, { lost: lostOf(own.map((one) => attemptOf(one, id)), stored), stored })
  const others = kept.filter((one) => !own.includes(one)).map(({ request_id: requestId }) => requestId)
  if (others.length === 0) return
  const detail = `the restore lost an attempt of the same key for another request, under RequestId ${others.join(", ")}; it could not be put back`
  yield* raiseItems(tx, { organizationId, operationId: id, at }, [{ kind: "LOST_ATTEMPT", detail, evidence: null }])
})
