import {
  type Act,
  ActRefused,
  BillingAccounts,
  BillingTerms,
  type Invoice,
  type InvoiceBuyer,
  type InvoiceEntry,
  type InvoiceIssuer,
  type InvoiceNumber,
  Invoices,
  type LicenseChange,
  monthOf,
  monthRange,
  type OrganizationId,
  paidOn,
  type PaymentNote,
  type PriceList,
  printedNumber
} from "@overa/domain"
import { Context, DateTime, Effect, Layer, Option } from "effect"

/** An organization as it is billed. */
export interface MemoryAccount {
  readonly buyer: InvoiceBuyer
  readonly licenseChanges: Array<LicenseChange>
}

const isBefore = (one: InvoiceNumber, other: InvoiceNumber): boolean => one.year < other.year || (one.year === other.year && one.number < other.number)

const newestFirst = (one: InvoiceEntry, other: InvoiceEntry): number => (isBefore(one.invoice.id, other.invoice.id) ? 1 : -1)

const refuse = (reason: ActRefused["reason"], detail: string) => new ActRefused({ reason, detail })

const termsInMemory = (): BillingTerms["Service"] => {
  const lists: Array<PriceList> = []
  const issuers: Array<InvoiceIssuer> = []
  return BillingTerms.of({
    priceLists: Effect.sync(() => lists.toReversed()),
    addPriceList: Effect.fnUntraced(function*(_act, prices, seen) {
      if (lists.length !== seen) return yield* refuse("CHANGED_MEANWHILE", "Somebody else has added a price list.")
      lists.push({ ...prices, version: seen + 1, decidedAt: yield* DateTime.now })
      return seen + 1
    }),
    issuer: Effect.sync(() => {
      const issuer = issuers.at(-1)
      return issuer === undefined ? null : { version: issuers.length, issuer }
    }),
    changeIssuer: Effect.fnUntraced(function*(_act, issuer, seen) {
      if (issuers.length !== seen) return yield* refuse("CHANGED_MEANWHILE", "Somebody else has changed the issuer.")
      issuers.push(issuer)
      return issuers.length
    })
  })
}

const invoicesInMemory = (kept: Array<Invoice>): Invoices["Service"] => {
  const notes = new Map<string, PaymentNote>()
  const entryOf = (invoice: Invoice): InvoiceEntry => ({ invoice, payment: notes.get(printedNumber(invoice.id)) ?? null })
  const entries = (): ReadonlyArray<InvoiceEntry> => kept.map(entryOf).toSorted(newestFirst)
  const find = (id: InvoiceNumber) => entries().find(({ invoice }) => printedNumber(invoice.id) === printedNumber(id))
  return Invoices.of({
    issue: Effect.fnUntraced(function*(_act, organizationId, content) {
      const now = yield* DateTime.now
      if (kept.some((invoice) => invoice.organizationId === organizationId && invoice.content.month === content.month)) return { _tag: "AlreadyIssued" }
      const year = Number(monthOf(now).slice(0, 4))
      const last = kept.findLast(({ id }) => id.year === year)
      const issuedAt = last === undefined ? now : DateTime.max(now, last.issuedAt)
      const invoice: Invoice = { id: { year, number: (last?.id.number ?? 0) + 1 }, organizationId, issuedAt, content }
      kept.push(invoice)
      return { _tag: "Issued", invoice }
    }),
    find: (id) => Effect.sync(() => Option.fromNullishOr(find(id))),
    ofOrganization: (organizationId) => Effect.sync(() => entries().filter(({ invoice }) => invoice.organizationId === organizationId)),
    list: ({ before, limit, paid }) =>
      Effect.sync(() =>
        entries().filter((entry) => (paid === null || (paidOn(entry) !== null) === paid) && (before === null || isBefore(entry.invoice.id, before))).slice(0, limit)),
    notePayment: Effect.fnUntraced(function*({ actor, reason }: Act, id, day) {
      const found = find(id)
      if (found === undefined) return yield* refuse("INVOICE_NOT_FOUND", `There is no invoice ${printedNumber(id)}.`)
      const was = paidOn(found)
      if (day !== null && was !== null) return yield* refuse("INVOICE_ALREADY_PAID", `Invoice ${printedNumber(id)} is paid since ${was}.`)
      if (day === null && was === null) return yield* refuse("INVOICE_NOT_PAID", `Invoice ${printedNumber(id)} is not paid.`)
      notes.set(printedNumber(id), { sequence: (found.payment?.sequence ?? 0) + 1, paidOn: day, notedAt: yield* DateTime.now, actor, reason })
    })
  })
}

const millis = DateTime.toEpochMillis

const accountsInMemory = (accounts: ReadonlyMap<OrganizationId, MemoryAccount>, kept: ReadonlyArray<Invoice>): BillingAccounts["Service"] => {
  const accountOf = (id: OrganizationId): MemoryAccount => {
    const account = accounts.get(id)
    if (account === undefined) throw new Error(`There is no organization ${id}.`)
    return account
  }
  return BillingAccounts.of({
    unbilled: (month, after, limit) =>
      Effect.sync(() => {
        const range = monthRange(month)
        const mayBe = ({ changedAt, expiresAt, startsAt, suspended }: LicenseChange): boolean =>
          !suspended && millis(changedAt) < millis(range.to) && millis(startsAt) < millis(range.to) && (expiresAt === null || millis(expiresAt) > millis(range.from))
        return [...accounts].filter(([id, { licenseChanges }]) =>
          (after === null || id > after) && licenseChanges.some(mayBe) && !kept.some(({ content, organizationId }) => organizationId === id && content.month === month))
          .map(([id]) => id).toSorted().slice(0, limit)
      }),
    buyer: (id) => Effect.sync(() => accountOf(id).buyer),
    licenseChanges: (id) => Effect.sync(() => accountOf(id).licenseChanges)
  })
}

/** Billing in memory, over the accounts given; more may be added to them later. */
export const layerBilling = (accounts: ReadonlyMap<OrganizationId, MemoryAccount>): Layer.Layer<BillingTerms | Invoices | BillingAccounts> =>
  Layer.effectContext(Effect.sync(() => {
    const kept: Array<Invoice> = []
    return Context.make(BillingTerms, termsInMemory()).pipe(
      Context.add(Invoices, invoicesInMemory(kept)),
      Context.add(BillingAccounts, accountsInMemory(accounts, kept))
    )
  }))
