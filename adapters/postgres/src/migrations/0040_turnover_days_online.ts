import type { Migration } from "./Migration.ts"

// Why: the parts that are not in `turnover_days` yet, which every report reads. Of the others a report reads the few of a begun day, so the large
// index with every column is replaced by one of the time alone.
export const turnoverDaysOnline: Migration = {
  number: 40,
  name: "turnover days, online",
  online: true,
  statements: [
    `create index concurrently if not exists turnover_parts_unsummed on turnover_parts (organization_id, environment, sdc_time) where not summed`,
    `create index concurrently if not exists turnover_parts_by_time on turnover_parts (organization_id, environment, sdc_time)`,
    "drop index concurrently if exists turnover_parts_covering"
  ]
}
