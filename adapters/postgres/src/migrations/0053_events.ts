import type { Migration } from "./Migration.ts"

// Why: the changes of documents as events, numbered from 1 without gaps in each organization and environment (docs/adr/0176). The worker writes them
// from the journal's log, whose order is that of the commits; nothing of it is on the path of a receipt.
//
// - `event_heads`: the number of the last event, and how many leaves of the log were read for events. It only grows.
// - `events`: which transition of which document an event is. What a document says of itself is read from its row.
export const events: Migration = {
  number: 53,
  name: "events",
  statements: [
    `create table event_heads (
      organization_id uuid not null,
      environment text not null,
      sequence bigint not null,
      leaves bigint not null,
      constraint event_heads_pk primary key (organization_id, environment),
      constraint event_heads_environment_known check (environment in ('sandbox', 'production')),
      constraint event_heads_count_from_zero check (sequence >= 0 and leaves >= 0)
    )`,
    `create trigger event_heads_only_grow before update on event_heads for each row
      when (new.leaves <= old.leaves or new.sequence < old.sequence or new.organization_id <> old.organization_id or new.environment <> old.environment)
      execute function refuse_change('numbering events again')`,
    `create trigger event_heads_kept before delete or truncate on event_heads
      for each statement execute function refuse_change('deleting the number of the last event')`,
    `create table events (
      organization_id uuid not null,
      environment text not null,
      sequence bigint not null,
      type text not null,
      at timestamptz not null,
      operation_id uuid not null,
      position integer not null,
      constraint events_pk primary key (organization_id, environment, sequence),
      constraint events_sequence_counts_from_one check (sequence >= 1),
      constraint events_position_counts_from_one check (position >= 1)
    )`,
    `create trigger events_append_only before update or delete or truncate on events
      for each statement execute function refuse_change('changing an event')`,
    "analyze event_heads, events"
  ]
}
