import { type DeliveryFilter, type DeliveryPlace, isBounded, type Tenant } from "@overa/domain"
import { dateOf, equal, scopeConditions, within } from "../journal/journalConditions.ts"
import { deliveryColumns } from "../rows/DeliveryRow.ts"
import { Parameters } from "../search/Parameters.ts"

/** The receipt was signed in the range; the statement names the organization for each table, so a split server asks one of its parts. */
const signedConditions = (tenant: Tenant, { pfr }: DeliveryFilter, parameters: Parameters): ReadonlyArray<string> => {
  if (!isBounded(pfr)) return []
  const conditions = ["o.operation_id = d.fiscal_document_id", ...scopeConditions("o", tenant, parameters), ...within("o.sdc_time", pfr, parameters)]
  return [`exists (select from operations o where ${conditions.join(" and ")})`]
}

const behind = ({ after }: DeliveryPlace, { add }: Parameters): ReadonlyArray<string> =>
  after === null ? [] : [`(d.created_at, d.delivery_id) < (${add(dateOf(after.createdAt), "timestamptz")}, ${add(after.id, "uuid")})`]

/** The deliveries that match a filter, behind a place, latest first. */
export const listStatement = (tenant: Tenant, filter: DeliveryFilter, place: DeliveryPlace) => {
  const parameters = new Parameters()
  const conditions = [
    ...scopeConditions("d", tenant, parameters),
    ...equal("d.status", filter.status, parameters),
    ...equal("d.fiscal_document_id", filter.fiscalDocumentId, parameters, "uuid"),
    ...equal("lower(d.recipient)", filter.recipient, parameters),
    ...within("d.created_at", filter.created, parameters),
    ...signedConditions(tenant, filter, parameters),
    ...behind(place, parameters)
  ]
  const columns = deliveryColumns.split(", ").map((column) => `d.${column}`).join(", ")
  const sql = `select ${columns} from receipt_deliveries d where ${conditions.join(" and ")}
    order by d.created_at desc, d.delivery_id desc limit ${parameters.add(place.limit, "integer")}`
  return { sql, values: parameters.values }
}
