import type { Migration } from "./Migration.ts"

// Why: what take-back restores does not depend on the order in which the files are given, nor on what the worker has found by then (Decisions §15).
//
// - `kept_attempts`: the attempts of a document that the service makes of another one, while that other one has no receipt here yet. They are put into
//   the document in the commit that reserves it, or makes it ready. Found by the key of the document, which survives the loss of its row.
// - `kept_keys`: keys of documents of which only the key can be restored. A proof that is given later still restores the document itself: the key is
//   held by a row of `operations` only when the restore is ended. Until then nothing is issued.
// - `kept_answers`: what was kept says that a document may have a receipt, and not what to search for. Where the document has no such receipt when the
//   restore is ended, a person is told.
export const takenBack: Migration = {
  number: 41,
  name: "taken back",
  statements: [
    `create table kept_attempts (
      organization_id uuid not null,
      environment text not null,
      key_role text not null,
      key text not null,
      request_id text not null,
      fingerprint_digest text not null,
      element_id uuid not null,
      jid text not null,
      started_at timestamptz not null,
      constraint kept_attempts_pk primary key (organization_id, environment, key_role, key, request_id),
      constraint kept_attempts_environment_known check (environment in ('sandbox', 'production')),
      constraint kept_attempts_key_role_known check (key_role in ('REQUEST', 'INNER')),
      constraint kept_attempts_request_id_form check (length(request_id) = 32)
    )`,
    `create trigger kept_attempts_kept before update or delete or truncate on kept_attempts
      for each statement execute function refuse_change('changing a kept attempt')`,
    `create table kept_keys (
      organization_id uuid not null,
      key text not null,
      environment text not null,
      document_id uuid not null,
      held boolean not null default false,
      constraint kept_keys_pk primary key (organization_id, key),
      constraint kept_keys_environment_known check (environment in ('sandbox', 'production'))
    )`,
    `create trigger kept_keys_identity_immutable before update of organization_id, key, environment, document_id on kept_keys
      for each row execute function refuse_change('changing a kept key')`,
    `create trigger kept_keys_kept before delete or truncate on kept_keys
      for each statement execute function refuse_change('deleting kept keys')`,
    `create table kept_answers (
      organization_id uuid not null,
      document_id uuid not null,
      detail text not null,
      invoice_number text,
      told boolean not null default false,
      constraint kept_answers_pk primary key (organization_id, document_id, detail)
    )`,
    `create trigger kept_answers_facts_immutable before update of organization_id, document_id, detail, invoice_number on kept_answers
      for each row execute function refuse_change('changing a kept answer')`,
    `create trigger kept_answers_kept before delete or truncate on kept_answers
      for each statement execute function refuse_change('deleting kept answers')`,
    `analyze kept_attempts, kept_keys, kept_answers`
  ]
}
