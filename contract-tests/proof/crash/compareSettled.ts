import { setTimeout as pause } from "node:timers/promises"
import { contradictions, notYetFound, readBooks } from "./compareBooks.ts"
import type { KnownSale } from "./Till.ts"

const patienceMillis = 30_000

/** The addresses of the store and of the V-PFR. */
export interface BothSides {
  readonly settings: { readonly databaseUrl: string }
  readonly controlUrl: string
}

/** Facts that the shop was told and the store no longer has. */
const forgotten = (sales: ReadonlyArray<KnownSale>, numbers: ReadonlyMap<string, string | null>): ReadonlyArray<string> =>
  sales
    .filter(({ invoiceNumber, key }) => invoiceNumber !== null && numbers.get(key) !== invoiceNumber)
    .map(({ invoiceNumber, key }) => `the shop was told ${invoiceNumber} for ${key}; the store says ${numbers.get(key)}`)

/**
 * Compares the store with the V-PFR; every comparison must find no contradiction. With `sales` given a worker runs, and the comparison waits until
 * every existing receipt has been found.
 */
export const compareSettled = async (site: BothSides, sales: ReadonlyArray<KnownSale>): Promise<ReadonlyArray<string>> => {
  const deadline = performance.now() + patienceMillis
  while (true) {
    const books = await readBooks(site.settings.databaseUrl, site.controlUrl)
    const missing = sales.length === 0 ? [] : notYetFound(books).map((key) => `${key} was signed and is not found`)
    const numbers = new Map(books.operations.map(({ invoice_number: number, key }) => [key, number]))
    const wrong = [...contradictions(books), ...forgotten(sales, numbers)]
    if (wrong.length > 0 || missing.length === 0 || performance.now() > deadline) return [...wrong, ...missing]
    await pause(100)
  }
}
