import { Result } from "effect"
import type { VatStatus } from "../tenancy/Taxpayer.ts"
import { TaxLabelNotAllowedOutsideVat, TaxLabelNotCurrent } from "./errors.ts"
import { lookAlike, spelledOut } from "./lookAlike.ts"
import type { TaxRateGroup } from "./TaxRateGroup.ts"

interface Labelled {
  readonly taxLabels: ReadonlyArray<string>
}

const labelsOf = (items: ReadonlyArray<Labelled>): ReadonlyArray<string> => [...new Set(items.flatMap((item) => item.taxLabels))]

const messageFor = (wrong: ReadonlyArray<string>, valid: ReadonlyArray<string>): string =>
  wrong.map((label) => {
    const meant = lookAlike(label, valid)
    const hint = meant === undefined ? "" : `; perhaps ${spelledOut(meant)} is meant`
    return `${spelledOut(label)} is not a label of the tax configuration${hint}`
  }).join(". ") + `. Valid labels: ${valid.join(", ")}.`

/**
 * Checks that every label is in the group, compared code point for code point. For refunds and copies it is the group at the time of the referenced
 * document (Decisions §2).
 */
export const checkLabelsExist = (
  items: ReadonlyArray<Labelled>,
  group: TaxRateGroup
): Result.Result<void, TaxLabelNotCurrent> => {
  const valid = group.rates.map((rate) => rate.label)
  const wrong = labelsOf(items).filter((label) => !valid.includes(label))
  return wrong.length === 0
    ? Result.void
    : Result.fail(new TaxLabelNotCurrent({ invalidLabels: wrong, message: messageFor(wrong, valid) }))
}

/** The labels of a group that belong to a VAT category of the environment (Decisions §1). */
export const vatLabels = (group: TaxRateGroup, vatCategories: ReadonlySet<string>): ReadonlyArray<string> =>
  group.rates.filter((rate) => vatCategories.has(rate.category)).map((rate) => rate.label)

/** Step 9 of the order of checks for a new sale: the labels are current, then they are allowed for the taxpayer's VAT status (Decisions §1, §2). */
export const checkLabels = (
  items: ReadonlyArray<Labelled>,
  context: {
    readonly group: TaxRateGroup
    readonly vatStatus: VatStatus
    readonly vatCategories: ReadonlySet<string>
  }
): Result.Result<void, TaxLabelNotCurrent | TaxLabelNotAllowedOutsideVat> =>
  Result.flatMap(checkLabelsExist(items, context.group), (): Result.Result<void, TaxLabelNotAllowedOutsideVat> => {
    if (context.vatStatus === "IN_VAT") return Result.void
    const vat = vatLabels(context.group, context.vatCategories)
    const refused = labelsOf(items).filter((label) => vat.includes(label))
    return refused.length === 0
      ? Result.void
      : Result.fail(new TaxLabelNotAllowedOutsideVat({ invalidLabels: refused }))
  })
