/** A receipt that a shop was told. */
export interface ToldReceipt {
  readonly id: string
  readonly invoiceNumber: string
  readonly totalAmount: number
}

interface Told {
  readonly id: string
  readonly status: string
  readonly pfr: { readonly invoiceNumber: string } | null
  readonly totalAmount?: number | null
}

/** What one shop was told by the service. */
export class Ledger {
  readonly receipts: Array<ToldReceipt> = []
  /** Addresses to which a receipt was to be sent; one delivery each. */
  readonly recipients = new Map<string, string>()
  /** Answers that no shop may get, a sentence for each. */
  readonly wrong: Array<string> = []
  /** Errands that waited for an answer when the run was over. */
  unanswered = 0
  /** Errands done, by their family. */
  readonly done = new Map<string, number>()
  /** How long errands took, in milliseconds. */
  readonly millis: Array<number> = []

  /** Notes each document that is a receipt. */
  told(...documents: ReadonlyArray<Told | null | undefined>): void {
    for (const document of documents) {
      if (document?.status !== "FISCALIZED" || document.pfr === null) continue
      this.receipts.push({ id: document.id, invoiceNumber: document.pfr.invoiceNumber, totalAmount: document.totalAmount ?? 0 })
    }
  }

  finished(family: string, millis: number): void {
    this.done.set(family, (this.done.get(family) ?? 0) + 1)
    this.millis.push(millis)
  }
}
