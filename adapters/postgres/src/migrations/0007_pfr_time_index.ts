import type { Migration } from "./Migration.ts"

// Why: the months of a licence, the journal's pfrFrom and pfrTo and every report count receipts by the V-PFR's own time (Spec, Limits,
// Time filters). Only receipts have one.
export const pfrTimeIndex: Migration = {
  number: 7,
  name: "PFR time index",
  statements: [
    `create index operations_by_pfr_time on operations (organization_id, environment, sdc_time) where sdc_time is not null`
  ]
}
