import type { Migration } from "./Migration.ts"

// Why: the operator's settings per environment, and the record of everything the operator did. The activity log is append-only:
// it is what an auditor reads to learn who changed what, when and why (Spec, purpose 9; Decisions §4, the operator decides).
export const installation: Migration = {
  number: 4,
  name: "installation",
  statements: [
    `create table environment_settings (
      environment text not null,
      traffic_enabled boolean not null,
      esir_number text not null,
      vat_categories text[] not null,
      updated_at timestamptz not null,
      constraint environment_settings_pk primary key (environment),
      constraint environment_settings_environment_known check (environment in ('sandbox', 'production'))
    )`,
    // Decisions §1: the categories whose labels are VAT labels, per environment.
    `insert into environment_settings (environment, traffic_enabled, esir_number, vat_categories, updated_at) values
      ('sandbox', true, '', array['VAT'], now()),
      ('production', false, '', array['О-ПДВ', 'П-ПДВ', 'Без ПДВ'], now())`,
    // Acts on the installation itself carry the nil UUID, so that the organization can lead the key here too.
    `create table activity_log (
      activity_id uuid not null default gen_random_uuid(),
      organization_id uuid not null,
      at timestamptz not null,
      actor text not null,
      act text not null,
      subject text not null,
      before text,
      after text,
      reason text not null,
      constraint activity_log_pk primary key (organization_id, activity_id),
      constraint activity_log_actor_given check (actor <> ''),
      constraint activity_log_reason_given check (reason <> '')
    )`,
    `create index activity_log_by_organization on activity_log (organization_id, at)`,
    `create trigger activity_log_append_only before update or delete or truncate on activity_log
      for each statement execute function refuse_change('changing the activity log')`
  ]
}
