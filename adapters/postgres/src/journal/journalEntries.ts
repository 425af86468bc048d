import { type Operation, searchedTexts, type Tenant, totalAmount } from "@overa/domain"
import { BigDecimal } from "effect"
import { searchKeys } from "../search/searchGrams.ts"
import type { OperationRow } from "../rows/OperationRow.ts"
import { labelsOf } from "./documentLabels.ts"
import { monthNumbering, monthOf, wholeTerms } from "./journalTerms.ts"

const entryColumns = "search_text text, search_terms integer[], labels text[], amount numeric"

/** $1 organization, $2 environment, $3 entries. A document that was removed by hand and is taken back has its entry still. */
export const insertEntries = `insert into journal_entries (organization_id, operation_id, environment, created_at, search_text, search_terms, labels, amount)
  select $1, a.operation_id, $2, a.created_at, a.search_text, a.search_terms, a.labels, a.amount
  from jsonb_to_recordset($3::jsonb) as a (operation_id uuid, created_at timestamptz, ${entryColumns})
  on conflict do nothing`

/** $1 organization, $2 environment, $3 operations. */
export const insertPending = `insert into journal_pending (organization_id, environment, operation_id)
  select $1, $2, id from unnest($3::uuid[]) as a (id) on conflict do nothing`

/** A document that has become a receipt has a number, and one that could not be read may be readable now. */
export const fillEntries = `update journal_entries e set search_text = a.search_text, search_terms = a.search_terms, labels = a.labels, amount = a.amount
  from jsonb_to_recordset($2::jsonb) as a (operation_id uuid, ${entryColumns})
  where e.organization_id = $1 and e.operation_id = a.operation_id`

/** An operation as `journal_entries` keeps it. */
export const entryOf = (tenant: Tenant, operation: Operation) => {
  const { answer, content } = operation
  const createdAt = new Date(operation.createdAt.epochMilliseconds)
  const numbering = monthNumbering(tenant, monthOf(createdAt))
  const { grams, text } = searchKeys(numbering, [...searchedTexts(content), ...(answer === null ? [] : [answer.pfr.invoiceNumber])])
  const whole = wholeTerms(numbering, {
    taxpayerId: operation.taxpayerId,
    businessPremiseId: operation.businessPremiseId,
    invoiceType: content.invoiceType,
    transactionType: content.transactionType,
    clientReference: content.clientReference,
    buyerId: content.buyer?.id ?? null,
    cashierId: content.cashier.id
  })
  return {
    operation_id: operation.id,
    created_at: createdAt.toISOString(),
    search_text: text,
    search_terms: [...new Set([...whole, ...grams])],
    labels: labelsOf(content),
    amount: BigDecimal.format(totalAmount(content.items))
  }
}

/** An entry that no search finds; filled when the pending operation has become final and can be read again. */
export const blankEntry = (row: Pick<OperationRow, "operation_id" | "created_at">) => ({
  operation_id: row.operation_id,
  created_at: row.created_at.toISOString(),
  search_text: "",
  search_terms: [],
  labels: [],
  // No amount of a document, so that the entry is not taken for one of an earlier release.
  amount: "-1"
})
