import { always, decimal, type JsonSchema, list, nullable, object, ref, text } from "./JsonSchema.ts"

/** Dry run and proof. Source: Decisions §14, §17. */
export const proofSchemas: Readonly<Record<string, JsonSchema>> = {
  PreviewTax: object("The tax of one label over all lines.", {
    label: text("The label."),
    rate: decimal("Percent, or dinars per unit of quantity for labels of that kind."),
    amount: decimal("Dinars with four decimals, as the V-PFR will sign it.")
  }),
  DryRun: object("The request would be issued as it is.", {
    valid: always("The document would be reserved now; a request that would not be is answered as the sale itself would be.", true),
    totalAmount: decimal("Sum of the lines, dinars."),
    taxes: nullable(list("By label, zero rates too; null where a copy refers to a time whose rates are not known.", ref("PreviewTax"))),
    journalPreview: nullable(
      text("The receipt's text as it would be signed, PFR time, number and counter left empty; null where `taxes` is, or where the security element cannot be opened now.")
    )
  })
}
