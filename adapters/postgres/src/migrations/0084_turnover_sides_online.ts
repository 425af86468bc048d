import type { Migration } from "./Migration.ts"

// Why: the parts that step 83 left to be added. Once there are none, reports read only this empty index to know it.
export const turnoverSidesOnline: Migration = {
  number: 84,
  name: "turnover sides, online",
  online: true,
  statements: [`create index concurrently if not exists turnover_parts_unsided on turnover_parts (organization_id, environment, sdc_time) where not sided`]
}
