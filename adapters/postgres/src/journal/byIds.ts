import type { FiscalDocumentId } from "@overa/domain"
import { textBytes } from "../rows/firstWithinBytes.ts"
import { bytesBefore, isWithinBytes } from "../rows/withinBytes.ts"

/**
 * $1 organization, $2 environment, $3 ids, $4 bytes. The documents in the order of the ids, up to the one at which so many bytes are exceeded; the
 * sizes are known without reading the texts.
 */
export const byIdsWithinBytes = (columns: string, texts: keyof typeof textBytes = "answer and content"): string => `with sized as materialized (
    select s.operation_id, ${bytesBefore(textBytes[texts], "array_position($3::uuid[], s.operation_id)")} as bytes_before
    from operations s where s.organization_id = $1 and s.environment = $2 and s.operation_id = any ($3::uuid[]))
  select ${columns} from operations o where o.organization_id = $1 and o.environment = $2
    and o.operation_id in (select z.operation_id from sized z where ${isWithinBytes("z.bytes_before", "$4::int8")})`

/** The rows found, in the order of the ids. */
export const inOrderOf = <Row extends { readonly operation_id: string }>(
  ids: ReadonlyArray<FiscalDocumentId>,
  rows: ReadonlyArray<Row>
): ReadonlyArray<Row> => {
  const byId = new Map(rows.map((row) => [row.operation_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
