import { Result } from "effect"
import { mostFaults, pointerOf } from "../requests/Fault.ts"
import type { VatStatus } from "../tenancy/Taxpayer.ts"
import { TaxLabelNotAllowedOutsideVat, TaxLabelNotCurrent } from "./errors.ts"
import { lookAlike, spelledOut } from "./lookAlike.ts"
import type { TaxRateGroup } from "./TaxRateGroup.ts"

interface Labelled {
  readonly taxLabels: ReadonlyArray<string>
}

const labelsOf = (items: ReadonlyArray<Labelled>): ReadonlyArray<string> => [...new Set(items.flatMap((item) => item.taxLabels))]

const faultOf = (label: string, valid: ReadonlyArray<string>): string => {
  const meant = lookAlike(label, valid)
  const hint = meant === undefined ? "" : `; perhaps ${spelledOut(meant)} is meant`
  return `${spelledOut(label)} is not a label of the tax configuration${hint}`
}

const messageFor = (wrong: ReadonlyArray<string>, valid: ReadonlyArray<string>): string =>
  `${wrong.map((label) => faultOf(label, valid)).join(". ")}. Valid labels: ${valid.join(", ")}.`

/** Whose lines are checked: those of the request, where a refusal names their places, or those of a stored document. */
export type LabelledBy = "REQUEST" | "STORED"

/** Every place of the request with one of the labels. */
const placesOf = (items: ReadonlyArray<Labelled>, by: LabelledBy, wrong: ReadonlyArray<string>, faultOfLabel: (label: string) => string) =>
  by === "STORED" ? {} : {
    details: items.flatMap(({ taxLabels }, item) =>
      taxLabels.flatMap((label, at) => wrong.includes(label) ? [{ pointer: pointerOf(["items", item, "taxLabels", at]), message: faultOfLabel(label) }] : [])
    ).slice(0, mostFaults)
  }

/**
 * Checks that every label is in the group, compared code point for code point. For refunds and copies it is the group at the time of the referenced
 * document (Decisions §2).
 */
export const checkLabelsExist = (
  items: ReadonlyArray<Labelled>,
  group: TaxRateGroup,
  by: LabelledBy = "STORED"
): Result.Result<void, TaxLabelNotCurrent> => {
  const valid = group.rates.map((rate) => rate.label)
  const wrong = labelsOf(items).filter((label) => !valid.includes(label))
  return wrong.length === 0
    ? Result.void
    : Result.fail(new TaxLabelNotCurrent({ invalidLabels: wrong, ...placesOf(items, by, wrong, (label) => faultOf(label, valid)), message: messageFor(wrong, valid) }))
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
  Result.flatMap(checkLabelsExist(items, context.group, "REQUEST"), (): Result.Result<void, TaxLabelNotAllowedOutsideVat> => {
    if (context.vatStatus === "IN_VAT") return Result.void
    const vat = vatLabels(context.group, context.vatCategories)
    const refused = labelsOf(items).filter((label) => vat.includes(label))
    return refused.length === 0
      ? Result.void
      : Result.fail(new TaxLabelNotAllowedOutsideVat({ invalidLabels: refused, ...placesOf(items, "REQUEST", refused, (label) => `${spelledOut(label)} is a VAT label, and the taxpayer is outside the VAT system`) }))
  })
