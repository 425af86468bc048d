import type { Migration } from "./Migration.ts"

const heldRow = (table: string, id: string, key: string, target: string, fingerprint: string): string => `
  insert into operations (organization_id, operation_id, environment, taxpayer_id, premise_id, client_id,
    key_role, key, key_target, key_body, fingerprint_version, fingerprint_digest, content, invoice_type, transaction_type,
    client_reference, cashier_id, total_amount, created_at, status, revision, attempt, updated_at)
  select organization_id, ${id}, environment || ' key', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', '',
    'REQUEST', ${key}, ${target}, '', fingerprint_version, ${fingerprint}, '', 'NORMAL', 'SALE', '', '', 0, now(), 'RECEIVED', 0, 0, now()
  from ${table} on conflict do nothing`

// Why: what step 22 left to do while sales run: the keys of the cases and deliveries that are there. Run again, it changes nothing.
export const heldKeysOnline: Migration = {
  number: 23,
  name: "held keys, online",
  online: true,
  statements: [
    `alter table operations validate constraint operations_environment_known`,
    heldRow("advance_cases", "case_id", "key", "key_target", "fingerprint_digest"),
    heldRow("receipt_deliveries", "delivery_id", "idempotency_key", "target", "fingerprint")
  ]
}
