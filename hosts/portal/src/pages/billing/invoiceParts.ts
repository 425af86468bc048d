import { type InvoiceEntry, invoiceDays, InvoiceRenderer, Invoices, paidOn, printedNumber, readInvoiceNumber } from "@overa/domain"
import { Effect, Option } from "effect"
import type { Html } from "../../html/el.ts"
import { badge } from "../../html/parts.ts"
import type { Reply } from "../../http/Reply.ts"
import type { Visit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { reportedTime } from "../../language/formats.ts"

/** The invoice whose number is in the address, of whichever organization. */
export const invoiceOf = Effect.fnUntraced(function*({ params }: Visit) {
  const id = readInvoiceNumber(params["number"] ?? "")
  const found = id === null ? null : Option.getOrNull(yield* (yield* Invoices).find(id))
  return found ?? (yield* new NotFound({}))
})

/** Whether an invoice is paid, as one word; `today` is a Belgrade day. */
export const paidBadge = ({ say }: Visit, entry: InvoiceEntry, today: string): Html => {
  const day = paidOn(entry)
  if (day !== null) return badge("good", `${say("Плаћено", "Paid")} ${reportedTime(day)}`)
  return invoiceDays(entry.invoice).dueOn < today ? badge("bad", say("Рок је прошао", "Overdue")) : badge("wait", say("Чека уплату", "To be paid"))
}

/** The invoice as PDF, in the reader's language. */
export const invoiceFile = Effect.fnUntraced(function*({ language }: Visit, { invoice }: InvoiceEntry) {
  const reply: Reply = {
    _tag: "File",
    bytes: yield* (yield* InvoiceRenderer).pdf(invoice, language),
    mediaType: "application/pdf",
    fileName: `invoice-${printedNumber(invoice.id)}.pdf`,
    inline: false
  }
  return reply
})
