import {
  type Act,
  BillingAccounts,
  BillingTerms,
  type InvoiceBuyer,
  type InvoiceEntry,
  Invoices,
  type LicenseChange,
  type OrganizationId,
  paidOn,
  printedNumber
} from "@overa/domain"
import { DateTime, Effect, type Layer, ManagedRuntime, Option } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { at } from "../support/atInstant.ts"
import { mintUuid } from "../support/mintIdentity.ts"
import { plain } from "../support/plain.ts"
import { month, sampleBuyer, sampleChange, sampleInvoice, sampleIssuer, samplePrices } from "../support/sampleBilling.ts"

type Ports = BillingTerms | BillingAccounts | Invoices

/** Adds an organization to the store. */
export type OpenAccount = (id: OrganizationId, account: { readonly buyer: InvoiceBuyer; readonly licenseChanges: ReadonlyArray<LicenseChange> }) => Promise<void>

const act: Act = { actor: "operator:ana", reason: "contract test" }
const reasonOf = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.map(Effect.flip(effect), (error) => (error as { readonly reason?: string }).reason)
const succeeded = (all: ReadonlyArray<{ readonly _tag: string }>): number => all.filter(({ _tag }) => _tag === "Success").length
const atOnce = { concurrency: "unbounded" } as const

/** The contract of every store of billing. */
export const billingContract = (name: string, start: () => { readonly layer: Layer.Layer<Ports, unknown>; readonly open: OpenAccount }) =>
  describe(`billing on ${name}`, () => {
    let runtime: ManagedRuntime.ManagedRuntime<Ports, unknown>
    let open: OpenAccount
    beforeAll(() => {
      const started = start()
      runtime = ManagedRuntime.make(started.layer)
      open = started.open
    })
    afterAll(() => runtime.dispose())
    const run = <A>(body: Effect.Effect<A, unknown, Ports>): Promise<A> => runtime.runPromise(body)
    const account = async (licenseChanges: ReadonlyArray<LicenseChange> = [], buyer = sampleBuyer()): Promise<OrganizationId> => {
      const id = mintUuid() as OrganizationId
      await open(id, { buyer, licenseChanges })
      return id
    }
    const issue = (id: OrganizationId, of: string) => Effect.flatMap(Invoices, (invoices) => invoices.issue(act, id, sampleInvoice(of)))
    const issued = (id: OrganizationId, of: string) =>
      Effect.map(issue(id, of), (answer) => (answer._tag === "Issued" ? answer.invoice : assert.fail(`${of} was ${answer._tag}`)))
    const everything = Effect.flatMap(Invoices, (invoices) => invoices.list({ paid: null, before: null, limit: 10_000 }))

    it("price lists are kept as versions, and of many at once one is taken", () => run(Effect.gen(function*() {
      const terms = yield* BillingTerms
      assert.deepStrictEqual(yield* terms.priceLists, [])
      const list = { ...samplePrices("0,01", "999999999.99"), validFrom: month("2026-11") }
      assert.strictEqual(yield* terms.addPriceList(act, list, 0), 1)
      for (const seen of [0, 2, 999]) assert.strictEqual(yield* reasonOf(terms.addPriceList(act, list, seen)), "CHANGED_MEANWHILE")
      const next = { ...samplePrices(), validFrom: month("2026-12") }
      const tries = yield* Effect.forEach(Array.from({ length: 12 }), () => Effect.result(terms.addPriceList(act, next, 1)), atOnce)
      assert.strictEqual(succeeded(tries), 1)
      const [newest, first, ...others] = yield* terms.priceLists
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(plain({ ...newest, decidedAt: 0 }), plain({ ...next, version: 2, decidedAt: 0 }))
      assert.deepStrictEqual(plain({ ...first, decidedAt: 0 }), plain({ ...list, version: 1, decidedAt: 0 }))
    })))

    it("the issuer is kept as versions, with every letter", () => run(Effect.gen(function*() {
      const terms = yield* BillingTerms
      assert.isNull(yield* terms.issuer)
      assert.strictEqual(yield* terms.changeIssuer(act, sampleIssuer, 0), 1)
      assert.deepStrictEqual(yield* terms.issuer, { version: 1, issuer: sampleIssuer })
      for (const seen of [0, 2]) assert.strictEqual(yield* reasonOf(terms.changeIssuer(act, { ...sampleIssuer, name: "Друга" }, seen)), "CHANGED_MEANWHILE")
      const tries = yield* Effect.forEach(["А", "Б", "В", "Г"], (name) => Effect.result(terms.changeIssuer(act, { ...sampleIssuer, name, email: null, note: null }, 1)), atOnce)
      assert.strictEqual(succeeded(tries), 1)
      assert.strictEqual((yield* terms.issuer)?.version, 2)
    })))

    it("an invoice is read back as it was issued, and is the only one of its month", async () => {
      const id = await account()
      await run(Effect.gen(function*() {
        const invoices = yield* Invoices
        const first = yield* issued(id, "2026-11")
        assert.deepStrictEqual(plain(first.content), plain(sampleInvoice("2026-11")))
        assert.deepStrictEqual(plain((yield* invoices.find(first.id)).pipe(Option.getOrNull)), plain({ invoice: first, payment: null }))
        const other = yield* invoices.issue(act, id, sampleInvoice("2026-11", sampleBuyer({ name: "Неко други" }), 9_000))
        assert.strictEqual(other._tag, "AlreadyIssued")
        const second = yield* issued(id, "2026-12")
        assert.deepStrictEqual(second.id, { year: first.id.year, number: first.id.number + 1 }, "a refused issue uses no number")
        const own = yield* invoices.ofOrganization(id)
        assert.deepStrictEqual(own.map(({ invoice }) => invoice.content.month as string), ["2026-12", "2026-11"])
        assert.deepStrictEqual(plain(own[1]?.invoice.content), plain(sampleInvoice("2026-11")))
        assert.deepStrictEqual(yield* invoices.ofOrganization(mintUuid() as OrganizationId), [])
        assert.isTrue(Option.isNone(yield* invoices.find({ year: 2099, number: 1 })))
      }))
    })

    it("however many issue at once, each month of an organization has one invoice and numbers have no gap", async () => {
      const ids = await Promise.all(Array.from({ length: 20 }, () => account()))
      await run(Effect.gen(function*() {
        const before = (yield* everything).length
        // Eight workers, each with an order of its own.
        const workers = Array.from({ length: 8 }, (_, worker) => ids.map((_, index) => ids[(index + worker * 5) % ids.length] as OrganizationId))
        const answers = yield* Effect.forEach(workers, (order) => Effect.forEach(order, (id) => issue(id, "2026-10")), atOnce)
        assert.strictEqual(answers.flat().filter(({ _tag }) => _tag === "Issued").length, ids.length)
        const all = yield* everything
        assert.strictEqual(all.length, before + ids.length)
        for (const year of new Set(all.map(({ invoice }) => invoice.id.year))) {
          const numbers = all.filter(({ invoice }) => invoice.id.year === year).map(({ invoice }) => invoice.id.number)
          assert.deepStrictEqual(numbers, Array.from({ length: numbers.length }, (_, index) => numbers.length - index))
        }
        for (const id of ids) assert.strictEqual(all.filter(({ invoice }) => invoice.organizationId === id).length, 1)
      }))
    }, 60_000)

    it("a year begins with 1 at midnight in Belgrade, and a clock that lags makes no invoice older than the one before it", async () => {
      const id = await account()
      await run(Effect.gen(function*() {
        const last = yield* at("2098-12-31T22:59:59.999Z", issued(id, "2026-01"))
        const first = yield* at("2098-12-31T23:00:00Z", issued(id, "2026-02"))
        const lagging = yield* at("2098-12-31T22:00:00Z", issued(id, "2026-03"))
        const second = yield* at("2099-02-01T00:00:00Z", issued(id, "2026-04"))
        const third = yield* at("2099-01-01T00:00:00Z", issued(id, "2026-05"))
        assert.deepStrictEqual([last, first, lagging, second, third].map((invoice) => printedNumber(invoice.id)), ["2098-000001", "2099-000001", "2098-000002", "2099-000002", "2099-000003"])
        assert.strictEqual(DateTime.formatIso(lagging.issuedAt), "2098-12-31T22:59:59.999Z")
        assert.strictEqual(DateTime.formatIso(third.issuedAt), "2099-02-01T00:00:00.000Z")
      }))
    })

    it("notes of a payment follow each other: paid, not paid after all, paid again", async () => {
      const id = await account()
      await run(Effect.gen(function*() {
        const invoices = yield* Invoices
        const invoice = yield* issued(id, "2026-09")
        const now: Effect.Effect<InvoiceEntry, unknown> = Effect.map(invoices.find(invoice.id), Option.getOrThrow)
        assert.strictEqual(yield* reasonOf(invoices.notePayment(act, invoice.id, null)), "INVOICE_NOT_PAID")
        assert.strictEqual(yield* reasonOf(invoices.notePayment(act, { year: 2026, number: 999_999 }, "2026-10-05")), "INVOICE_NOT_FOUND")
        const tries = yield* Effect.forEach(Array.from({ length: 8 }), () => Effect.result(invoices.notePayment(act, invoice.id, "2026-10-05")), atOnce)
        assert.strictEqual(succeeded(tries), 1)
        assert.strictEqual(yield* reasonOf(invoices.notePayment(act, invoice.id, "2026-10-06")), "INVOICE_ALREADY_PAID")
        const paid = yield* now
        assert.deepStrictEqual([paidOn(paid), paid.payment?.actor, paid.payment?.reason, paid.payment?.sequence], ["2026-10-05", act.actor, act.reason, 1])
        assert.deepStrictEqual(plain(paid.invoice), plain(invoice))
        yield* invoices.notePayment({ ...act, reason: "враћено" }, invoice.id, null)
        assert.deepStrictEqual([paidOn(yield* now), (yield* now).payment?.reason], [null, "враћено"])
        yield* invoices.notePayment(act, invoice.id, "2024-02-29")
        assert.strictEqual(paidOn(yield* now), "2024-02-29")
      }))
    })

    it("lists begin with the newest, page by page, paid and unpaid", async () => {
      const id = await account()
      await run(Effect.gen(function*() {
        const invoices = yield* Invoices
        const own = yield* Effect.forEach(["2025-01", "2025-02", "2025-03"], (of) => issued(id, of))
        const [first, second] = own
        if (first === undefined || second === undefined) return assert.fail("no invoices")
        yield* invoices.notePayment(act, second.id, "2026-01-05")
        const all = yield* everything
        const numbers = (entries: ReadonlyArray<InvoiceEntry>) => entries.map(({ invoice }) => printedNumber(invoice.id))
        assert.deepStrictEqual(numbers(all), numbers(all).toSorted().toReversed())
        const paged: Array<string> = []
        for (let before = null as InvoiceEntry["invoice"]["id"] | null;;) {
          const page = yield* invoices.list({ paid: null, before, limit: 7 })
          paged.push(...numbers(page))
          before = page.at(-1)?.invoice.id ?? null
          if (page.length < 7) break
        }
        assert.deepStrictEqual(paged, numbers(all))
        const paid = yield* invoices.list({ paid: true, before: null, limit: 10_000 })
        const unpaid = yield* invoices.list({ paid: false, before: null, limit: 10_000 })
        assert.deepStrictEqual([...numbers(paid), ...numbers(unpaid)].toSorted().toReversed(), numbers(all))
        assert.include(numbers(paid), printedNumber(second.id))
        assert.include(numbers(unpaid), printedNumber(first.id))
      }))
    })

    it("those to be billed had a licence that may have been in force in the month, and have no invoice for it", async () => {
      const open = [
        await account([sampleChange("2026-05-01T00:00:00Z")]),
        await account([sampleChange("2026-06-30T21:59:59Z")]),
        await account([sampleChange("2026-01-01T00:00:00Z", { expiresAt: DateTime.makeUnsafe("2026-05-31T22:00:00.001Z") })]),
        await account([sampleChange("2026-05-01T00:00:00Z"), sampleChange("2026-06-10T00:00:00Z", { suspended: true })])
      ]
      const done = await account([sampleChange("2026-05-01T00:00:00Z")])
      await account([sampleChange("2026-06-30T22:00:00Z")])
      await account([sampleChange("2026-06-15T00:00:00Z", { startsAt: DateTime.makeUnsafe("2026-07-01T00:00:00Z") })])
      await account([sampleChange("2026-01-01T00:00:00Z", { expiresAt: DateTime.makeUnsafe("2026-05-31T22:00:00Z") })])
      await account([sampleChange("2026-05-01T00:00:00Z", { suspended: true })])
      await account()
      await run(Effect.gen(function*() {
        const accounts = yield* BillingAccounts
        yield* issued(done, "2026-06")
        const [first, ...others] = open.toSorted()
        if (first === undefined) return assert.fail("no accounts")
        assert.deepStrictEqual(yield* accounts.unbilled(month("2026-06"), null, 100), [first, ...others])
        assert.deepStrictEqual(yield* accounts.unbilled(month("2026-06"), null, 1), [first])
        assert.deepStrictEqual(yield* accounts.unbilled(month("2026-06"), first, 100), others)
      }))
    })

    it("tells who is to pay, and everything that was decided about the licence, oldest first", async () => {
      const changes = [sampleChange("2026-05-01T00:00:00Z", { modules: ["email"] }), sampleChange("2026-06-10T00:00:00.123Z", { suspended: true, expiresAt: DateTime.makeUnsafe("2027-01-01T00:00:00Z") })]
      const buyer = sampleBuyer({ organizationName: "<script>alert(1)</script>" })
      const company = await account(changes, buyer)
      const nameless = sampleBuyer({ organizationName: "Без фирме", name: "Без фирме", taxIdentifier: null, address: null })
      const without = await account([], nameless)
      await run(Effect.gen(function*() {
        const accounts = yield* BillingAccounts
        assert.deepStrictEqual(yield* accounts.buyer(company), buyer)
        assert.deepStrictEqual(plain(yield* accounts.licenseChanges(company)), plain(changes))
        assert.deepStrictEqual(yield* accounts.buyer(without), nameless)
        assert.deepStrictEqual(yield* accounts.licenseChanges(without), [])
      }))
    })
  })
