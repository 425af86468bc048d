/**
 * The database's disk becomes full under load, for real: PostgreSQL on a file system of its own that a ballast file fills and frees, twice. Whatever
 * was acknowledged must exist afterwards, complete and once, and the service must continue by itself when there is space again.
 *
 *   npm run disk-full        (Linux, as root: it mounts a file system of its own)
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import { layerDatabase, layerOperationStore, migrate } from "@overa/adapter-postgres"
import { Layer, ManagedRuntime, Redacted } from "effect"
import { startPostgresServer } from "../../src/support/postgresServer.ts"
import { booksOf, mintSale, type Sale, sell } from "./salesBooks.ts"

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const mountPoint = mkdtempSync(join(tmpdir(), "overa-small-disk-"))
execFileSync("mount", ["-t", "tmpfs", "-o", "size=768m,mode=755", "tmpfs", mountPoint])
// Where the server's folder is created.
process.env["TMPDIR"] = mountPoint
const ballast = join(mountPoint, "ballast")

/** Leaves a few hundred kilobytes, so that the disk becomes full within the next sales, in the middle of whatever is written then. */
const fillDisk = (): void => {
  const { bavail, bsize } = statfsSync(mountPoint)
  writeFileSync(ballast, Buffer.alloc(Math.max(bavail * bsize - 300_000, 0)))
}

const run = async (): Promise<boolean> => {
  const server = await startPostgresServer("full", { durable: true })
  try {
    const url = server.url("postgres")
    const database = layerDatabase({ url: Redacted.make(url), applicationName: "disk full", statementTimeoutMillis: 3_000 })
    const runtime = ManagedRuntime.make(Layer.provideMerge(layerOperationStore, database))
    await runtime.runPromise(migrate())
    const acknowledged: Array<Sale> = []
    const answers = new Set<string>()
    const troubles = new Map<string, number>()
    const closing = new AbortController()
    const customer = async () => {
      while (!closing.signal.aborted) {
        const sale = mintSale()
        answers.add(await runtime.runPromise(sell(sale, ({ committed, cause }) => {
          const kind = `${committed}, ${(cause as { readonly sqlState?: string | null }).sqlState ?? "no answer"}`
          troubles.set(kind, (troubles.get(kind) ?? 0) + 1)
        })))
        acknowledged.push(sale)
        await setTimeout(10)
      }
    }
    const customers = Array.from({ length: 24 }, customer)
    for (let round = 0; round < 2; round++) {
      await setTimeout(800)
      fillDisk()
      await setTimeout(3_000)
      const during = acknowledged.length
      rmSync(ballast)
      // A server that could not write its log may have ended itself; its supervisor would start it again.
      await setTimeout(500)
      if (!(await canConnect(url))) {
        say("the server had ended itself; started again")
        await server.start()
      }
      await setTimeout(1_500)
      say(`round ${round + 1}: ${during} sales before there was room again, ${acknowledged.length} soon after`)
    }
    closing.abort()
    await Promise.all(customers)
    await runtime.dispose()
    const { expected, stored } = await booksOf(url, acknowledged)
    for (const [kind, times] of troubles) say(`commits that failed (committed, SQL state) = (${kind}): ${times}`)
    const isWhole = isDeepStrictEqual(stored.map((row) => ({ ...row })), expected)
    const isOnce = isDeepStrictEqual([...answers], ["Reserved Applied"])
    const wasFull = [...troubles.keys()].some((kind) => kind.endsWith("53100") || kind.startsWith("unknown"))
    say(`${acknowledged.length} sales acknowledged, ${stored.length} stored; whole: ${isWhole}, once: ${isOnce}, the disk was full: ${wasFull}`)
    return isWhole && isOnce && wasFull
  } finally {
    await server.destroy()
  }
}

const canConnect = async (url: string): Promise<boolean> => {
  const { default: pg } = await import("pg")
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  try {
    await client.connect()
    await client.query("select 1")
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

try {
  process.exitCode = (await run()) ? 0 : 1
} finally {
  execFileSync("umount", [mountPoint])
  rmSync(mountPoint, { recursive: true, force: true })
}
