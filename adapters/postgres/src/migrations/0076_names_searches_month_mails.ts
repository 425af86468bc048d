import type { Migration } from "./Migration.ts"

// Why: three things that the portal keeps for people.
//
// - `activity_log.subject_name`: what an act was done to, by the name that it had then (docs/adr/0375). Lines written before have none.
// - `saved_searches`: a person's searches of the journal in one organization (docs/adr/0376).
// - `month_mails`: to which member a taxpayer's month is sent by e-mail, and on which day of the next month; `month_mailings`: each month that was due, and
//   what became of it. The key makes a month one message for each recipient (docs/adr/0377).
export const namesSearchesMonthMails: Migration = {
  number: 76,
  name: "names, searches, month mails",
  statements: [
    `alter table activity_log add column subject_name text`,
    `create table saved_searches (
      organization_id uuid not null,
      person_id uuid not null,
      search_id uuid not null,
      name text not null,
      query text not null,
      created_at timestamptz not null,
      constraint saved_searches_pk primary key (organization_id, person_id, search_id),
      constraint saved_searches_name_given check (name <> '')
    )`,
    `create unique index saved_searches_name_unique on saved_searches (organization_id, person_id, lower(name))`,
    `create table month_mails (
      organization_id uuid not null,
      month_mail_id uuid not null,
      environment text not null,
      taxpayer_id uuid not null,
      person_id uuid not null,
      day integer not null,
      language text not null,
      created_at timestamptz not null,
      ended_at timestamptz,
      constraint month_mails_pk primary key (organization_id, month_mail_id),
      constraint month_mails_environment_known check (environment in ('sandbox', 'production')),
      constraint month_mails_day_possible check (day between 1 and 28),
      constraint month_mails_language_known check (language in ('sr-Cyrl', 'sr-Latn', 'en'))
    )`,
    `create unique index month_mails_one_each on month_mails (organization_id, environment, taxpayer_id, person_id) where ended_at is null`,
    `create table month_mailings (
      organization_id uuid not null,
      month_mail_id uuid not null,
      month text not null,
      status text not null,
      attempts integer not null,
      last_error text,
      due_at timestamptz not null,
      handing_over_at timestamptz,
      claim uuid,
      claimed_until timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint month_mailings_pk primary key (organization_id, month_mail_id, month),
      constraint month_mailings_status_known check (status in ('QUEUED', 'SENT', 'FAILED', 'UNCERTAIN')),
      constraint month_mailings_claim_whole check ((claim is null) = (claimed_until is null))
    )`,
    `create index month_mailings_due on month_mailings (due_at) where status = 'QUEUED'`
  ]
}
