import { formatDecimal, matchesSearch, type Product, type ProductContent, type ProductFilter, type ProductId, type ProductPage, ProductReferences, ProductStore } from "@overa/domain"
import { DateTime, Effect, type Layer, ManagedRuntime, Option } from "effect"
import * as fc from "fast-check"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { mintUuid } from "../support/mintIdentity.ts"
import { mintShop, type ProductShop, sampleProduct, sampleProductContent } from "../support/sampleProducts.ts"

type Stores = ProductStore | ProductReferences
type Store = ProductStore["Service"] & ProductReferences["Service"]

const all: ProductFilter = { taxpayerId: null, search: null, isActive: null }
const later = DateTime.toUtc(DateTime.makeUnsafe("2026-04-01T00:00:00.123Z"))

/** A product as a text; equal products give equal texts. */
const told = (product: Product | ProductContent): string =>
  JSON.stringify({ ...product, grossUnitPrice: formatDecimal(product.grossUnitPrice, 2) })

const errorOf = <A, E>(effect: Effect.Effect<A, E>) => Effect.map(Effect.result(effect), (result) => (result._tag === "Failure" ? result.failure : null))

const mintIds = (count: number) => Array.from({ length: count }, () => mintUuid() as ProductId)

/** Every id of a list, page by page. */
const listed = Effect.fnUntraced(function*(store: Store, { tenant }: ProductShop, filter: Partial<ProductFilter> = {}, pageSize = 3) {
  const ids: Array<ProductId> = []
  for (let cursor: ProductId | null = null;;) {
    const { items, nextCursor }: ProductPage = Option.getOrThrow(yield* store.page(tenant, { ...all, ...filter }, cursor, pageSize))
    ids.push(...items.map(({ id }) => id))
    if (nextCursor === null) return ids
    cursor = nextCursor
  }
})

