import type { EnvironmentName } from "../EnvironmentName.ts"
import type { CategoryType, TaxCategory, TaxRateGroup } from "./TaxRateGroup.ts"

type Row = readonly [name: string, categoryType: CategoryType, rates: Readonly<Record<string, number>>]

const categories = (rows: ReadonlyArray<Row>): ReadonlyArray<TaxCategory> =>
  rows.map(([name, categoryType, rates], index) => ({
    name,
    categoryType,
    orderId: index + 1,
    taxRates: Object.entries(rates).map(([label, rate]) => ({ label, rate }))
  }))

const sandboxCategories = (ecal: number, vat: Readonly<Record<string, number>>): ReadonlyArray<TaxCategory> =>
  categories([
    ["ECAL", 0, { F: ecal }],
    ["N-TAX", 0, { N: 0 }],
    ["PBL", 2, { P: 50 }],
    ["STT", 0, { E: 600 }],
    ["TOTL", 1, { T: 200 }],
    ["VAT", 0, vat],
    ["VAT-EXCL", 0, { C: 0 }]
  ])

const productionCategories = (outsideVat: boolean): ReadonlyArray<TaxCategory> =>
  categories([
    ["О-ПДВ", 0, { "Ђ": 2000 }],
    ["П-ПДВ", 0, { "Е": 1000 }],
    ["Без ПДВ", 0, { "Г": 0 }],
    ...(outsideVat ? [["Није у ПДВ", 0, { "А": 0 }] as const] : [])
  ])

/**
 * Groups 1, 2 and 5 are the sandbox's published ones (V-PFR §5); group 8 is known by its number only and repeats 5.
 * Group ids, dates and history of production are the simulator's own (V-PFR §12.4), labels and rates are the real ones.
 */
const history: Record<EnvironmentName, ReadonlyArray<TaxRateGroup>> = {
  sandbox: [
    { validFrom: "2021-07-15T23:08:09Z", groupId: 1, taxCategories: sandboxCategories(1000, { A: 900, B: 0 }) },
    { validFrom: "2021-07-22T09:55:24Z", groupId: 2, taxCategories: sandboxCategories(1100, { A: 900, B: 0 }) },
    { validFrom: "2021-12-19T23:00:00Z", groupId: 5, taxCategories: sandboxCategories(1100, { A: 900, B: 0, "Ж": 1900 }) },
    { validFrom: "2024-01-31T23:00:00Z", groupId: 8, taxCategories: sandboxCategories(1100, { A: 900, B: 0, "Ж": 1900 }) }
  ],
  production: [
    { validFrom: "2021-10-31T23:00:00Z", groupId: 1, taxCategories: productionCategories(false) },
    { validFrom: "2022-04-30T22:00:00Z", groupId: 3, taxCategories: productionCategories(true) }
  ]
}

const twoMonths = 60 * 24 * 60 * 60 * 1000

/** Belgrade midnight of the first 1 January at least two months ahead: winter time, so 23:00 UTC of the day before. */
const nextChange = (now: number): string => {
  const year = new Date(now + twoMonths).getUTCFullYear()
  return `${year}-12-31T23:00:00Z`
}

/** The history of an environment and one invented future change, so that scheduled changes can be observed. */
export const initialTaxRates = (environment: EnvironmentName, now: number): ReadonlyArray<TaxRateGroup> => [
  ...history[environment],
  environment === "sandbox"
    ? { validFrom: nextChange(now), groupId: 9, taxCategories: sandboxCategories(1200, { A: 900, B: 0, "Ж": 1900 }) }
    : { validFrom: nextChange(now), groupId: 4, taxCategories: productionCategories(true).toSpliced(1, 1, pPdvRaised) }
]

const pPdvRaised: TaxCategory = { name: "П-ПДВ", categoryType: 0, orderId: 2, taxRates: [{ label: "Е", rate: 1050 }] }
