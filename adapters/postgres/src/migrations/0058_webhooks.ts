import type { Migration } from "./Migration.ts"

// Why: addresses of shops that events are sent to (docs/adr/0203). Each endpoint has a queue of its own, numbered by `position`: the worker copies events
// into it from the endpoint's `sequence` on, in the order of their numbers, so that a worker that dies loses none and adds none twice. What failed waits in
// its row. The tables are written by the worker and by the acts of owners alone.
export const webhooks: Migration = {
  number: 58,
  name: "webhooks",
  statements: [
    `create table webhook_endpoints (
      organization_id uuid not null,
      endpoint_id uuid not null,
      environment text not null,
      url text not null,
      description text,
      event_types text[],
      signature text not null,
      secrets text not null,
      status text not null,
      paused_because text,
      sequence bigint not null,
      last_position bigint not null,
      failures integer not null,
      failing_since timestamptz,
      try_at timestamptz not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint webhook_endpoints_pk primary key (organization_id, endpoint_id),
      constraint webhook_endpoints_environment_known check (environment in ('sandbox', 'production')),
      constraint webhook_endpoints_signature_known check (signature in ('v1', 'v1a')),
      constraint webhook_endpoints_status_known check (status in ('ACTIVE', 'PAUSED', 'REMOVED')),
      constraint webhook_endpoints_pause_whole check ((status = 'PAUSED') = (paused_because is not null)),
      constraint webhook_endpoints_failing_whole check ((failures = 0) = (failing_since is null)),
      constraint webhook_endpoints_count_from_zero check (sequence >= 0 and last_position >= 0 and failures >= 0)
    )`,
    `create unique index webhook_endpoints_url_once on webhook_endpoints (organization_id, environment, url) where status <> 'REMOVED'`,
    `create table webhook_messages (
      organization_id uuid not null,
      endpoint_id uuid not null,
      position bigint not null,
      event_id text not null,
      sequence bigint,
      resource text not null,
      body text not null,
      status text not null,
      attempts integer not null,
      due_at timestamptz not null,
      claim uuid,
      claimed_until timestamptz,
      created_at timestamptz not null,
      constraint webhook_messages_pk primary key (organization_id, endpoint_id, position),
      constraint webhook_messages_status_known check (status in ('PENDING', 'DELIVERED', 'FAILED')),
      constraint webhook_messages_claim_whole check ((claim is null) = (claimed_until is null)),
      constraint webhook_messages_attempts_counted check (attempts >= 0)
    )`,
    `create index webhook_messages_waiting on webhook_messages (organization_id, endpoint_id, resource, position) where status = 'PENDING'`,
    `create index webhook_messages_due on webhook_messages (organization_id, endpoint_id, due_at) where status = 'PENDING'`,
    `create index webhook_messages_ended on webhook_messages (created_at) where status <> 'PENDING'`,
    `create table webhook_attempts (
      organization_id uuid not null,
      endpoint_id uuid not null,
      attempt_id uuid not null,
      event_id text not null,
      sequence bigint,
      at timestamptz not null,
      taken boolean not null,
      status_code integer,
      answer text not null,
      error text,
      millis integer not null,
      constraint webhook_attempts_pk primary key (organization_id, endpoint_id, attempt_id)
    )`,
    "create index webhook_attempts_latest on webhook_attempts (organization_id, endpoint_id, at desc)",
    "create index webhook_attempts_by_age on webhook_attempts (at)"
  ]
}
