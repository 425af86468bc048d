import type { Migration } from "./Migration.ts"

// Why: an element's counters must follow each other (Decisions §14, Counters). The sealer notes the counter of each receipt it seals, the worker looks
// for gaps and forgets what is accounted for, so both tables stay small. Nothing is written on the path of a receipt.
//
// - `counter_spans`: counters noted since the last that is accounted for; a raised gap is noted too, so that it is raised once.
// - `counter_series`: up to where each series, `<requested by>-<signed by>`, is accounted for.
export const counters: Migration = {
  number: 27,
  name: "counters",
  statements: [
    `create table counter_series (
      organization_id uuid not null,
      environment text not null,
      series text not null,
      accounted_to bigint,
      constraint counter_series_pk primary key (organization_id, environment, series)
    )`,
    `create table counter_spans (
      organization_id uuid not null,
      environment text not null,
      series text not null,
      first_counter bigint not null,
      last_counter bigint not null,
      operation_id uuid not null,
      noted_at timestamptz not null,
      constraint counter_spans_pk primary key (organization_id, environment, series, first_counter),
      constraint counter_spans_in_order check (first_counter <= last_counter)
    )`
  ]
}
