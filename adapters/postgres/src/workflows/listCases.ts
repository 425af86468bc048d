import type { AdvanceCaseFilter, JournalCursor, Tenant } from "@overa/domain"
import { dateOf, equal, scopeConditions, within } from "../journal/journalConditions.ts"
import { Parameters } from "../search/Parameters.ts"
import { caseColumns } from "./caseRows.ts"

/** Where a page of cases begins, and how many it has at most. */
export interface CasePlace {
  readonly after: JournalCursor | null
  readonly limit: number
}

/** The cases that match a filter behind a place, latest first, by the index `advance_cases_in_order`. */
export const listCases = (tenant: Tenant, filter: AdvanceCaseFilter, { after, limit }: CasePlace) => {
  const parameters = new Parameters()
  const conditions = [
    ...scopeConditions("c", tenant, parameters),
    ...equal("c.taxpayer_id", filter.taxpayerId, parameters, "uuid"),
    ...equal("c.premise_id", filter.businessPremiseId, parameters, "uuid"),
    ...equal("c.client_reference", filter.clientReference, parameters),
    // The condition of the index.
    "c.created_at <= 'infinity'",
    ...within("c.created_at", filter.created, parameters),
    ...(after === null ? [] : [`(c.created_at, c.case_id) < (${parameters.add(dateOf(after.createdAt), "timestamptz")}, ${parameters.add(after.id, "uuid")})`])
  ]
  const columns = caseColumns.split(/,\s*/).map((column) => `c.${column}`).join(", ")
  const sql = `select ${columns} from advance_cases c where ${conditions.join(" and ")}
    order by c.created_at desc, c.case_id desc limit ${parameters.add(limit, "integer")}`
  return { sql, values: parameters.values }
}
