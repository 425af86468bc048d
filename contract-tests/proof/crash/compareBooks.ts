import pg from "pg"

/** A receipt as the V-PFR counts it. */
interface FarReceipt {
  readonly requestId: string
  readonly invoiceNumber: string
}

/** An operation in the store, with the RequestId of every attempt. */
interface OurOperation {
  readonly key: string
  readonly status: string
  readonly invoice_number: string | null
  readonly request_ids: ReadonlyArray<string>
}

/** The operations of the store and the receipts of the V-PFR, read at one moment. */
export interface Books {
  readonly receipts: ReadonlyArray<FarReceipt>
  readonly operations: ReadonlyArray<OurOperation>
}

const unresolved = new Set(["SUBMITTING", "OUTCOME_UNKNOWN", "RECONCILING"])

export const readBooks = async (databaseUrl: string, controlUrl: string): Promise<Books> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<OurOperation>(
      `select o.key, o.status, o.invoice_number, array_remove(array_agg(a.request_id) || o.request_id, null) as request_ids
       from operations o left join attempts a using (organization_id, operation_id)
       group by o.organization_id, o.operation_id, o.key, o.status, o.invoice_number, o.request_id`
    )
    const answer = await fetch(`${controlUrl}/receipts`)
    const { receipts } = await answer.json() as { readonly receipts: ReadonlyArray<FarReceipt> }
    return { receipts, operations: rows }
  } finally {
    await client.end()
  }
}

const byRequestId = (receipts: ReadonlyArray<FarReceipt>): Map<string, ReadonlyArray<FarReceipt>> =>
  Map.groupBy(receipts, ({ requestId }) => requestId)

/** Receipts that exist at the V-PFR while the store still says that the outcome is unknown. */
export const notYetFound = ({ operations, receipts }: Books): ReadonlyArray<string> => {
  const signed = byRequestId(receipts)
  return operations
    .filter(({ request_ids, status }) => unresolved.has(status) && request_ids.some((id) => signed.has(id)))
    .map(({ key }) => key)
}

/**
 * What no crash may cause, one sentence per case: a second receipt, a receipt that the store does not know, a receipt in the store that does not
 * exist at the V-PFR, or one that the store denies.
 */
export const contradictions = ({ operations, receipts }: Books): ReadonlyArray<string> => {
  const signed = byRequestId(receipts)
  const known = new Set(operations.flatMap(({ request_ids }) => request_ids))
  const found: Array<string> = []
  for (const [requestId, several] of signed) {
    if (several.length > 1) found.push(`RequestId ${requestId} was signed ${several.length} times`)
    if (!known.has(requestId)) found.push(`RequestId ${requestId} was signed but is in no operation`)
  }
  for (const { invoice_number: number, key, request_ids: ids, status } of operations) {
    const theirs = ids.flatMap((id) => signed.get(id) ?? []).map(({ invoiceNumber }) => invoiceNumber)
    if (theirs.length > 1) found.push(`${key} has ${theirs.length} receipts: ${theirs.join(", ")}`)
    if (status === "FISCALIZED" && (number === null || !theirs.includes(number))) found.push(`${key} claims ${number}, which was never signed for it`)
    if (status !== "FISCALIZED" && !unresolved.has(status) && theirs.length > 0) found.push(`${key} is ${status} but ${theirs.join(", ")} was signed`)
  }
  return found
}
