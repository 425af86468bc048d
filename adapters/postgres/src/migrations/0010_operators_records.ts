import type { Migration } from "./Migration.ts"

// Why: what the operator keeps beside the fiscal data: who acts for an organization (Spec, Introduction 9), the day a VAT status holds
// from, the keys of reference (V-PFR §9), and attention about an element, raised once for each warning before its certificate ends.
// The partial index makes unresolved operations cheap to list and count, whatever the size of the table.
export const operatorsRecords: Migration = {
  number: 10,
  name: "operator's records",
  statements: [
    `create table members (
      organization_id uuid not null,
      person text not null,
      role text not null,
      added_at timestamptz not null,
      constraint members_pk primary key (organization_id, person),
      constraint members_organization_fk foreign key (organization_id) references organizations (organization_id),
      constraint members_role_known check (role in ('OWNER', 'ADMINISTRATOR')),
      constraint members_person_given check (person <> '')
    )`,
    `alter table taxpayers add column vat_status_since date`,
    `create table reference_keys (
      environment text not null,
      kind text not null,
      name text not null,
      pem text not null,
      added_at timestamptz not null,
      constraint reference_keys_pk primary key (environment, kind, name),
      constraint reference_keys_environment_known check (environment in ('sandbox', 'production')),
      constraint reference_keys_kind_known check (kind in ('TRUST_ROOT', 'SIGNER'))
    )`,
    `create trigger reference_keys_kept before update or delete or truncate on reference_keys
      for each statement execute function refuse_change('changing a key of reference')`,
    `alter table attention alter column operation_id drop not null`,
    `alter table attention add column element_id uuid`,
    `alter table attention add constraint attention_about_one_thing check ((operation_id is null) <> (element_id is null))`,
    `create unique index attention_about_element on attention (organization_id, element_id, kind) where element_id is not null`,
    `create trigger attention_element_immutable before update of element_id on attention
      for each row execute function refuse_change('changing what was raised')`,
    `create index operations_unresolved on operations (created_at, operation_id)
      where status in ('OUTCOME_UNKNOWN', 'RECONCILING')`
  ]
}
