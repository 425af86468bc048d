import type { Migration } from "./Migration.ts"

// Why: what changes beside documents is an event too (docs/adr/0202): deliveries, security elements, licences. The journal's log does not have it, so the
// commit of the change adds a row to `noted_changes`; the worker takes the row and gives the event its number in one commit. `source` names the change: a
// change that is noted twice is one event. The position in the log may stand still while such events are numbered.
export const notedChanges: Migration = {
  number: 54,
  name: "noted changes",
  statements: [
    `create table noted_changes (
      organization_id uuid not null,
      environment text not null,
      source text not null,
      type text not null,
      at timestamptz not null,
      subject_id uuid not null,
      operation_id uuid,
      constraint noted_changes_pk primary key (organization_id, environment, source),
      constraint noted_changes_environment_known check (environment in ('sandbox', 'production'))
    )`,
    "alter table events alter column operation_id drop not null",
    "alter table events alter column position drop not null",
    "alter table events add column source text",
    "alter table events add column subject_id uuid",
    `alter table events add constraint events_one_origin
      check ((source is null) = (position is not null) and (source is null) = (subject_id is null) and (source is not null or operation_id is not null)) not valid`,
    "create unique index events_source_once on events (organization_id, environment, source) where source is not null",
    "drop trigger event_heads_only_grow on event_heads",
    `create trigger event_heads_only_grow before update on event_heads for each row
      when (new.leaves < old.leaves or new.sequence < old.sequence or (new.leaves = old.leaves and new.sequence = old.sequence)
        or new.organization_id <> old.organization_id or new.environment <> old.environment)
      execute function refuse_change('numbering events again')`
  ]
}
