import { PaymentType } from "@overa/domain"
import { decimal, integer, type JsonSchema, list, nullable, object, oneOfTexts, ref, text, uuid } from "@overa/host-kit/contract"

const dinars = (description: string): JsonSchema => decimal(description)

/** Journal and reports. Source: Decisions §5, Journal, reports, deliveries; Decisions §10. */
export const journalSchemas: Readonly<Record<string, JsonSchema>> = {
  JournalPage: object("Documents of every status, latest first.", {
    items: list("Without `pfrRejection`, which a single read has.", ref("FiscalDocument")),
    nextCursor: nullable(text("Send it as `cursor`, with the same filters, for the next page; null at the end."))
  }),
  TurnoverReport: object("Sales less refunds of Normal and Advance receipts.", {
    rows: list("Sorted by their groups; one row where nothing is grouped.", ref("TurnoverRow"))
  }),
  TurnoverRow: object("One group. `gross` is the sum of `payments` and `advanceApplied`.", {
    group: object("The value of every grouping asked for.", {
      day: text("Belgrade day of the signing time."),
      month: text("Belgrade month of the signing time."),
      premise: uuid("The premise."),
      paymentType: nullable(oneOfTexts("How it was paid; null for the part of a final sale that its advances had paid (`advanceApplied`), which has no payment of its own.", PaymentType.literals)),
      taxLabel: text("The label, or all labels of an item separated by a comma."),
      cashier: text("The cashier's id.")
    }, ["day", "month", "premise", "paymentType", "taxLabel", "cashier"]),
    receipts: integer("Receipts, sales and refunds alike, that have a part in the group.", { minimum: 0 }),
    gross: dinars("Sales less refunds, dinars."),
    payments: list("By type.", object("One type.", { type: ref("PaymentType"), amount: dinars("Dinars.") })),
    taxes: list("By label.", object("One label.", {
      label: text("The label."),
      amount: dinars("The signed amounts summed, rounded once.")
    })),
    advanceApplied: dinars("What closed advances paid, dinars.")
  })
}
