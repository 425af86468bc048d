import type { Migration } from "./Migration.ts"

// Why: metadata and the cashier's name in a request are personal data outside the signed record, and can be erased on request (Decisions §15). Everything
// else of what was asked stays unchangeable.
//
// - `erased_note`: the digests of what was asked before and after the erasure, signed with the log's key (docs/adr/0114). The leaves of the journal's
//   log are computed from it, and a later change by hand is found with it.
// - Only the statement that sets it may change content and body. It is set once.
export const erasure: Migration = {
  number: 37,
  name: "erasure",
  statements: [
    "alter table operations add column erased_note text",
    "drop trigger operations_request_immutable on operations",
    `create trigger operations_request_immutable
      before update of organization_id, operation_id, environment, taxpayer_id, premise_id, client_id, key_role, key, key_target,
        fingerprint_version, fingerprint_digest, invoice_type, transaction_type, client_reference, cashier_id,
        buyer_id, total_amount, workflow_type, workflow_id, created_at
      on operations for each row execute function refuse_change('changing what an operation was asked')`,
    "drop trigger operations_body_immutable on operations",
    `create trigger operations_body_immutable before update of key_body, key_body_packed, content on operations
      for each row when (old.erased_note is not null or new.erased_note is null)
      execute function refuse_change('changing what an operation was asked')`,
    `create trigger operations_erased_once before update of erased_note on operations
      for each row when (old.erased_note is not null) execute function refuse_change('changing an erasure')`
  ]
}
