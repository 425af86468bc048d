import { Schema } from "effect"
import type { Cashier } from "../parties/Cashier.ts"
import { optional, textField } from "./textField.ts"

/** Source: Spec, Resources, Cashier; bounds: Decisions §1. */
export const cashierField = Schema.Struct({
  id: textField(50).annotate({ description: "Printed." }),
  displayName: optional(
    textField(100).annotate({
      description: "A name for your own records: stored with the document, not printed and not sent to the V-PFR."
    })
  )
}).annotate({ identifier: "Cashier", description: "The cashier printed on the receipt." })

/** The cashier as stored: what is absent is null. */
export const toCashier = (cashier: typeof cashierField.Type): Cashier => ({
  id: cashier.id,
  displayName: cashier.displayName ?? null
})
