import type { Migration } from "./Migration.ts"

// Why: everything the service stores belongs to an organization, so `organization_id` leads every key and the data can be split by
// organization. Only the directory tables are global: they hold what the law makes unique across all organizations (Decisions §7).
// Tax and premise identifiers are immutable (Spec, purpose 9); a trigger holds them, because a changed identifier would put
// later receipts in another company's name.
export const tenancy: Migration = {
  number: 1,
  name: "tenancy",
  statements: [
    `create table organizations (
      organization_id uuid not null,
      name text not null,
      created_at timestamptz not null,
      constraint organizations_pk primary key (organization_id),
      constraint organizations_name_given check (name <> '')
    )`,
    `create table directory_taxpayers (
      environment text not null,
      tax_identifier text not null,
      organization_id uuid not null,
      taxpayer_id uuid not null,
      constraint directory_taxpayers_pk primary key (environment, tax_identifier),
      constraint directory_taxpayers_environment_known check (environment in ('sandbox', 'production'))
    )`,
    `create table directory_elements (
      environment text not null,
      jid text not null,
      organization_id uuid,
      constraint directory_elements_pk primary key (environment, jid),
      constraint directory_elements_environment_known check (environment in ('sandbox', 'production'))
    )`,
    `create table taxpayers (
      organization_id uuid not null,
      taxpayer_id uuid not null,
      environment text not null,
      tax_identifier text not null,
      name text not null,
      address text,
      city text,
      vat_status text not null,
      status text not null default 'active',
      preferred_paper_format text not null default 'a4',
      branding_id uuid,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint taxpayers_pk primary key (organization_id, taxpayer_id),
      constraint taxpayers_organization_fk foreign key (organization_id) references organizations (organization_id),
      constraint taxpayers_tax_identifier_unique unique (organization_id, environment, tax_identifier),
      constraint taxpayers_environment_known check (environment in ('sandbox', 'production')),
      constraint taxpayers_vat_status_known check (vat_status in ('IN_VAT', 'OUTSIDE_VAT')),
      constraint taxpayers_status_known check (status in ('active', 'inactive')),
      constraint taxpayers_paper_format_known check (preferred_paper_format in ('a4', '80mm', '58mm'))
    )`,
    `create table business_premises (
      organization_id uuid not null,
      premise_id uuid not null,
      taxpayer_id uuid not null,
      environment text not null,
      pu_identifier text not null,
      name text not null,
      address text,
      city text,
      commerce_mode text not null default 'distance',
      payment_mode text not null default 'all',
      status text not null default 'active',
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint business_premises_pk primary key (organization_id, premise_id),
      constraint business_premises_taxpayer_fk foreign key (organization_id, taxpayer_id)
        references taxpayers (organization_id, taxpayer_id),
      constraint business_premises_pu_identifier_unique unique (organization_id, taxpayer_id, pu_identifier),
      constraint business_premises_environment_known check (environment in ('sandbox', 'production')),
      constraint business_premises_commerce_mode_known check (commerce_mode in ('distance', 'in_person')),
      constraint business_premises_payment_mode_known check (payment_mode in ('all', 'restricted')),
      constraint business_premises_status_known check (status in ('active', 'suspended', 'closed'))
    )`,
    `create table branding_versions (
      organization_id uuid not null,
      branding_id uuid not null,
      taxpayer_id uuid not null,
      contact_lines text[] not null,
      logo bytea,
      logo_media_type text,
      thank_you_note text,
      created_at timestamptz not null,
      constraint branding_versions_pk primary key (organization_id, branding_id),
      constraint branding_versions_taxpayer_fk foreign key (organization_id, taxpayer_id)
        references taxpayers (organization_id, taxpayer_id),
      constraint branding_versions_logo_whole check ((logo is null) = (logo_media_type is null))
    )`,
    `create table delivery_settings (
      organization_id uuid not null,
      taxpayer_id uuid not null,
      enabled boolean not null,
      sender_name text,
      reply_to text,
      updated_at timestamptz not null,
      constraint delivery_settings_pk primary key (organization_id, taxpayer_id),
      constraint delivery_settings_taxpayer_fk foreign key (organization_id, taxpayer_id)
        references taxpayers (organization_id, taxpayer_id)
    )`,
    // One function for everything that must never change: the table and the reason come from the trigger.
    `create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '%: % is refused', tg_table_name, coalesce(tg_argv[0], lower(tg_op))
        using errcode = 'restrict_violation', constraint = tg_name, table = tg_table_name;
    end $$`,
    `create trigger taxpayers_identity_immutable
      before update of organization_id, taxpayer_id, environment, tax_identifier on taxpayers
      for each row execute function refuse_change('changing the identity of a taxpayer')`,
    `create trigger taxpayers_kept before delete on taxpayers
      for each row execute function refuse_change('deleting a taxpayer')`,
    `create trigger business_premises_identity_immutable
      before update of organization_id, premise_id, taxpayer_id, environment, pu_identifier on business_premises
      for each row execute function refuse_change('changing the identity of a business premise')`,
    `create trigger business_premises_kept before delete on business_premises
      for each row execute function refuse_change('deleting a business premise')`,
    `create trigger branding_versions_immutable before update or delete on branding_versions
      for each row execute function refuse_change('changing a branding version: receipts already printed with it')`
  ]
}
