import { type EnvironmentName, environmentNames } from "../EnvironmentName.ts"
import type { CategoryType, TaxCategory } from "../taxes/TaxRateGroup.ts"
import { checkFields, ControlRefusal, type FieldRule, type Fields, matching, oneOf, textOf } from "./readControlBody.ts"

export interface TaxRateOrder {
  readonly environment: EnvironmentName
  readonly validFrom: string
  readonly taxCategories: ReadonlyArray<TaxCategory>
}

const nonEmptyList: FieldRule = { must: "a list with at least one entry", holds: (value) => Array.isArray(value) && value.length > 0 }

const rate: FieldRule = {
  must: "a number from 0 to 1000 with at most two decimals",
  holds: (value) => typeof value === "number" && value >= 0 && value <= 1000 && Number(value.toFixed(2)) === value
}

const validFrom = matching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/, "a date and time with offset, 2027-01-01T00:00:00+01:00")

const asObject = (value: unknown, name: string): Fields => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ControlRefusal(`Every entry of ${name} must be an object.`)
  return value as Fields
}

const readCategory = (value: unknown, index: number): TaxCategory => {
  const rules = { name: textOf(1, 50), categoryType: oneOf([0, 1, 2]), taxRates: nonEmptyList }
  const fields = checkFields(asObject(value, "taxCategories"), rules, ["name", "categoryType", "taxRates"])
  return {
    name: String(fields["name"]),
    categoryType: fields["categoryType"] as CategoryType,
    orderId: index + 1,
    taxRates: (fields["taxRates"] as ReadonlyArray<unknown>).map((entry) => {
      const given = checkFields(asObject(entry, "taxRates"), { label: textOf(1, 5), rate }, ["label", "rate"])
      return { label: String(given["label"]), rate: Math.round(Number(given["rate"]) * 100) }
    })
  }
}

/** A tax rate group to schedule, from a control request's body; rates in percent, or dinars per unit for type 2. */
export const readTaxRateOrder = (fields: Fields): TaxRateOrder => {
  const rules = { environment: oneOf(environmentNames), validFrom, taxCategories: nonEmptyList }
  const given = checkFields(fields, rules, ["environment", "validFrom", "taxCategories"])
  const instant = Date.parse(String(given["validFrom"]))
  if (Number.isNaN(instant)) throw new ControlRefusal("The field validFrom must be a date and time that exists.")
  const taxCategories = (given["taxCategories"] as ReadonlyArray<unknown>).map(readCategory)
  const labels = taxCategories.flatMap((category) => category.taxRates.map(({ label }) => label))
  const repeated = labels.find((label, index) => labels.indexOf(label) !== index)
  if (repeated !== undefined) throw new ControlRefusal(`The label ${repeated} is given twice.`)
  return {
    environment: given["environment"] as EnvironmentName,
    validFrom: new Date(instant).toISOString().replace(/\.\d{3}Z$/, "Z"),
    taxCategories
  }
}
