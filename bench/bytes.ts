/**
 * The bytes of a sale: each column and index of its row, the log, and the server's processor time, with texts stored as they are and with texts that
 * the server compresses (migration 80), in turns. On the PostgreSQL of the operating system's packages: it is built with LZ4, the embedded one is not.
 *
 *   npm run bench:bytes -- [sales of each, 4000]
 */
import { execFileSync } from "node:child_process"
import { readFileSync, readdirSync } from "node:fs"
import { layerDatabase, migrate, type Migration, migrations } from "@overa/adapter-postgres"
import { Effect, Redacted } from "effect"
import type pg from "pg"
import { requireInstalledPostgres } from "../contract-tests/src/support/installedPostgres.ts"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { withClient } from "../contract-tests/src/support/withClient.ts"
import { bareCommits, barePool, mintSale } from "./support/bareCommits.ts"
import { tellBounded } from "./support/figures.ts"
import { median } from "./support/load.ts"

const rounds = 5
const salesOfARound = Math.ceil(Number(process.argv[2] ?? 4_000) / rounds / 2)
const atOnce = 8
/** Real sales differ in size, and so fill the pages; of one size, two may fit on a page and leave a third of it empty. 1 to 19 lines, ten in the middle. */
let sold = 0
const nextLines = (): number => 1 + (sold += 7) % 19
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }))

/** Processor seconds of a server's processes that run, the postmaster's ended ones included (`man 5 proc_pid_stat`: ppid, utime, stime, cutime, cstime). */
const serverSeconds = (postmaster: number): number => {
  const fieldsOf = (pid: string): ReadonlyArray<string> => {
    try {
      return readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "").split(" ")
    } catch {
      return []
    }
  }
  const ticks = (fields: ReadonlyArray<string>, from: number, to: number) => fields.slice(from, to).reduce((sum, field) => sum + Number(field), 0)
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(fieldsOf).filter((fields) => fields[1] === String(postmaster))
  const all = ticks(fieldsOf(String(postmaster)), 11, 15) + children.reduce((sum, fields) => sum + ticks(fields, 11, 13), 0)
  return all / ticksPerSecond
}

interface Way {
  readonly name: string
  readonly pool: pg.Pool
  readonly write: () => Promise<void>
  readonly logBytes: Array<number>
  readonly cpuMillis: Array<number>
}

const prepare = async (urlOf: (database: string) => string, name: string, steps: ReadonlyArray<Migration>): Promise<Way> => {
  await withClient(urlOf("postgres"), (client) => client.query(`create database ${name}`))
  await Effect.runPromise(Effect.provide(migrate(steps), layerDatabase({ url: Redacted.make(urlOf(name)), applicationName: "bytes" })))
  const pool = barePool(urlOf(name))
  const commit = bareCommits(pool)
  return { name, pool, write: () => commit(mintSale(undefined, nextLines())), logBytes: [], cpuMillis: [] }
}

const sell = async (way: Way, sales: number): Promise<void> => {
  let left = sales
  const customer = async () => {
    for (; left > 0;) {
      left -= 1
      await way.write()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, customer))
}

const logPosition = async ({ pool }: Way): Promise<string> =>
  (await pool.query<{ readonly at: string }>("select pg_current_wal_lsn() as at")).rows[0]?.at ?? ""

/** Half of a round's sales are not measured: after a checkpoint the log takes whole pages, and the statements are prepared. */
const measureRound = async (way: Way, postmaster: number): Promise<void> => {
  await way.pool.query("checkpoint")
  await sell(way, salesOfARound)
  const [from, before] = [await logPosition(way), serverSeconds(postmaster)]
  await sell(way, salesOfARound)
  const used = serverSeconds(postmaster) - before
  const { rows: [log] } = await way.pool.query<{ readonly bytes: string }>("select pg_wal_lsn_diff(pg_current_wal_lsn(), $1) as bytes", [from])
  way.logBytes.push(Number(log?.bytes) / salesOfARound)
  way.cpuMillis.push((used * 1_000) / salesOfARound)
}

type Bytes = ReadonlyMap<string, number>

