import type { KeyOwner, PutBack } from "@overa/domain"
import { Effect } from "effect"
import { holdKeptKeys } from "../operations/heldKeys.ts"
import type { PgStatements } from "../PgDatabase.ts"

const holderOf = "select operation_id as id from operations where organization_id = $1 and key_role = 'REQUEST' and key = $2"
const keptFor = "select document_id as id from kept_keys where organization_id = $1 and key = $2"
const keep = "insert into kept_keys (organization_id, key, environment, document_id) values ($1, $2, $3, $4)"
const keptAreHeld = "update kept_keys set held = true where not held"

interface Holder {
  readonly id: string
}

/** Whether a key is, or will be, another document's. The acts of take-back follow each other, so nothing changes between the two reads. */
export const isAnothers = Effect.fnUntraced(function*(tx: PgStatements, { boundKey: { key }, id, organizationId }: KeyOwner) {
  const holders = [...(yield* tx.query<Holder>(holderOf, [organizationId, key])), ...(yield* tx.query<Holder>(keptFor, [organizationId, key]))]
  return holders.some((holder) => holder.id !== id)
})

/** Keeps the key of a document that cannot be restored itself. It is held when the restore is ended, unless the document is stored by then. */
export const keepKey = Effect.fnUntraced(function*(tx: PgStatements, owner: KeyOwner) {
  const { boundKey: { key }, environment, id, organizationId } = owner
  if (yield* isAnothers(tx, owner)) return "KEY_TAKEN" satisfies PutBack
  if ((yield* tx.query<Holder>(keptFor, [organizationId, key])).length > 0) return "KNOWN" satisfies PutBack
  yield* tx.query(keep, [organizationId, key, environment, id])
  return "PUT_BACK" satisfies PutBack
})

/** Holds every kept key whose document was not restored, in the commit that ends the restore. */
export const holdKept = Effect.fnUntraced(function*(tx: PgStatements) {
  yield* tx.query(holdKeptKeys)
  yield* tx.query(keptAreHeld)
})
