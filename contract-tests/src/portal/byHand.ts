import type { PortalAnswer } from "./PortalClient.ts"
import type { SharedPortal } from "./sharedPortal.ts"

type Entries = Readonly<Record<string, string>>

/** What was previewed, as the page names it; empty where it shows no preview. */
export const seenIn = (text: string): string => /name="seen" value="([0-9a-f]+)"/.exec(text)?.[1] ?? ""

/** The document that an address of the portal names. */
export const documentIn = (location: string): string => /receipts\/([0-9a-f-]{36})/.exec(location)?.[1] ?? ""

/** Issues documents by hand in a shared portal, as a person does who presses one button after the other. */
export const byHand = ({ client, rowsOf }: Pick<SharedPortal, "client" | "rowsOf">) => {
  /** A new draft's address; the page redirects to it. */
  const draft = async (session: string, page: string): Promise<string> => (await client.get(page, { session })).location
  const preview = (address: string, session: string, entries: Entries): Promise<PortalAnswer> => client.send(`${address}/entry`, session, { ...entries, act: "preview" })
  /** The form that issues what was previewed. */
  const confirmed = async (address: string, session: string, entries: Entries): Promise<Entries> => ({ ...entries, seen: seenIn((await preview(address, session, entries)).text) })
  /** Previews and issues; answers the document. */
  const issue = async (address: string, session: string, entries: Entries): Promise<string> =>
    documentIn((await client.send(address, session, await confirmed(address, session, entries))).location)
  /** How a document is stored. */
  const stored = async (id: string) => {
    const [row] = await rowsOf<{ readonly status: string; readonly type: string; readonly kind: string; readonly key: string }>(
      "select status, invoice_type as type, transaction_type as kind, key from operations where operation_id = $1", [id])
    return row
  }
  // What holds the key of an advance case is no document.
  const count = async (): Promise<number> => (await rowsOf("select from operations where status <> 'RECEIVED'")).length
  return { draft, preview, confirmed, issue, stored, count }
}

/** Entries of a sale of one line, by card. */
export const saleEntries = (premise: string, reference: string): Entries => ({
  kind: "NORMAL", premise, reference, buyer: "", cashier: "Ана", "product-0": "", "name-0": "Свеска", "unit-0": "ком", "quantity-0": "1", "price-0": "120", "discount-0": "", "labels-0": "A", "gtin-0": "",
  "payment-0": "CARD", "amount-0": ""
})

/** Entries of a refund of one piece, by card. */
export const refundEntries: Entries = { "line-0": "1", "payment-0": "CARD", "amount-0": "", buyer: "10:100000008", cashier: "Ана", reason: "" }