const bytesOf = async (way: Way, sql: string): Promise<Bytes> =>
  new Map((await way.pool.query<{ readonly name: string; readonly bytes: string }>(sql)).rows.map(({ bytes, name }) => [name, Number(bytes)]))

const columnBytes = async (way: Way): Promise<Bytes> => {
  const columns = await way.pool.query<{ readonly name: string }>(
    "select attname as name from pg_attribute where attrelid = 'operations'::regclass and attnum > 0 and not attisdropped order by attnum")
  const sizes = columns.rows.map(({ name }) => `select '${name}' as name, coalesce(sum(pg_column_size(${name})), 0) / count(*) as bytes from operations`)
  return bytesOf(way, sizes.join(" union all "))
}

/** The row itself, what is kept beside it with its index, and each index. */
const relationBytes = (way: Way): Promise<Bytes> =>
  bytesOf(way, `with sales as (select count(*) as number from operations), whole as (select oid, reltoastrelid as beside from pg_class where oid = 'operations'::regclass)
    select name, bytes / (select number from sales) as bytes from (
      select 'row' as name, pg_relation_size(oid, 'main') as bytes from whole
      union all select 'kept beside the row', pg_relation_size(beside) from whole
      union all select 'index of what is beside', pg_indexes_size(beside) from whole
      union all select indexrelid::regclass::text, pg_relation_size(indexrelid) from pg_index where indrelid = 'operations'::regclass
    ) as parts`)

const sayTable = (title: string, [plain, packed]: readonly [Bytes, Bytes]): void => {
  say(`\n| ${title} | plain | LZ4 |\n| --- | --- | --- |`)
  for (const [name, bytes] of [...plain].toSorted((one, other) => other[1] - one[1])) {
    const after = packed.get(name) ?? 0
    if (bytes >= 8 || after >= 8) say(`| ${name} | ${Math.round(bytes)} | ${Math.round(after)} |`)
  }
}

const sumOf = (bytes: Bytes): number => [...bytes.values()].reduce((sum, each) => sum + each, 0)

const release = requireInstalledPostgres()
const server = await startPostgresServer("bytes", { durable: true, release, settings: ["max_wal_size=4GB", "checkpoint_timeout=1h", "autovacuum_naptime=1s"] })
try {
  const ways = [
    await prepare(server.url, "plain", migrations.filter(({ name }) => name !== "packed texts")),
    await prepare(server.url, "packed", migrations)
  ] as const
  for (const way of ways) await sell(way, 200)
  for (let round = 0; round < rounds; round += 1) {
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) await measureRound(way, server.processId())
  }
  for (const { pool } of ways) await pool.query("vacuum operations")
  const [plain, packed] = ways
  say(`PostgreSQL ${release.major}, ${rounds} rounds of ${salesOfARound} measured sales of 1 to 19 lines in turns; bytes a sale`)
  sayTable("column", [await columnBytes(plain), await columnBytes(packed)])
  const relations = [await relationBytes(plain), await relationBytes(packed)] as const
  sayTable("relation", relations)
  say(`\n| a sale | plain | LZ4 |\n| --- | --- | --- |`)
  say(`| bytes on disk | ${relations.map((each) => Math.round(sumOf(each))).join(" | ")} |`)
  say(`| bytes of log | ${ways.map(({ logBytes }) => Math.round(median(logBytes))).join(" | ")} |`)
  say(`| server, processor time | ${ways.map(({ cpuMillis }) => `${median(cpuMillis).toFixed(3)} ms`).join(" | ")} |\n`)
  tellBounded({ name: "bytes of a sale on disk, LZ4", value: sumOf(relations[1]), better: "lower" }, 5_000)
  tellBounded({ name: "bytes of a sale in the log, LZ4", value: median(packed.logBytes), better: "lower" }, 9_000)
  tellBounded({ name: "server CPU of a sale, LZ4 / plain", value: median(packed.cpuMillis.map((each, round) => each / (plain.cpuMillis[round] ?? each))), better: "lower" }, 1.05)
  for (const { pool } of ways) await pool.end()
} finally {
  await server.destroy()
}
