import {
  belgradeDay,
  BillingTerms,
  closeMonth,
  digitExpectedInTaxIdentifier,
  type InvoiceIssuer,
  type IssuerTexts,
  monthOf,
  monthsLater,
  notePayment,
  type OrganizationId,
  readIssuer,
  readMonth,
  readPrice,
  readVatRate,
  setPrices
} from "@overa/domain"
import { DateTime, Effect, Result } from "effect"
import type { PersonVisit } from "../../../http/Visit.ts"
import { invoiceOf } from "../../billing/invoiceParts.ts"
import { taxIdDigitWords } from "../../checkDigitWords.ts"
import { type ActField, ActInvalid, type OperatorAct } from "../OperatorAct.ts"

const monthField = (visit: PersonVisit) => {
  const month = readMonth(visit.form?.text("month") ?? "")
  return month === null
    ? new ActInvalid({ field: "month", sentence: visit.say("Унесите месец, нпр. 2027-01.", "Enter a month, 2027-01 for example.") })
    : Effect.succeed(month)
}

const decimalField = <Value>(visit: PersonVisit, name: string, read: (text: string) => Value | null) => {
  const found = read(visit.form?.text(name) ?? "")
  return found === null
    ? new ActInvalid({ field: name, sentence: visit.say("Унесите број без тачке за хиљаде, нпр. 1990,00.", "Enter a number without groups of thousands, 1990.00 for example.") })
    : Effect.succeed(found)
}

/** The version from which the form was filled in. */
const seenVersion = (visit: PersonVisit): number => {
  const text = visit.form?.text("seen") ?? ""
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}

const amountField = (name: string, words: readonly [serbian: string, english: string]): ActField => ({
  kind: "text",
  name,
  words,
  more: { inputmode: "decimal", required: true, autocomplete: "off" }
})

const addPrices: OperatorAct = {
  path: "/operator/billing/prices",
  title: ["Нови ценовник", "New price list"],
  warning: [
    "Важи од почетка месеца. Сачуван ценовник се не мења; до тада га замењује нови за исти месец.",
    "It holds from the beginning of the month. A saved list is never changed; until then another one for the same month replaces it."
  ],
  fields: Effect.fnUntraced(function*() {
    const lists = yield* (yield* BillingTerms).priceLists
    const next = monthsLater(monthOf(yield* DateTime.now), 1)
    return [
      { kind: "hidden", name: "seen", value: String(lists[0]?.version ?? 0) },
      { kind: "text", name: "month", words: ["Од месеца", "From the month"], more: { required: true, value: next, autocomplete: "off" } },
      amountField("licence", ["Лиценца месечно, динара без ПДВ-а", "Licence a month, dinars without VAT"]),
      amountField("advance", ["Модул за авансе месечно", "Module for advances a month"]),
      amountField("email", ["Модул за слање е-поштом месечно", "Module for sending by e-mail a month"]),
      amountField("document", ["Рачун преко укључених 600", "A document beyond the included 600"]),
      amountField("vat", ["ПДВ у процентима", "VAT in percent"])
    ]
  }),
  run: Effect.fnUntraced(function*(visit, act) {
    const prices = {
      validFrom: yield* monthField(visit),
      licenseFee: yield* decimalField(visit, "licence", readPrice),
      moduleFees: { advance: yield* decimalField(visit, "advance", readPrice), email: yield* decimalField(visit, "email", readPrice) },
      documentPrice: yield* decimalField(visit, "document", readPrice),
      vatRate: yield* decimalField(visit, "vat", readVatRate)
    }
    yield* setPrices(act, prices, seenVersion(visit))
    return "/operator/billing?done=prices-set"
  })
}

const issuerWords: Readonly<Record<keyof InvoiceIssuer, readonly [serbian: string, english: string]>> = {
  name: ["Назив", "Name"],
  address: ["Адреса", "Address"],
  city: ["Место", "City"],
  taxIdentifier: ["ПИБ", "Tax id"],
  registrationNumber: ["Матични број", "Registration number"],
  bankAccount: ["Рачун у банци", "Bank account"],
  email: ["Е-пошта (није обавезно)", "E-mail (may be empty)"],
  paymentDays: ["Дана за плаћање", "Days to pay"],
  note: ["Напомена на крају фактуре (није обавезно)", "Note at the end of the invoice (may be empty)"]
}

