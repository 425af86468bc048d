import type { Migration } from "./Migration.ts"

// Why: the journal's log, a Merkle tree for each organization and environment (Decisions §14; docs/adr/0084). The worker writes it after the
// commits, nothing of it is on the path of a receipt.
//
// - `journal_logs`: the head of a log; whoever seals holds its row lock. It only grows.
// - `journal_log_entries`: which leaves are a document's transitions. A leaf's place is given once.
// - `journal_log_tiles`: the tree's hashes, 256 to a row, 32 bytes each. A tile only grows.
// - `journal_checkpoints`: what was signed; one for each size, so that two sealers cannot sign two trees of one size.
// - `journal_keys`: the keys that sign, sealed; the greatest number signs.
export const journalLog: Migration = {
  number: 24,
  name: "journal log",
  statements: [
    `create table journal_logs (
      organization_id uuid not null,
      environment text not null,
      size bigint not null,
      constraint journal_logs_pk primary key (organization_id, environment),
      constraint journal_logs_environment_known check (environment in ('sandbox', 'production')),
      constraint journal_logs_size_counts_from_zero check (size >= 0)
    )`,
    `create trigger journal_logs_only_grow before update on journal_logs for each row
      when (new.size <= old.size or new.organization_id <> old.organization_id or new.environment <> old.environment)
      execute function refuse_change('making a log smaller')`,
    `create trigger journal_logs_kept before delete or truncate on journal_logs
      for each statement execute function refuse_change('deleting a log')`,
    `create table journal_log_entries (
      organization_id uuid not null,
      operation_id uuid not null,
      first_position integer not null,
      environment text not null,
      first_index bigint not null,
      leaves integer not null,
      constraint journal_log_entries_pk primary key (organization_id, operation_id, first_position),
      constraint journal_log_entries_index_unique unique (organization_id, environment, first_index),
      constraint journal_log_entries_position_counts_from_one check (first_position >= 1),
      constraint journal_log_entries_not_empty check (leaves >= 1)
    )`,
    `create trigger journal_log_entries_append_only before update or delete or truncate on journal_log_entries
      for each statement execute function refuse_change('changing the log')`,
    `create table journal_log_tiles (
      organization_id uuid not null,
      environment text not null,
      level integer not null,
      position bigint not null,
      hashes bytea not null,
      constraint journal_log_tiles_pk primary key (organization_id, environment, level, position),
      constraint journal_log_tiles_whole_hashes check (length(hashes) between 32 and 8192 and length(hashes) % 32 = 0)
    )`,
    `alter table journal_log_tiles alter column hashes set storage external`,
    `create trigger journal_log_tiles_only_grow before update on journal_log_tiles for each row
      when (substring(new.hashes for length(old.hashes)) <> old.hashes or new.organization_id <> old.organization_id
        or new.environment <> old.environment or new.level <> old.level or new.position <> old.position)
      execute function refuse_change('changing the log')`,
    `create trigger journal_log_tiles_kept before delete or truncate on journal_log_tiles
      for each statement execute function refuse_change('deleting from the log')`,
    `create table journal_checkpoints (
      organization_id uuid not null,
      environment text not null,
      size bigint not null,
      note text not null,
      signed_at timestamptz not null,
      constraint journal_checkpoints_pk primary key (organization_id, environment, size)
    )`,
    `create trigger journal_checkpoints_append_only before update or delete or truncate on journal_checkpoints
      for each statement execute function refuse_change('changing a checkpoint')`,
    `create table journal_keys (
      number integer not null,
      name text not null,
      public_key bytea not null,
      secrets text not null,
      created_at timestamptz not null,
      constraint journal_keys_pk primary key (number),
      constraint journal_keys_public_key_form check (length(public_key) = 32)
    )`,
    `create trigger journal_keys_identity_immutable before update of number, name, public_key, created_at on journal_keys
      for each row execute function refuse_change('changing a key of the log')`,
    `create trigger journal_keys_kept before delete or truncate on journal_keys
      for each statement execute function refuse_change('deleting a key of the log')`,
    `create trigger operations_sealed_only_grows before update of sealed on operations for each row when (new.sealed < old.sealed)
      execute function refuse_change('taking transitions out of the log')`
  ]
}
