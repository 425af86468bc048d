import type { Migration } from "./Migration.ts"

// Why: witnesses cosign the journal's logs (docs/adr/0365). The checkpoints themselves are in `journal_checkpoints`; here is what the worker needs to
// ask again, and what readers are answered. A log has one row, and one for each witness, however long it runs. Nothing of it is on the path of a receipt.
//
// - `journal_cosignatures`: of each witness, named by its key, the newest cosignature.
// - `journal_witnessed`: when a log was last shown to the witnesses, and the newest checkpoint that all of them have cosigned, with their lines.
export const cosignatures: Migration = {
  number: 73,
  name: "cosignatures",
  statements: [
    `create table journal_cosignatures (
      organization_id uuid not null,
      environment text not null,
      witness text not null,
      size bigint not null,
      line text not null,
      constraint journal_cosignatures_pk primary key (organization_id, environment, witness),
      constraint journal_cosignatures_environment_known check (environment in ('sandbox', 'production')),
      constraint journal_cosignatures_not_empty check (size >= 1)
    )`,
    `create trigger journal_cosignatures_only_grow before update on journal_cosignatures for each row
      when (new.size < old.size or new.organization_id <> old.organization_id or new.environment <> old.environment or new.witness <> old.witness)
      execute function refuse_change('taking back a cosignature')`,
    `create trigger journal_cosignatures_kept before delete or truncate on journal_cosignatures
      for each statement execute function refuse_change('deleting a cosignature')`,
    `create table journal_witnessed (
      organization_id uuid not null,
      environment text not null,
      asked_at timestamptz not null,
      size bigint,
      note text,
      constraint journal_witnessed_pk primary key (organization_id, environment),
      constraint journal_witnessed_environment_known check (environment in ('sandbox', 'production')),
      constraint journal_witnessed_whole check ((size is null) = (note is null))
    )`,
    `create trigger journal_witnessed_only_grow before update on journal_witnessed for each row
      when ((old.size is not null and (new.size is null or new.size < old.size))
        or new.organization_id <> old.organization_id or new.environment <> old.environment)
      execute function refuse_change('taking back a cosigned checkpoint')`,
    `create trigger journal_witnessed_kept before delete or truncate on journal_witnessed
      for each statement execute function refuse_change('deleting a cosigned checkpoint')`
  ]
}