const changeIssuer: OperatorAct = {
  path: "/operator/billing/issuer",
  title: ["Издавалац фактура", "Issuer of invoices"],
  fields: Effect.fnUntraced(function*() {
    const found = yield* (yield* BillingTerms).issuer
    const valueOf = (field: keyof InvoiceIssuer) => String(found?.issuer[field] ?? (field === "paymentDays" ? 15 : ""))
    return [
      { kind: "hidden", name: "seen", value: String(found?.version ?? 0) },
      ...(Object.keys(issuerWords) as Array<keyof InvoiceIssuer>).map((name): ActField => ({
        kind: "text",
        name,
        words: issuerWords[name],
        more: { value: valueOf(name), required: name !== "email" && name !== "note", autocomplete: "off", ...(name === "note" ? { rows: 2 } : {}) }
      }))
    ]
  }),
  run: Effect.fnUntraced(function*(visit, act) {
    const texts = Object.fromEntries(Object.keys(issuerWords).map((field) => [field, visit.form?.text(field) ?? ""])) as IssuerTexts
    const read = readIssuer(texts)
    if (Result.isFailure(read)) {
      const sentence = visit.say("Обавезно, у једном реду; ПИБ има девет цифара, рок највише 365 дана.", "Required, in one line; a tax id has nine digits, at most 365 days to pay.")
      return yield* new ActInvalid({ field: read.failure[0] ?? "act", sentence })
    }
    const expected = digitExpectedInTaxIdentifier(read.success.taxIdentifier)
    if (expected !== undefined) return yield* new ActInvalid({ field: "taxIdentifier", sentence: taxIdDigitWords(visit.say, expected) })
    yield* (yield* BillingTerms).changeIssuer(act, read.success, seenVersion(visit))
    return "/operator/billing?done=issuer-set"
  })
}

const organizationsAtOnce = 50
/** The browser waits for the answer: the worker, or the next try, does the rest. */
const mostRounds = 4

const close: OperatorAct = {
  path: "/operator/billing/close",
  title: ["Закључи месец", "Close a month"],
  warning: ["Фактуре месеца се издају и више се не мењају. Радник то иначе ради сам, дан по завршетку месеца.", "The month's invoices are issued and never changed again. The worker does this by itself, a day after the month's end."],
  fields: Effect.fnUntraced(function*() {
    const last = monthsLater(monthOf(yield* DateTime.now), -1)
    return [{ kind: "text", name: "month", words: ["Месец", "Month"], more: { required: true, value: last, autocomplete: "off" } }]
  }),
  run: Effect.fnUntraced(function*(visit, act) {
    const month = yield* monthField(visit)
    let after: OrganizationId | null = null
    for (let round = 0; round < mostRounds; round += 1) {
      const { next }: { readonly next: OrganizationId | null } = yield* closeMonth(act, month, after, organizationsAtOnce)
      if (next === null) return "/operator/billing?done=month-closed"
      after = next
    }
    return "/operator/billing?done=month-begun"
  })
}

const paid: OperatorAct = {
  path: "/operator/billing/invoices/:number/paid",
  title: ["Фактура је плаћена", "The invoice is paid"],
  fields: Effect.fnUntraced(function*(visit) {
    yield* invoiceOf(visit)
    const today = belgradeDay(yield* DateTime.now)
    return [{ kind: "text", name: "day", words: ["Дан уплате", "Day of payment"], more: { type: "date", required: true, value: today } }]
  }),
  run: Effect.fnUntraced(function*(visit, act) {
    const { invoice: { id } } = yield* invoiceOf(visit)
    const day = visit.form?.text("day") ?? ""
    if (day === "" || day > belgradeDay(yield* DateTime.now)) {
      return yield* new ActInvalid({ field: "day", sentence: visit.say("Унесите дан уплате, најкасније данашњи.", "Enter the day of the payment, today at the latest.") })
    }
    yield* notePayment(act, id, day)
    return "/operator/billing?done=payment-noted"
  })
}

const notPaid: OperatorAct = {
  path: "/operator/billing/invoices/:number/not-paid",
  title: ["Фактура није плаћена", "The invoice is not paid"],
  warning: ["Обе белешке остају у дневнику.", "Both notes stay in the activity log."],
  fields: (visit) => Effect.as(invoiceOf(visit), []),
  run: Effect.fnUntraced(function*(visit, act) {
    const { invoice: { id } } = yield* invoiceOf(visit)
    yield* notePayment(act, id, null)
    return "/operator/billing?done=payment-noted"
  })
}

/** Prices, the issuer, months and payments. */
export const billingActs: ReadonlyArray<OperatorAct> = [addPrices, changeIssuer, close, paid, notPaid]
