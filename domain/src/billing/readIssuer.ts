import { Result } from "effect"
import { textFault } from "../requests/fields.ts"
import type { InvoiceIssuer } from "./Invoice.ts"

/** An issuer as a person enters it: missing values are empty texts. */
export type IssuerTexts = Readonly<Record<keyof InvoiceIssuer, string>>

const lengths = { name: 200, address: 200, city: 100, registrationNumber: 20, bankAccount: 40, email: 254, note: 500 } as const

const mayBeMissing: ReadonlySet<string> = new Set(["email", "note"])

const isFit = (field: keyof InvoiceIssuer, text: string): boolean => {
  if (field === "taxIdentifier") return /^\d{9}$/.test(text)
  if (field === "paymentDays") return /^\d{1,3}$/.test(text) && Number(text) <= 365
  return text === "" ? mayBeMissing.has(field) : textFault(text, lengths[field]) === undefined
}

/** The issuer, or the names of the invalid fields: too long, missing, a tax identifier without nine digits, more than 365 days to pay. */
export const readIssuer = (texts: IssuerTexts): Result.Result<InvoiceIssuer, ReadonlyArray<keyof InvoiceIssuer>> => {
  const wrong = (Object.keys(texts) as Array<keyof InvoiceIssuer>).filter((field) => !isFit(field, texts[field]))
  if (wrong.length > 0) return Result.fail(wrong)
  return Result.succeed({ ...texts, email: texts.email || null, note: texts.note || null, paymentDays: Number(texts.paymentDays) })
}
