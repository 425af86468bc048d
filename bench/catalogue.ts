/**
 * Compares the cost of a search among many products with that among few: a shop of 1,000 products and one of 100,000, in a database with the given
 * number of other shops' products. Alternately and so under the same load, both shops are searched for texts that every product contains, that one in
 * two hundred contains, that five contain, and that none contains; pages are read from the middle of both. Then files of 1,000 products are imported,
 * all new and all known, files of the largest size are imported while the memory is measured, and the large catalogue is exported. Prints medians and
 * ratios; a ratio over 2, an import over 500 ms, or memory that imports keep, fails.
 *
 *     node --conditions=@overa/source bench/catalogue.ts [products of others, 1000000 if left out] [products of the large shop]
 */
import { layerDatabase, layerProductStore, migrate } from "@overa/adapter-postgres"
import { readCsv, writeCsv } from "@overa/adapter-spreadsheets"
import { type ProductContent, type ProductFilter, type ProductId, productSheet, ProductStore, readProductSheet } from "@overa/domain"
import { DateTime, Effect, Layer, ManagedRuntime, Option, Redacted, Result } from "effect"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import pg from "pg"
import { numberingOf, searchKeys } from "../adapters/postgres/src/search/searchGrams.ts"
import { mintUuid } from "../contract-tests/src/support/mintIdentity.ts"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { mintShop, type ProductShop, sampleProductContent } from "../contract-tests/src/support/sampleProducts.ts"
import { copyRows } from "./support/copyRows.ts"
import { expectAtMost } from "./support/figures.ts"
import { median } from "./support/load.ts"

const others = Number(process.argv[2] ?? 1_000_000)
const large = Number(process.argv[3] ?? 100_000)
const small = Math.min(1_000, large)
const shopOfOthers = 20_000
const rounds = 40
const ratioLimit = 2
const importLimit = 500

const columns = [
  "organization_id", "product_id", "environment", "taxpayer_id", "sku", "gtin", "name", "unit_of_measure", "gross_unit_price", "tax_labels",
  "is_active", "search_text", "search_grams", "created_at", "updated_at"
] as const

const goods = ["Кафа млевена", "Šećer kristal", "Брашно Т-500", "Mleko 2,8%", "Чоколада", "Deterdžent za veš", "Папирни убруси", "Čaj od nane"]

/** Every product is an article; one in two hundred is a souvenir, and five products of a shop come from the workshop Žitište. */
const nameOf = (at: number, count: number): string => {
  const souvenir = at % 200 === 7 ? " сувенир" : ""
  const workshop = at % Math.floor(count / 5) === Math.floor(count / 10) ? " радионица Житиште" : ""
  return `${goods[at % goods.length]} artikal ${at}${souvenir}${workshop}`
}

function* rowsOf({ taxpayerId, tenant }: ProductShop, count: number) {
  const from = Date.UTC(2026, 0, 1)
  const numbering = numberingOf(tenant.organizationId, tenant.environment)
  for (let at = 0; at < count; at++) {
    const sku = `SKU-${at}`
    const gtin = `86${String(at).padStart(11, "0")}`
    const name = nameOf(at, count)
    const { grams, text } = searchKeys(numbering, [name, sku, gtin])
    const time = new Date(from + at * 1_000).toISOString()
    yield [
      tenant.organizationId, mintUuid(), tenant.environment, taxpayerId, sku, gtin, name, "kom", ((at % 9_000) / 10).toFixed(2), ["Ђ"],
      at % 10 !== 0, text, grams, time, time
    ]
  }
}

const server = await startPostgresServer("catalogue", { durable: true })
const client = new pg.Client({ connectionString: server.url("postgres") })
await client.connect()
const layer = Layer.provideMerge(layerProductStore, layerDatabase({ url: Redacted.make(server.url("postgres")), applicationName: "bench", statementTimeoutMillis: 60_000 }))
const runtime = ManagedRuntime.make(layer)
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const shop = async (count: number): Promise<ProductShop> => {
  const made = mintShop()
  await client.query("insert into organizations values ($1, 'Продавница', now())", [made.tenant.organizationId])
  await client.query(
    `insert into taxpayers (organization_id, taxpayer_id, environment, tax_identifier, name, vat_status, created_at, updated_at)
     values ($1, $2, 'sandbox', $3, 'Фирма', 'IN_VAT', now(), now())`,
    [made.tenant.organizationId, made.taxpayerId, mintUuid()]
  )
  await copyRows(client, server.directory, { table: "products", columns }, rowsOf(made, count))
  return made
}

