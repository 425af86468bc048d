import type { Migration } from "./Migration.ts"

// Why: the vault of security elements. Public facts are columns; the key, the certificate chain and the PAC are one envelope,
// encrypted before they reach the database (Decisions §7). A replaced element is kept, because what it sent may still have to be
// searched at the V-PFR (Decisions §4). The pool holds sandbox elements the installation gives to new sandbox premises.
export const securityElements: Migration = {
  number: 2,
  name: "security elements",
  statements: [
    `create table security_elements (
      organization_id uuid not null,
      element_id uuid not null,
      taxpayer_id uuid not null,
      premise_id uuid not null,
      environment text not null,
      jid text not null,
      tin text not null,
      subject text not null,
      issuer text not null,
      serial_number text not null,
      fingerprint_sha256 text not null,
      valid_from timestamptz not null,
      valid_to timestamptz not null,
      status text not null,
      secrets text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint security_elements_pk primary key (organization_id, element_id),
      constraint security_elements_premise_fk foreign key (organization_id, premise_id)
        references business_premises (organization_id, premise_id),
      constraint security_elements_environment_known check (environment in ('sandbox', 'production')),
      constraint security_elements_status_known check (status in ('UPLOADED', 'ACTIVE', 'REPLACED', 'EXPIRED')),
      constraint security_elements_validity_ordered check (valid_from < valid_to)
    )`,
    // Spec, Authentication 7: a premise issues with one element at a time.
    `create unique index security_elements_one_active on security_elements (organization_id, premise_id)
      where status = 'ACTIVE'`,
    `create index security_elements_by_premise on security_elements (organization_id, premise_id)`,
    `create trigger security_elements_kept before delete on security_elements
      for each row execute function refuse_change('deleting a security element')`,
    `create table element_pool (
      environment text not null,
      jid text not null,
      tin text not null,
      subject text not null,
      issuer text not null,
      serial_number text not null,
      fingerprint_sha256 text not null,
      valid_from timestamptz not null,
      valid_to timestamptz not null,
      secrets text not null,
      added_at timestamptz not null,
      constraint element_pool_pk primary key (environment, jid),
      constraint element_pool_only_sandbox check (environment = 'sandbox'),
      constraint element_pool_validity_ordered check (valid_from < valid_to)
    )`,
    `create index element_pool_by_age on element_pool (environment, added_at, jid)`
  ]
}
