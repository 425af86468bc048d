import { type DocumentContent, lineAmount, type TaxRateHistory } from "@overa/domain"
import { BigDecimal, DateTime } from "effect"
import { Random } from "./Random.ts"

/** Percent by label, before and after the change. */
const before = { A: 20, B: 10 } as const
const after = { A: 22, B: 8 } as const
/** After the change, where the label B is withdrawn with it. */
const withoutB = { A: 22 } as const

type Rates = Readonly<Record<string, number>>

const minute = 60_000
const newYear = DateTime.toEpochMillis(DateTime.makeUnsafe("2026-12-31T23:00:00Z"))

const ratesOf = (groupId: number, validFrom: number, rates: Rates): TaxRateHistory["groups"][number] => ({
  groupId,
  validFrom: DateTime.toUtc(DateTime.makeUnsafe(validFrom)),
  rates: Object.entries(rates).map(([label, rate]) => ({ label, category: "VAT", categoryType: 0 as const, rate: BigDecimal.fromBigInt(BigInt(rate)) }))
})

/** Whole numbers, half away from zero; both are positive. */
const divided = (one: bigint, by: bigint): bigint => (2n * one + by) / (2n * by)

/** The ten-thousandths of tax in an amount, each step rounded as the V-PFR does (V-PFR §6.2). */
const taxIn = (amount: BigDecimal.BigDecimal, rate: number): bigint => {
  const whole = BigDecimal.scale(amount, 4).value
  const net = divided(whole * 100n, BigInt(100 + rate))
  return divided(net * BigInt(rate), 100n)
}

/**
 * The tax authority's rates. In half of the worlds they change within the first minutes, at midnight where a world begins just before New Year: with cases
 * open, proforma documents made and receipts to be refunded. In three of ten of these worlds one of the two labels is withdrawn with the change. The V-PFR
 * computes by itself, from no code of the service.
 */
export class SimulatedRates {
  /** When the rates change: true time; null where they do not. */
  readonly changeAt: number | null
  /** Whether the change withdraws a label. */
  readonly withdraws: boolean
  /** When a process looked for rates and found none: by its own clock, as it dates its documents. */
  readonly #foundNone = new Set<number>()
  readonly #after: Rates

  constructor(begins: number, seed: number) {
    const random = new Random(seed ^ 0x0a7e_5000)
    const changeAt = newYear > begins && newYear - begins < 10 * minute ? newYear : begins + random.between(minute, 12 * minute)
    this.changeAt = random.chance(0.5) ? changeAt : null
    // Drawn last: the other worlds stay as they were.
    this.withdraws = random.chance(0.3) && this.changeAt !== null
    this.#after = this.withdraws ? withoutB : after
  }

  /** The groups as the V-PFR publishes them, the coming one too, or as a service has them with a planted bug. */
  history(now: DateTime.Utc, plantedBug: string | null): TaxRateHistory {
    const coming = plantedBug === "withdrawn-label-kept" ? after : this.#after
    const groups = [ratesOf(1, 0, before), ...(this.changeAt === null ? [] : [ratesOf(2, this.changeAt, coming)])]
    const isChanged = this.changeAt !== null && this.changeAt <= DateTime.toEpochMillis(now)
    return { groups: plantedBug === "todays-rates-alone" && isChanged ? [ratesOf(2, 0, coming)] : groups, fetchedAt: now }
  }

  /** A process has forgotten the rates. */
  findsNone(now: DateTime.Utc): null {
    this.#foundNone.add(DateTime.toEpochMillis(now))
    return null
  }

  /** Whether a process found no rates at the very time that a document of its own has. */
  wereUnknownAt(createdAt: DateTime.Utc): boolean {
    return this.#foundNone.has(DateTime.toEpochMillis(createdAt))
  }

  /** The rates of a receipt that is signed at a time: a refund or a copy has those of what it refers to. */
  #ratesOf({ invoiceType, reference, transactionType }: DocumentContent, signedAt: number): Rates {
    const refersTo = transactionType === "REFUND" || invoiceType === "COPY" ? reference?.pfrTime : undefined
    const at = refersTo === undefined || refersTo === null ? signedAt : Date.parse(refersTo)
    return this.changeAt !== null && at >= this.changeAt ? this.#after : before
  }

  /** Whether the V-PFR knows every label of a document that it is to sign now. */
  knows(content: DocumentContent, signedAt: number): boolean {
    const rates = this.#ratesOf(content, signedAt)
    return content.items.every(({ taxLabels }) => taxLabels.every((label) => label in rates))
  }

  /** The tax items of a receipt that is signed at a time. */
  taxItems(content: DocumentContent, signedAt: number): ReadonlyArray<object> {
    const rates = this.#ratesOf(content, signedAt)
    const sums = new Map<string, bigint>()
    for (const item of content.items) {
      const label = item.taxLabels.join()
      sums.set(label, (sums.get(label) ?? 0n) + taxIn(lineAmount(item), rates[label] ?? 0))
    }
    return [...sums].map(([label, tax]) => ({ categoryType: 0, categoryName: "VAT", label, rate: rates[label] ?? 0, amount: Number(tax) / 10_000 }))
  }
}
