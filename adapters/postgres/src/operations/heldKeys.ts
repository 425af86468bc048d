import type { KeyOwner } from "@overa/domain"
import { Data, Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"

// A row that is no document and only holds a key (docs/adr/0034): no document has its environment, so that reads of documents do not find it, and its
// other columns are placeholders.
const insertHeld = `insert into operations (organization_id, operation_id, environment, taxpayer_id, premise_id, client_id,
    key_role, key, key_target, key_body, fingerprint_version, fingerprint_digest, content, invoice_type, transaction_type,
    client_reference, cashier_id, total_amount, created_at, status, revision, attempt, updated_at)`
const noOne = "'00000000-0000-0000-0000-000000000000'"

/** $1 organization, $2 id, $3 environment, $4 role, $5 key, $6 target, $7 and $8 fingerprint. */
export const insertHeldKey = `${insertHeld}
  values ($1, $2, $3::text || ' key', ${noOne}, ${noOne}, '', $4, $5, $6, '', $7, $8, '', 'NORMAL', 'SALE', '', '', 0, now(), 'RECEIVED', 0, 0, now())
  on conflict do nothing returning operation_id`

/** Holds the keys that take-back has kept (`restore/keptKeys.ts`). They have no request that another one could be equal to: each under them is refused. */
export const holdKeptKeys = `${insertHeld}
  select organization_id, document_id, environment || ' key', ${noOne}, ${noOne}, '', 'REQUEST', key, 'restored', '', 0, '', '', 'NORMAL', 'SALE', '', '',
    0, now(), 'RECEIVED', 0, 0, now()
  from kept_keys where not held on conflict do nothing`

/** A document or another row has the key; nothing of the transaction may be stored. */
export class KeyIsHeld extends Data.TaggedError("KeyIsHeld")<{}> {}

/** Takes a caller's key for something other than a document, in the transaction that stores it. Fails where the key is taken. */
export const holdKey = Effect.fnUntraced(function*(statements: PgStatements, { boundKey, environment, id, organizationId }: KeyOwner) {
  const { fingerprint, key, role, target } = boundKey
  const held = yield* statements.query(insertHeldKey, [organizationId, id, environment, role, key, target, fingerprint.version, fingerprint.digest])
  if (held.length === 0) return yield* new KeyIsHeld()
})
