import type { Migration } from "./Migration.ts"

// Why: the month of the bookkeeper by mail (docs/adr/0378). A row is what a member has switched on for a taxpayer, and the next month to be sent: the commit that queues a month's
// message moves it to the month after, so each month is queued once.
export const monthMails: Migration = {
  number: 82,
  name: "month mails",
  statements: [
    `create table month_mails (
      organization_id uuid not null,
      person_id uuid not null,
      environment text not null,
      taxpayer_id uuid not null,
      formats text[] not null,
      language text not null,
      portal text not null,
      next_month text not null,
      last_month text,
      last_mail_id uuid,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint month_mails_pk primary key (organization_id, person_id, environment, taxpayer_id),
      constraint month_mails_environment_known check (environment in ('sandbox', 'production')),
      constraint month_mails_formats_known check (cardinality(formats) > 0 and formats <@ array['xlsx', 'csv', 'pdf']),
      constraint month_mails_language_known check (language in ('sr-Cyrl', 'sr-Latn', 'en')),
      constraint month_mails_next_is_month check (next_month ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'),
      constraint month_mails_last_before_next check (last_month < next_month),
      constraint month_mails_last_whole check ((last_month is null) = (last_mail_id is null))
    )`,
    `create index month_mails_due on month_mails (next_month)`
  ]
}