const timed = async <A>(work: () => Promise<A>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** A file of nearly the largest size that a request may have: the longest possible names, and as many labels as fit. */
const largestFile = (rows: number): string => {
  const labels = Array.from({ length: 38 }, (_, at) => `${at} ${"ш".repeat(47)}`)
  return writeCsv(productSheet(Array.from({ length: rows }, (_, at): ProductContent =>
    sampleProductContent({ sku: `BIG-${at}` as ProductContent["sku"], name: `${at} ${"ш".repeat(490)}`, taxLabels: labels }))), { delimiter: ",", newline: "\n" })
}

/** How much memory imports keep after garbage collection, and how much more is in use at most while they run, both in MB. */
const memoryOfImports = async (work: () => Promise<void>) => {
  setFlagsFromString("--expose_gc")
  const collect = runInNewContext("gc") as () => void
  const inUse = (): number => process.memoryUsage().rss / 1e6
  const held = (): number => {
    collect()
    return process.memoryUsage().heapUsed / 1e6
  }
  for (let round = 0; round < 5; round++) await work()
  const [before, start] = [held(), inUse()]
  let peak = start
  const sampler = setInterval(() => (peak = Math.max(peak, inUse())), 5)
  const times: Array<number> = []
  for (let round = 0; round < 20; round++) times.push(await timed(work))
  clearInterval(sampler)
  return { kept: held() - before, peak: peak - start, millis: median(times) }
}

try {
  await runtime.runPromise(migrate())
  const store = await runtime.runPromise(Effect.service(ProductStore))
  await client.query("drop index products_search")
  const few = await shop(small)
  const many = await shop(large)
  for (let left = others; left > 0; left -= shopOfOthers) await shop(Math.min(left, shopOfOthers))
  await client.query("set maintenance_work_mem = '1GB'")
  await client.query("create index products_search on products using gin (search_grams)")
  await client.query("vacuum analyze products")
  const sizes = await client.query("select pg_size_pretty(pg_table_size('products')) as rows, pg_size_pretty(pg_relation_size('products_search')) as search, count(*) as count from products")
  print(`${sizes.rows[0].count} products, ${sizes.rows[0].rows}, search index ${sizes.rows[0].search}`)

  const all: ProductFilter = { taxpayerId: null, search: null, isActive: null }
  const pageOf = (of: ProductShop, filter: Partial<ProductFilter>, cursor: ProductId | null = null) =>
    runtime.runPromise(store.page(of.tenant, { ...all, ...filter }, cursor, 50))
  const cursorIn = async (of: ProductShop, count: number): Promise<ProductId> => {
    const { rows } = await client.query("select product_id from products where organization_id = $1 order by created_at offset $2 limit 1", [of.tenant.organizationId, Math.floor(count / 2)])
    return rows[0].product_id as ProductId
  }
  const cursors = { few: await cursorIn(few, small), many: await cursorIn(many, large) }
  const questions: ReadonlyArray<readonly [string, (of: ProductShop, cursor: ProductId) => Promise<unknown>]> = [
    ["first page", (of) => pageOf(of, {})],
    ["page in the middle", (of, cursor) => pageOf(of, {}, cursor)],
    ["inactive ones of the taxpayer", (of) => pageOf(of, { taxpayerId: of.taxpayerId, isActive: false })],
    ["text of all: ARTIKAL", (of) => pageOf(of, { search: "ARTIKAL" })],
    ["one letter: a", (of) => pageOf(of, { search: "a" })],
    ["text of 1 in 200: suvenir", (of) => pageOf(of, { search: "suvenir" })],
    ["text of 5: Žitište", (of) => pageOf(of, { search: "Žitište" })],
    ["one gtin", (of) => pageOf(of, { search: "8600000000777" })],
    ["text of none: qwertz", (of) => pageOf(of, { search: "qwertz" })]
  ]
  print(`${"".padEnd(32)}${`${small}`.padStart(12)}${`${large}`.padStart(12)}   ratio   (ms, median of ${rounds})`)
  for (const [name, ask] of questions) {
    const times = { few: [] as Array<number>, many: [] as Array<number> }
    for (let round = -5; round < rounds; round++) {
      const [one, other] = [await timed(() => ask(few, cursors.few)), await timed(() => ask(many, cursors.many))]
      if (round < 0) continue
      times.few.push(one)
      times.many.push(other)
    }
    const [ofFew, ofMany] = [median(times.few), median(times.many)]
    print(`${name.padEnd(32)}${ofFew.toFixed(2).padStart(12)}${ofMany.toFixed(2).padStart(12)}${(ofMany / ofFew).toFixed(2).padStart(8)}`)
    expectAtMost(`the ratio of “${name}”`, ofMany / ofFew, ratioLimit)
  }

  const file = (round: number, known: boolean): string =>
    writeCsv(productSheet(Array.from({ length: 1_000 }, (_, at): ProductContent =>
      sampleProductContent({ sku: `${known ? "SKU-" : `NEW-${round}-`}${at}` as ProductContent["sku"], name: nameOf(at, 1_000) }))), { delimiter: ",", newline: "\n" })
  const importInto = async (text: string) => {
    const read = readProductSheet(await readCsv(text, 1_002))
    if (Result.isFailure(read)) throw read.failure
    const ids = read.success.map(() => mintUuid() as ProductId)
    await runtime.runPromise(store.importAll(many.tenant, many.taxpayerId, read.success.map(({ content }) => content), ids, DateTime.nowUnsafe()))
  }
  for (const [name, known] of [["import of 1,000 new products", false], ["import of 1,000 known products", true]] as const) {
    const times: Array<number> = []
    for (let round = 0; round < 10; round++) {
      const text = file(round, known)
      times.push(await timed(() => importInto(text)))
    }
    print(`${name.padEnd(32)}${median(times).toFixed(0).padStart(12)} ms, slowest ${Math.max(...times).toFixed(0)} ms`)
    expectAtMost(name, median(times), importLimit)
  }
  print(`a file of ${(Buffer.byteLength(largestFile(1_000)) / 1e6).toFixed(2)} MB:`)
  const memory = await memoryOfImports(() => importInto(largestFile(1_000)))
  print(`${"20 imports of it".padEnd(32)}${memory.millis.toFixed(0).padStart(12)} ms the median one; memory kept ${memory.kept.toFixed(1)} MB, at most ${memory.peak.toFixed(0)} MB more in use`)
  expectAtMost("the memory that imports keep, MB", memory.kept, 5)
  const exported = await timed(async () => writeCsv(productSheet(await runtime.runPromise(store.all(many.tenant, many.taxpayerId))), { delimiter: ",", newline: "\n" }))
  print(`${"export of the large catalogue".padEnd(32)}${exported.toFixed(0).padStart(12)} ms`)
  if (Option.isNone(await pageOf(many, {}))) throw new Error("the large shop has no page")
} finally {
  await runtime.dispose()
  await client.end()
  await server.destroy()
}
