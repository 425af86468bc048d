import { type Attempt, type AttentionItem, type FiscalDocumentId, type KeyOwner, type OrganizationId, possibleRequestIds, type SecurityElementId, type TriedRequest } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { raiseItems } from "../operations/raise.ts"
import { operationById, readAttempts } from "../operations/readers.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { decodeOperation, type OperationRow, utc } from "../rows/OperationRow.ts"
import { addAttempts, knownById, type KnownRow, lostOf } from "./addAttempts.ts"
import { answersOf, itemOfAnswer, type LostAnswer } from "./lostAnswers.ts"
import { type Concerned, documentBeside, isLostBeside, lostBeside, type LostBeside } from "./lostBeside.ts"

const keep = `insert into kept_attempts (organization_id, environment, key_role, key, request_id, fingerprint_digest, element_id, jid, started_at, case_id, closes, gives_back, document_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict do nothing returning request_id`

/** Keeps attempts for a document that is not here, or not ready, yet; true if one of them was not kept before. */
export const keepAttempts = Effect.fnUntraced(function*(
  tx: PgStatements,
  { environment, id, organizationId }: Pick<KeyOwner, "environment" | "id" | "organizationId">,
  { key, role }: Pick<KeyOwner["boundKey"], "key" | "role">,
  { attempts, fingerprint }: TriedRequest,
  { caseId, closes, givesBack }: Concerned
) {
  let isNew = false
  for (const { elementId, jid, requestId, startedAt } of attempts) {
    const at = DateTime.toDateUtc(startedAt)
    const kept = yield* tx.query(keep, [organizationId, environment, role, key, requestId, fingerprint, elementId, jid, at, caseId, closes, givesBack, id])
    isNew = isNew || kept.length > 0
  }
  return isNew
})

interface KeptRow extends LostBeside {
  readonly is_own_key: boolean
  readonly request_id: string
  readonly fingerprint_digest: string
  readonly element_id: string
  readonly jid: string
  readonly started_at: Date
}

/** $1 organization, $2 operation: the attempts kept under its key, and those of lost documents beside it. */
const keptFor = `select k.key, k.key_role = o.key_role and k.key = o.key as is_own_key, k.closes, k.gives_back, k.request_id, k.fingerprint_digest, k.element_id, k.jid, k.started_at from ${documentBeside}
  join kept_attempts k on k.organization_id = o.organization_id and k.environment = o.environment and ((k.key_role = o.key_role and k.key = o.key) or ${isLostBeside})
  where o.organization_id = $1 and o.operation_id = $2 and k.organization_id = $1 order by k.started_at, k.request_id`

/** What take-back has kept of a document, or of lost ones of its case, or of other refunds of its receipt. */
export interface Kept {
  readonly attempts: ReadonlyArray<KeptRow>
  readonly answers: ReadonlyArray<LostAnswer>
}

/** What was kept that concerns a stored document; null where nothing was. There may be a receipt already, so it must not be sent. */
export const keptOf = Effect.fnUntraced(function*(tx: PgStatements, { id, organizationId }: Pick<KeyOwner, "id" | "organizationId">) {
  const attempts = yield* tx.query<KeptRow>(keptFor, [organizationId, id])
  const answers = yield* answersOf(tx, { id, organizationId })
  return attempts.length === 0 && answers.length === 0 ? null : { attempts, answers } satisfies Kept
})

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

const whose = (row: KeptRow): string =>
  row.is_own_key ? "the restore lost an attempt of the same key for another request or document" : `${lostBeside(row)}, which may be signed`

const itemOfAttempts = (lost: string, of: ReadonlyArray<KeptRow>): AttentionItem => {
  const requestIds = of.map(({ request_id: requestId }) => requestId).join(", ")
  return { kind: "LOST_ATTEMPT", detail: `${lost}, under RequestId ${requestIds}; it could not be put back`, evidence: null }
}

/** What a person is told of attempts that are not the document's own. */
const foreignItems = (rows: ReadonlyArray<KeptRow>): ReadonlyArray<AttentionItem> => [...Map.groupBy(rows, whose)].map(([lost, of]) => itemOfAttempts(lost, of))

/** What was kept without that of which a person has acknowledged the item already, given by its detail; null where nothing is left. */
export const unlessAcknowledged = ({ answers, attempts }: Kept, details: ReadonlySet<string>): Kept | null => {
  const isNew = ({ detail }: AttentionItem): boolean => !details.has(detail)
  const left: Kept = {
    attempts: [...Map.groupBy(attempts, whose)].flatMap(([lost, of]) => isNew(itemOfAttempts(lost, of)) ? of : []),
    answers: answers.filter((row) => isNew(itemOfAnswer(row)))
  }
  return left.attempts.length === 0 && left.answers.length === 0 ? null : left
}

/** What a person is told of a stored document of a case: all that was kept of lost ones. */
export const itemsOfLost = ({ answers, attempts }: Kept): ReadonlyArray<AttentionItem> =>
  [...foreignItems(attempts.filter((row) => !row.is_own_key)), ...answers.filter((row) => !row.is_own_key).map(itemOfAnswer)]

type About = { readonly organizationId: OrganizationId; readonly at: DateTime.Utc }

/** The attempts that are the document's own: of its key and request, and under a RequestId that it can have. */
const ownOf = Effect.fnUntraced(function*(tx: PgStatements, { fingerprint, id, organizationId }: { readonly fingerprint: string; readonly id: FiscalDocumentId; readonly organizationId: string }, attempts: ReadonlyArray<KeptRow>) {
  const ofRequest = attempts.filter((one) => one.is_own_key && one.fingerprint_digest === fingerprint)
  const [row] = ofRequest.length === 0 ? [] : yield* tx.query<OperationRow>(operationById, [organizationId, id])
  const possible = row === undefined ? null : possibleRequestIds(decodeOperation(row))
  return possible === null ? ofRequest : ofRequest.filter(({ request_id: requestId }) => possible.has(requestId))
})

/**
 * Puts the attempts that take-back has kept into the document that they belong to: the worker searches for them, and the document is not sent again. Attempts
 * of another request or document under its key, and all that is kept of other documents of its case, go to the attention list.
 */
export const putBackInto = Effect.fnUntraced(function*(tx: PgStatements, { at, organizationId }: About, id: FiscalDocumentId, { answers, attempts }: Kept) {
  const [row] = yield* tx.query<KnownRow>(knownById, [organizationId, id])
  if (row === undefined) return
  const stored = yield* readAttempts(tx, organizationId, id)
  const own = yield* ownOf(tx, { fingerprint: row.fingerprint_digest, id, organizationId }, attempts)
  yield* addAttempts(tx, { actor: "restored" }, organizationId, row, { lost: lostOf(own.map((one) => attemptOf(one, id)), stored), stored })
  const items = [...foreignItems(attempts.filter((one) => !own.includes(one))), ...answers.map(itemOfAnswer)]
  if (items.length > 0) yield* raiseItems(tx, { organizationId, operationId: id, at }, items)
})

/** The same, in the commit that reserves a document or makes it ready, as far as anything was kept. */
export const putBackKept = Effect.fnUntraced(function*(tx: PgStatements, about: About, id: FiscalDocumentId) {
  const kept = yield* keptOf(tx, { id, organizationId: about.organizationId })
  if (kept !== null) yield* putBackInto(tx, about, id, kept)
})
