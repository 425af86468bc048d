import type { Migration } from "./Migration.ts"

// Why: each commit of a receipt is one plain statement over one row (docs/adr/0032). The first attempt and the transitions stand in the
// operation's row; `attempts` keeps later attempts, and both tables keep what earlier releases wrote, which is read where it stands.
//
// - The history only grows: the trigger refuses every other change of it, and a status that changes without a new revision.
// - The first attempt is written once, with the row or when a document reserved unsent is first sent.
// - The body is stored packed against the content; `key_body` is then empty.
// - `sealed` counts the transitions that the journal's log has taken. Nothing writes it on the path of a receipt.
// - A finding is raised once: `finding` is its digest.
// - A host of the release before does not know the first attempt of a newer row. It must not send such a document again, because it would not
//   search for that attempt first; `attempts_know_the_first` refuses it. What it may do to the row (end leases, store an outcome found by a
//   person) is read correctly.
//
// The constraints are validated by the next step, without a lock that would keep sales waiting.
export const foldedOperations: Migration = {
  number: 15,
  name: "folded operations",
  statements: [
    `alter table operations
      add column key_body_packed bytea,
      add column request_id text,
      add column element_id uuid,
      add column jid text,
      add column sender_host text,
      add column sender_boot text,
      add column started_at timestamptz,
      add column first_outcome text,
      add column first_answer_text text,
      add column first_search_at timestamptz,
      add column first_search_found boolean,
      add column history text not null default '',
      add column sealed integer not null default 0,
      add constraint operations_body_once check (key_body_packed is null or key_body = '') not valid,
      add constraint operations_first_attempt_whole check (
        num_nonnulls(request_id, element_id, jid, sender_host, sender_boot, started_at) in (0, 6)) not valid,
      add constraint operations_first_attempt_counted check (request_id is null or attempt >= 1) not valid,
      add constraint operations_first_request_id_form check (length(request_id) = 32) not valid,
      add constraint operations_first_outcome_known check (first_outcome in ('SIGNED', 'REJECTED', 'NOT_SENT', 'NO_ANSWER')) not valid,
      add constraint operations_first_search_whole check ((first_search_at is null) = (first_search_found is null)) not valid,
      add constraint operations_sealed_within_history check (sealed between 0 and revision) not valid`,
    `create trigger operations_body_immutable before update of key_body_packed on operations
      for each row execute function refuse_change('changing what an operation was asked')`,
    `create trigger operations_first_attempt_immutable
      before update of request_id, element_id, jid, sender_host, sender_boot, started_at on operations
      for each row when (old.request_id is not null) execute function refuse_change('changing an attempt')`,
    `create trigger operations_history_kept before update on operations for each row
      when (not starts_with(new.history, old.history) or new.revision < old.revision
        or (new.status <> old.status and new.revision = old.revision))
      execute function refuse_change('changing what happened')`,
    `alter table attempts add column knows_first boolean not null default false`,
    `create function refuse_blind_attempt() returns trigger language plpgsql as $$
    begin
      if exists (select from operations where organization_id = new.organization_id and operation_id = new.operation_id
          and request_id is not null) then
        raise exception 'attempts: this release does not see the first attempt'
          using errcode = 'restrict_violation', constraint = tg_name, table = tg_table_name;
      end if;
      return new;
    end $$`,
    `create trigger attempts_know_the_first before insert on attempts for each row when (new.number > 1 and not new.knows_first)
      execute function refuse_blind_attempt()`,
    `alter table attention add column finding text`
  ]
}
