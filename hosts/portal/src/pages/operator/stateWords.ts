import type { BusinessPremise, SecurityElement, Taxpayer } from "@overa/domain"

type Words = readonly [serbian: string, english: string]

/** States of taxpayers and premises. */
export const stateWords: Readonly<Record<BusinessPremise["status"] | Taxpayer["status"], Words>> = {
  active: ["активан", "active"],
  inactive: ["неактиван", "inactive"],
  suspended: ["обустављен", "suspended"],
  closed: ["затворен", "closed"]
}

export const elementStateWords: Readonly<Record<SecurityElement["status"], Words>> = {
  UPLOADED: ["чека активирање", "waits for activation"],
  ACTIVE: ["активан", "active"],
  REPLACED: ["замењен", "replaced"],
  EXPIRED: ["истекао", "expired"]
}

export const vatWords: Readonly<Record<Taxpayer["vatStatus"], Words>> = { IN_VAT: ["у систему ПДВ-а", "in VAT"], OUTSIDE_VAT: ["није у систему ПДВ-а", "outside VAT"] }

export const paymentModeWords: Readonly<Record<BusinessPremise["paymentMode"], Words>> = {
  all: ["сва", "all"],
  restricted: ["само готовина, пренос, ваучер и друго безготовинско", "only cash, wire transfer, voucher and other cashless"]
}

/** The values of a choice with their words, in the order that is given. */
export const choices = <Value extends string>(words: Readonly<Record<Value, Words>>, ...values: ReadonlyArray<Value>): ReadonlyArray<readonly [Value, Words]> =>
  values.map((value) => [value, words[value]])
