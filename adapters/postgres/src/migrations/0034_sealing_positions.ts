import type { Migration } from "./Migration.ts"

// Why: sealing wrote each operation's row a third time, only to mark it (docs/adr/0084). What is sealed is now known by a position: the
// transaction that moved an operation last is in its row, and a log knows up to which transaction it has looked.
//
// - `operations.moved_by`: the transaction of the last transition. Rows of earlier releases have none until they move again. A host of the release
//   before does not set it; `operations_move_noted` does.
// - `journal_log_positions`: everything that was moved by an earlier transaction than `moved_by`, and by this one up to `operation_id`, was read by
//   the sealer. `swept_to` and `swept_at`: how far, and when to the end, all operations were compared with the log, whoever moved them.
//   `cluster`: the server whose transactions these are.
// - `operations.sealed` stays as the release before has left it; nothing writes it any more.
export const sealingPositions: Migration = {
  number: 34,
  name: "sealing positions",
  statements: [
    "alter table operations add column moved_by xid8",
    "alter table operations alter column moved_by set default pg_current_xact_id()",
    `create function note_move() returns trigger language plpgsql as $$
    begin
      new.moved_by := pg_current_xact_id();
      return new;
    end $$`,
    `create trigger operations_move_noted before update on operations for each row
      when (new.revision <> old.revision and new.moved_by is not distinct from old.moved_by)
      execute function note_move()`,
    `create table journal_log_positions (
      organization_id uuid not null,
      environment text not null,
      moved_by xid8 not null,
      operation_id uuid not null,
      cluster text not null,
      swept_to uuid not null,
      swept_at timestamptz,
      constraint journal_log_positions_pk primary key (organization_id, environment),
      constraint journal_log_positions_environment_known check (environment in ('sandbox', 'production'))
    )`,
    "analyze journal_log_positions"
  ]
}
