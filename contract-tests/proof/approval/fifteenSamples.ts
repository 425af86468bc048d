import type { Installation } from "./Installation.ts"
import type { Json, Sample } from "./Sample.ts"

const cashier = { id: "Продавац 1" }
const person = { id: "20:008765432" }
/** Not the seller itself: a receipt that names its seller as the buyer is a cancellation (TU §9.3). */
const company = { id: "10:101670560" }

type About = Pick<Sample, "number" | "title" | "withBuyer">

/** Issues what the book's chapter "Издавање рачуна" asks for, in an order in which each source exists. */
export class FifteenSamples {
  readonly #at: Installation
  readonly #label: string
  readonly #second: string
  readonly samples: Array<Sample> = []
  /** Receipts that nobody asks for as a sample, which samples refer to. */
  readonly others: Array<Sample> = []

  constructor(at: Installation, labels: ReadonlyArray<string>) {
    this.#at = at
    const [first = "", second = first] = labels
    this.#label = first
    this.#second = second
  }

  async #keep(about: About, asked: Json, document: Json): Promise<Sample> {
    if (document?.pfr === null || document?.pfr === undefined) throw new Error(`${about.title}: ${JSON.stringify(document)}`)
    const sample = await this.#at.sample({ ...about, asked }, document.id)
    if (about.number === null) this.others.push(sample)
    else this.samples.push(sample)
    return sample
  }

  #content(change: Json = {}): Json {
    return {
      ...this.#at.place,
      clientReference: "odobrenje",
      cashier,
      items: [
        { name: "Књига „Сеобе“", unitOfMeasure: "ком", quantity: 1, unitPrice: 1299.9, taxLabels: [this.#label], gtin: "8600102030405" },
        { name: "Кафа у зрну", unitOfMeasure: "кг", quantity: 0.25, unitPrice: 1990, taxLabels: [this.#second] }
      ],
      payments: [{ type: "CASH", amount: 1797.4 }],
      ...change
    }
  }

  async #sale(about: About, change: Json = {}): Promise<Sample> {
    const asked = { ...this.#content(change), invoiceType: "NORMAL", transactionType: "SALE" }
    return this.#keep(about, asked, (await this.#at.post("/v1/fiscal-documents", asked)).json)
  }

  async #copy(about: About, of: Sample): Promise<Sample> {
    const asked = { cashier }
    return this.#keep(about, asked, (await this.#at.post(`/v1/fiscal-documents/${of.document.id}/copies`, asked)).json)
  }

  async #offer(about: About, invoiceType: string, change: Json = {}): Promise<Sample> {
    const asked = { ...this.#content(change), invoiceType, transactionType: "SALE", ...change }
    return this.#keep(about, asked, (await this.#at.post("/v1/proforma-training-workflows", asked)).json.document)
  }

  #refundOf(source: Sample): Json {
    return { transactionType: "REFUND", buyer: person, reference: { source: "SVC", fiscalDocumentId: source.document.id } }
  }

  /** Samples 1 to 4 and 11, 12: sales, a refund in cash and its copy, copies of sales. */
  async sales(): Promise<void> {
    const named = await this.#sale({ number: 1, title: "Промет Продаја са идентификацијом купца", withBuyer: true }, { buyer: { ...company, optionalField: "20:12345" } })
    await this.#copy({ number: 3, title: "Копија Продаја са идентификацијом купца", withBuyer: true }, named)
    const plain = await this.#sale({ number: 11, title: "Промет Продаја", withBuyer: false })
    await this.#copy({ number: 12, title: "Копија Продаја", withBuyer: false }, plain)
    const [item] = plain.asked.items
    const asked = {
      ...this.#at.place, clientReference: "povrat", original: { source: "SVC", fiscalDocumentId: plain.document.id }, cashier, buyer: person,
      items: [{ ...item, originalLineIndex: 0 }], payments: [{ type: "CASH", amount: item.unitPrice }]
    }
    const { json } = await this.#at.post("/v1/refund-workflows", asked)
    await this.#keep({ number: 2, title: "Промет Рефундација са идентификацијом купца", withBuyer: true }, asked, json.refund)
    await this.#keep({ number: 4, title: "Копија Рефундација са идентификацијом купца", withBuyer: true }, asked, json.cashRefundCopy)
  }

  /** Samples 5 to 8 and 13, 14. */
  async offers(): Promise<void> {
    const kinds = [
      { type: "PROFORMA", word: "Предрачун", sale: 5, refund: 6, plain: 13 },
      { type: "TRAINING", word: "Обука", sale: 7, refund: 8, plain: 14 }
    ]
    for (const { plain, refund, sale, type, word } of kinds) {
      const source = await this.#offer({ number: sale, title: `${word} Продаја са идентификацијом купца`, withBuyer: true }, type, { buyer: person })
      await this.#offer({ number: refund, title: `${word} Рефундација са идентификацијом купца`, withBuyer: true }, type, this.#refundOf(source))
      await this.#offer({ number: plain, title: `${word} Продаја`, withBuyer: false }, type)
    }
  }

  async #paid(case_: Json, about: About, amount: number, change: Json = {}): Promise<Sample> {
    const asked = {
      cashier, items: [{ name: `10: Аванс (${this.#label})`, quantity: 1, unitPrice: amount, taxLabels: [this.#label] }],
      payments: [{ type: "WIRE_TRANSFER", amount }], ...change
    }
    return this.#keep(about, asked, (await this.#at.post(`/v1/advance-cases/${case_.id}/payments`, asked)).json.current)
  }

  /** Samples 9, 10 and 15, with the closing that page 37 asks for. */
  async advances(): Promise<void> {
    const open = async (change: Json) => (await this.#at.post("/v1/advance-cases", { ...this.#at.place, clientReference: "avans", ...change })).json
    const anonymous = await open({})
    await this.#paid(anonymous, { number: 15, title: "Аванс Продаја", withBuyer: false }, 500)
    const named = await open({ buyer: company })
    const dayBefore = new Date(Date.now() - 2 * 86_400_000).toISOString()
    await this.#paid(named, { number: 9, title: "Аванс Продаја са идентификацијом купца, вирманска уплата од раније", withBuyer: true }, 3000, { paymentOccurredAt: dayBefore })
    const asked = {
      cashier, items: [{ name: "Орман по мери", unitOfMeasure: "ком", quantity: 1, unitPrice: 10000, taxLabels: [this.#label] }],
      remainingPayments: [{ type: "CARD", amount: 7000 }]
    }
    const { json } = await this.#at.post(`/v1/advance-cases/${named.id}/closing`, asked)
    await this.#keep({ number: 10, title: "Аванс Рефундација са идентификацијом купца", withBuyer: true }, asked, json.advanceRefund)
    await this.#keep({ number: null, title: "Промет Продаја која затвара аванс", withBuyer: true }, asked, json.finalSale)
  }

  async issue(): Promise<void> {
    await this.sales()
    await this.offers()
    await this.advances()
    this.samples.sort((one, other) => (one.number ?? 0) - (other.number ?? 0))
  }
}