/** What every store of products does. `register` makes a taxpayer known to the store. */
export const productStoreContract = (
  name: string,
  start: () => { readonly layer: Layer.Layer<Stores, unknown>; readonly register: (shop: ProductShop, status?: "active" | "inactive") => Promise<void> }
) =>
  describe(`ProductStore on ${name}`, () => {
    let runtime: ManagedRuntime.ManagedRuntime<Stores, unknown>
    let register: ReturnType<typeof start>["register"]
    beforeAll(() => {
      const started = start()
      runtime = ManagedRuntime.make(started.layer)
      register = started.register
    })
    afterAll(() => runtime.dispose())
    const both = Effect.zipWith(Effect.service(ProductStore), Effect.service(ProductReferences), (store, references): Store => ({ ...store, ...references }))
    const run = <E>(body: (store: Store) => Effect.Effect<void, E>): Promise<void> => runtime.runPromise(Effect.flatMap(both, body))
    const shop = async (...of: Parameters<typeof mintShop>): Promise<ProductShop> => {
      const made = mintShop(...of)
      await register(made)
      return made
    }

    it("gives back what it was given, for every text a product can hold", async () => {
      const own = await shop()
      const text = fc.string({ minLength: 1, maxLength: 30, unit: "binary" }).map((one) => one.replaceAll(/\p{Cc}/gu, "_"))
      const texts = fc.record({
        name: fc.oneof(text, fc.constantFrom("=1+1", "'", "\"", "\\", "{NULL}", "Ђ|Е", "👩‍🌾", "e\u0301", "\u2028")),
        gtin: fc.option(text),
        unitOfMeasure: fc.option(text),
        taxLabels: fc.uniqueArray(fc.oneof(text, fc.constantFrom("Ђ", "NULL", "{}", "a,b", "\"", " ")), { minLength: 1 }),
        isActive: fc.boolean()
      })
      await fc.assert(fc.asyncProperty(texts, (content) =>
        run(Effect.fnUntraced(function*(store) {
          const product = sampleProduct(own, { ...content, sku: `${mintUuid()}${content.name}` as Product["sku"] })
          yield* store.create(own.tenant, product)
          assert.strictEqual(told(Option.getOrThrow(yield* store.get(own.tenant, product.id))), told(product))
        }))), { numRuns: 100 })
    })

    it("refuses a taken sku and names the product that has it; another taxpayer's sku is free", async () => {
      const [own, other] = [await shop(), await shop()]
      const neighbour = await shop("sandbox", own.tenant.organizationId)
      await run(Effect.fnUntraced(function*(store) {
        const first = sampleProduct(own)
        const second = sampleProduct(own)
        yield* store.create(own.tenant, first)
        yield* store.create(own.tenant, second)
        const twin = yield* errorOf(store.create(own.tenant, sampleProduct(own, { sku: first.sku })))
        assert.deepInclude(twin, { code: "CATALOGUE_SKU_ALREADY_EXISTS", sku: first.sku, productId: first.id })
        const renamed = yield* errorOf(store.replace(own.tenant, second.id, { ...second, sku: first.sku }, later))
        assert.deepInclude(renamed, { code: "CATALOGUE_SKU_ALREADY_EXISTS", sku: first.sku, productId: first.id })
        for (const place of [other, neighbour]) yield* store.create(place.tenant, sampleProduct(place, { sku: first.sku }))
        assert.strictEqual(told(Option.getOrThrow(yield* store.get(own.tenant, second.id))), told(second))
      }))
    })

    it("of many who create one sku at once, one succeeds", async () => {
      const own = await shop()
      await run(Effect.fnUntraced(function*(store) {
        const twins = Array.from({ length: 8 }, () => sampleProduct(own, { sku: "ONE" as Product["sku"] }))
        const outcomes = yield* Effect.forEach(twins, (twin) => errorOf(store.create(own.tenant, twin)), { concurrency: "unbounded" })
        assert.strictEqual(outcomes.filter((outcome) => outcome === null).length, 1)
      }))
    })

    it("replaces everything but the taxpayer and the time of creation", async () => {
      const own = await shop()
      await run(Effect.fnUntraced(function*(store) {
        const product = sampleProduct(own)
        yield* store.create(own.tenant, product)
        const content = sampleProductContent({ name: "Млеко", gtin: null, unitOfMeasure: null, isActive: false, taxLabels: ["A"] })
        const replaced = yield* store.replace(own.tenant, product.id, content, later)
        assert.strictEqual(told(replaced), told({ ...product, ...content, updatedAt: later }))
        assert.strictEqual(told(Option.getOrThrow(yield* store.get(own.tenant, product.id))), told(replaced))
        assert.deepStrictEqual(yield* listed(store, own, { search: "mleko" }), [product.id])
        assert.deepStrictEqual(yield* listed(store, own, { search: "secer" }), [])
        // A product keeps its own SKU.
        yield* store.replace(own.tenant, product.id, { ...content, name: "Јогурт" }, later)
      }))
    })

    it("another organization's and environment's products and taxpayers are not there", async () => {
      const own = await shop()
      const strangers = [await shop(), await shop("production", own.tenant.organizationId)]
      await run(Effect.fnUntraced(function*(store) {
        const product = sampleProduct(own)
        yield* store.create(own.tenant, product)
        for (const { tenant } of strangers) {
          assert.isTrue(Option.isNone(yield* store.get(tenant, product.id)))
          assert.isTrue(Option.isNone(yield* store.page(tenant, all, product.id, 5)))
          assert.deepStrictEqual(yield* listed(store, { ...own, tenant }, { search: product.sku }), [])
          assert.deepStrictEqual(yield* listed(store, { ...own, tenant }, { taxpayerId: own.taxpayerId }), [])
          assert.deepStrictEqual(yield* store.missing(tenant, own.taxpayerId, [product.id]), [product.id])
          assert.deepInclude(yield* errorOf(store.replace(tenant, product.id, product, later)), { code: "PRODUCT_NOT_FOUND" })
          assert.deepInclude(yield* errorOf(store.create(tenant, sampleProduct(own))), { code: "TAXPAYER_NOT_FOUND" })
          assert.deepInclude(yield* errorOf(store.all(tenant, own.taxpayerId)), { code: "TAXPAYER_NOT_FOUND" })
          assert.deepInclude(yield* errorOf(store.importAll(tenant, own.taxpayerId, [product], mintIds(1), later)), { code: "TAXPAYER_NOT_FOUND" })
        }
        assert.strictEqual(told(Option.getOrThrow(yield* store.get(own.tenant, product.id))), told(product))
      }))
    })

    it("an inactive taxpayer gets no new products", async () => {
      const closed = mintShop()
      await register(closed, "inactive")
      await run(Effect.fnUntraced(function*(store) {
        assert.deepInclude(yield* errorOf(store.create(closed.tenant, sampleProduct(closed))), { code: "TAXPAYER_NOT_FOUND" })
      }))
    })

    it("knows which ids are no product of the taxpayer", async () => {
      const own = await shop()
      const neighbour = await shop("sandbox", own.tenant.organizationId)
      await run(Effect.fnUntraced(function*(store) {
        const [product, inactive, theirs] = [sampleProduct(own), sampleProduct(own, { isActive: false }), sampleProduct(neighbour)]
        yield* store.create(own.tenant, product)
        yield* store.create(own.tenant, inactive)
        yield* store.create(own.tenant, theirs)
        const stranger = mintUuid()
        const missing = yield* store.missing(own.tenant, own.taxpayerId, [product.id, stranger, theirs.id, inactive.id])
        assert.deepStrictEqual(missing.toSorted(), [stranger, theirs.id].toSorted())
      }))
    })

    it("lists newest first and every product once, whatever the filter and the page's size", async () => {
      const own = await shop()
      const neighbour = await shop("sandbox", own.tenant.organizationId)
      await run(Effect.fnUntraced(function*(store) {
        const names = ["Шећер", "šećer u kocki", "Брашно", "Mleko 1 l", "Ulje"]
        const products = Array.from({ length: 40 }, (_, at) =>
          sampleProduct(at % 5 === 0 ? neighbour : own, { name: names[at % 5] ?? "", isActive: at % 3 !== 0, gtin: at % 2 === 0 ? null : `86000000000${at}` }, Math.floor(at / 4)))
        for (const product of products) yield* store.create(own.tenant, product)
        const newest = products.toSorted((one, other) =>
          DateTime.toEpochMillis(other.createdAt) - DateTime.toEpochMillis(one.createdAt) || (one.id > other.id ? -1 : 1))
        for (const taxpayerId of [null, own.taxpayerId, neighbour.taxpayerId]) {
          for (const isActive of [null, true, false]) {
            for (const search of [null, "secer", "SEC", "8600000000017", "e", "nothing at all", "l"]) {
              const wanted = newest.filter((product) =>
                (taxpayerId === null || product.taxpayerId === taxpayerId) && (isActive === null || product.isActive === isActive) &&
                (search === null || matchesSearch(product, search)))
              for (const pageSize of [1, 7, 200]) {
                assert.deepStrictEqual(yield* listed(store, own, { taxpayerId, isActive, search }, pageSize), wanted.map(({ id }) => id))
              }
            }
          }
        }
      }))
    }, 60_000)

    it("a cursor that names no product is told from an empty page", async () => {
      const own = await shop()
      await run(Effect.fnUntraced(function*(store) {
        assert.isTrue(Option.isNone(yield* store.page(own.tenant, all, mintUuid() as ProductId, 5)))
        assert.deepStrictEqual(Option.getOrThrow(yield* store.page(own.tenant, all, null, 5)), { items: [], nextCursor: null })
      }))
    })

    it("finds by any part of a text, in an index of hundreds as among the newest", async () => {
      const own = await shop()
      const names = fc.sample(fc.oneof(fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }), fc.constantFrom("Шећер", "ŠEĆER", "ς Σ", "Đ")), { numRuns: 60, seed: 7 })
        .map((text) => text.replaceAll(/\p{Cc}/gu, "_"))
      await run(Effect.fnUntraced(function*(store) {
        const rare = names.map((text, at) => sampleProduct(own, { name: text, gtin: null }, 10_000 + at))
        const common = Array.from({ length: 900 }, (_, at) => sampleProductContent({ name: `обичан ${at}`, gtin: null }))
        for (const product of rare) yield* store.create(own.tenant, product)
        yield* store.importAll(own.tenant, own.taxpayerId, common, mintIds(900), later)
        for (const { name: text } of rare) {
          const characters = [...text]
          for (const part of [text, characters.slice(0, 1).join(""), characters.slice(-2).join("")]) {
            const found = yield* listed(store, own, { search: part }, 200)
            const wanted = rare.filter((product) => matchesSearch(product, part)).map(({ id }) => id)
            assert.includeMembers([...found], wanted, `searching ${JSON.stringify(part)}`)
            if (common.every((content) => !matchesSearch(content, part))) assert.sameMembers([...found], wanted)
          }
        }
      }))
    }, 60_000)

    it("imports: makes, replaces and leaves alone, all or nothing", async () => {
      const own = await shop()
      await run(Effect.fnUntraced(function*(store) {
        const [kept, replaced] = [sampleProduct(own), sampleProduct(own)]
        yield* store.create(own.tenant, kept)
        yield* store.create(own.tenant, replaced)
        const asked = [sampleProductContent(), sampleProductContent({ sku: replaced.sku, name: "Нов назив" }), sampleProductContent()]
        assert.deepStrictEqual(yield* store.importAll(own.tenant, own.taxpayerId, asked, mintIds(3), later), { created: 2, updated: 1, total: 3 })
        const bySku = (one: ProductContent, other: ProductContent) => (one.sku < other.sku ? -1 : 1)
        const plain = ({ gtin, grossUnitPrice, isActive, name: text, sku, taxLabels, unitOfMeasure }: ProductContent) =>
          told({ sku, gtin, name: text, unitOfMeasure, grossUnitPrice, taxLabels, isActive })
        const stored = yield* store.all(own.tenant, own.taxpayerId)
        assert.deepStrictEqual(stored.toSorted(bySku).map(plain), [kept, ...asked].toSorted(bySku).map(plain))
        const changed = Option.getOrThrow(yield* store.get(own.tenant, replaced.id))
        assert.deepStrictEqual([changed.createdAt.epochMilliseconds, changed.updatedAt.epochMilliseconds], [replaced.createdAt.epochMilliseconds, later.epochMilliseconds])
        assert.deepStrictEqual(yield* listed(store, own, { search: "nov naziv" }), [replaced.id])
      }))
    })

    it("two imports at once never mix: afterwards every row is of the one that came last", async () => {
      const own = await shop()
      await run(Effect.fnUntraced(function*(store) {
        const skus = Array.from({ length: 200 }, (_, at) => `T-${at}` as Product["sku"])
        const of = (mark: string) => skus.map((sku) => sampleProductContent({ sku, name: mark }))
        for (let round = 0; round < 3; round++) {
          const marks = Array.from({ length: 4 }, (_, at) => `${round}.${at}`)
          const imports = marks.map((mark, at) => store.importAll(own.tenant, own.taxpayerId, at % 2 === 0 ? of(mark) : of(mark).toReversed(), mintIds(200), later))
          const results = yield* Effect.all(imports, { concurrency: "unbounded" })
          assert.deepStrictEqual(results.map(({ total }) => total), [200, 200, 200, 200])
          const now = new Set((yield* store.all(own.tenant, own.taxpayerId)).map(({ name: text }) => text))
          assert.strictEqual(now.size, 1, [...now].join(" "))
        }
      }))
    }, 60_000)
  })
