import pg from "pg"
import type { BothSides } from "./compareSettled.ts"

/** A receipt as the V-PFR counts it. */
interface FarReceipt {
  readonly requestId: string
  readonly invoiceNumber: string
  /** By its number (V-PFR §3). */
  readonly invoiceType: number
  readonly transactionType: number
  readonly totalAmount: string | number
  readonly signedAt: string
}

interface CaseRow {
  readonly case_id: string
  readonly key_role: string
  readonly request_ids: ReadonlyArray<string>
}

/** The receipts that the V-PFR signed for one case. */
export interface SignedCase {
  readonly caseId: string
  readonly sales: ReadonlyArray<FarReceipt>
  /** Advance Refunds of cancellations, and of closings: these have a key that the service composed. */
  readonly cancellations: ReadonlyArray<FarReceipt>
  readonly closingRefunds: ReadonlyArray<FarReceipt>
  readonly copies: ReadonlyArray<FarReceipt>
  readonly finalSales: ReadonlyArray<FarReceipt>
}

/** Numbers of the V-PFR (V-PFR §3). */
const invoiceTypes = { NORMAL: 0, COPY: 2, ADVANCE: 4 } as const
const transactionTypes = { SALE: 0, REFUND: 1 } as const

const documentsOfCases = `select d.case_id, o.key_role, array_remove(array_agg(a.request_id) || o.request_id, null) as request_ids
  from advance_documents d join operations o using (organization_id, operation_id)
    left join attempts a using (organization_id, operation_id)
  group by d.case_id, d.place, o.key_role, o.request_id order by d.place`

/** The receipts that the V-PFR signed for each case in the store. */
export const readCaseBooks = async ({ controlUrl, settings }: BothSides): Promise<ReadonlyArray<SignedCase>> => {
  const client = new pg.Client({ connectionString: settings.databaseUrl })
  await client.connect()
  const { rows } = await client.query<CaseRow>(documentsOfCases).finally(() => client.end())
  const answer = await fetch(`${controlUrl}/receipts`)
  const { receipts } = await answer.json() as { readonly receipts: ReadonlyArray<FarReceipt> }
  const byRequestId = Map.groupBy(receipts, ({ requestId }) => requestId)
  return [...Map.groupBy(rows, (row) => row.case_id)].map(([caseId, documents]) => {
    const signed = documents.flatMap(({ key_role: role, request_ids: ids }) =>
      ids.flatMap((id) => byRequestId.get(id) ?? []).map((receipt) => ({ ...receipt, role }))
    )
    const of = (invoiceType: keyof typeof invoiceTypes, transactionType: keyof typeof transactionTypes) =>
      signed.filter((receipt) =>
        receipt.invoiceType === invoiceTypes[invoiceType] && receipt.transactionType === transactionTypes[transactionType]
      )
    const refunds = of("ADVANCE", "REFUND")
    return {
      caseId,
      sales: of("ADVANCE", "SALE"),
      cancellations: refunds.filter(({ role }) => role === "REQUEST"),
      closingRefunds: refunds.filter(({ role }) => role === "INNER"),
      copies: of("COPY", "REFUND"),
      finalSales: of("NORMAL", "SALE")
    }
  })
}

const paras = (receipts: ReadonlyArray<FarReceipt>): number =>
  receipts.reduce((sum, { totalAmount }) => sum + Math.round(Number(totalAmount) * 100), 0)

/**
 * What no crash may cause in a case, one sentence each: an advance given back twice or not in full, two Advance Refunds, a second final sale, a final
 * sale before its Advance Refund, a copy of nothing.
 */
export const caseContradictions = (cases: ReadonlyArray<SignedCase>): ReadonlyArray<string> =>
  cases.flatMap(({ cancellations, caseId, closingRefunds, copies, finalSales, sales }) => {
    const standing = paras(sales) - paras(cancellations)
    const [refund] = closingRefunds
    const [final] = finalSales
    const isOutOfOrder = final !== undefined && (refund === undefined || refund.signedAt > final.signedAt)
    return [
      ...(standing < 0 ? [`${caseId}: more was cancelled than paid`] : []),
      ...(refund !== undefined && paras(closingRefunds) !== standing ? [`${caseId}: ${standing} paras stood, ${paras(closingRefunds)} were given back at closing`] : []),
      ...(closingRefunds.length > 1 ? [`${caseId} has ${closingRefunds.length} closing Advance Refunds`] : []),
      ...(finalSales.length > 1 ? [`${caseId} has ${finalSales.length} final sales`] : []),
      ...(isOutOfOrder ? [`${caseId}: the final sale was signed before its Advance Refund`] : []),
      ...(copies.length > cancellations.length ? [`${caseId} has ${copies.length} copies of ${cancellations.length} cancellations`] : [])
    ]
  })
