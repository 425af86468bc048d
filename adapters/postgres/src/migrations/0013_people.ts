import type { Migration } from "./Migration.ts"

// Why: the people of the portal (Decisions §13). They belong to the installation: one person may have roles in several organizations, and
// operators in none. A session is known by the digest of its cookie, an invitation by the digest of its token, so a copy of these tables
// opens nothing. Roles stay in `members`, which now knows all four.
export const people: Migration = {
  number: 13,
  name: "people",
  statements: [
    `create table people (
      person_id uuid not null,
      email text not null,
      name text not null,
      operator boolean not null,
      password_hash text not null,
      totp_secrets text,
      totp_last_step bigint,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint people_pk primary key (person_id),
      constraint people_email_unique unique (email),
      constraint people_email_folded check (email = lower(email) and email <> '')
    )`,
    `create table portal_sessions (
      digest text not null,
      person_id uuid not null,
      stage text not null,
      organization_id uuid,
      environment text,
      created_at timestamptz not null,
      seen_at timestamptz not null,
      address text not null,
      device text not null,
      constraint portal_sessions_pk primary key (digest),
      constraint portal_sessions_person_fk foreign key (person_id) references people (person_id),
      constraint portal_sessions_digest_is_sha256 check (digest ~ '^[0-9a-f]{64}$'),
      constraint portal_sessions_stage_known check (stage in ('PASSWORD', 'COMPLETE')),
      constraint portal_sessions_environment_known check (environment in ('sandbox', 'production'))
    )`,
    `create index portal_sessions_of_person on portal_sessions (person_id)`,
    `create table portal_forms (
      digest text not null,
      form_id text not null,
      claimed_at timestamptz not null,
      constraint portal_forms_pk primary key (digest, form_id),
      constraint portal_forms_session_fk foreign key (digest) references portal_sessions (digest) on delete cascade
    )`,
    `create table portal_guesses (
      guess_key text not null,
      failures integer not null,
      last_at timestamptz not null,
      constraint portal_guesses_pk primary key (guess_key)
    )`,
    `create index portal_guesses_by_age on portal_guesses (last_at)`,
    `create table invitations (
      invitation_id uuid not null,
      organization_id uuid not null,
      email text not null,
      role text not null,
      token_digest text not null,
      invited_by text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      ended_at timestamptz,
      constraint invitations_pk primary key (invitation_id),
      constraint invitations_token_unique unique (token_digest),
      constraint invitations_role_known check (role in ('OWNER', 'ADMINISTRATOR', 'ACCOUNTANT', 'SUPPORT')),
      constraint invitations_end_after_begin check (created_at < expires_at)
    )`,
    `create index invitations_open on invitations (organization_id) where ended_at is null`,
    `create index members_by_person on members (person)`,
    `alter table members drop constraint members_role_known`,
    `alter table members add constraint members_role_known check (role in ('OWNER', 'ADMINISTRATOR', 'ACCOUNTANT', 'SUPPORT'))`
  ]
}
