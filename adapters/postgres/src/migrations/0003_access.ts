import type { Migration } from "./Migration.ts"

// Why: who may call, and under which licence. A credential's secret is known only as a keyed digest (Decisions §7); a revoked one is
// kept, because the activity log and the operations name it. Client ids are unique over all organizations, so a directory row leads
// from the id to its organization. Token keys belong to the installation, not to an organization.
export const access: Migration = {
  number: 3,
  name: "access",
  statements: [
    `create table directory_clients (
      client_id text not null,
      organization_id uuid not null,
      constraint directory_clients_pk primary key (client_id)
    )`,
    `create table credentials (
      organization_id uuid not null,
      client_id text not null,
      environment text,
      scopes text[] not null,
      secret_digest text not null,
      created_at timestamptz not null,
      revoked_at timestamptz,
      constraint credentials_pk primary key (organization_id, client_id),
      constraint credentials_organization_fk foreign key (organization_id) references organizations (organization_id),
      constraint credentials_environment_known check (environment in ('sandbox', 'production')),
      constraint credentials_digest_is_sha256 check (secret_digest ~ '^[0-9a-f]{64}$')
    )`,
    `create table token_keys (
      kid text not null,
      public_jwk text not null,
      secrets text not null,
      created_at timestamptz not null,
      retired_at timestamptz,
      constraint token_keys_pk primary key (kid)
    )`,
    `create table licences (
      organization_id uuid not null,
      starts_at timestamptz not null,
      expires_at timestamptz,
      suspended boolean not null,
      modules text[] not null,
      updated_at timestamptz not null,
      constraint licences_pk primary key (organization_id),
      constraint licences_organization_fk foreign key (organization_id) references organizations (organization_id),
      constraint licences_period_ordered check (expires_at is null or starts_at < expires_at),
      constraint licences_modules_known check (modules <@ array['advance', 'email'])
    )`
  ]
}
