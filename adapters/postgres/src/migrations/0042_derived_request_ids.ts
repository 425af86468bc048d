import type { Migration } from "./Migration.ts"

// Why: the RequestIds of copies and final sales can be computed again after a restore (docs/adr/0121), so that what the lost future may have sent is
// searched before it is sent again.
//
// - `mark`, `first_mark`: two processes that try the same attempt of such a document have the same RequestId; the mark says which of them stored it.
//   Null where the RequestId itself is random.
// - `restored_at`: when the last restore was ended. Documents that refer to a receipt signed before it may have been sent already.
export const derivedRequestIds: Migration = {
  number: 42,
  name: "derived request ids",
  statements: [
    "alter table operations add column first_mark uuid",
    "alter table attempts add column mark uuid",
    `create trigger operations_first_mark_immutable before update of first_mark on operations
      for each row when (old.request_id is not null) execute function refuse_change('changing an attempt')`,
    `create trigger attempts_mark_immutable before update of mark on attempts
      for each row execute function refuse_change('changing an attempt')`,
    "alter table environment_settings add column restored_at timestamptz"
  ]
}
