/**
 * The cost of ten thousand receipts queued while the mail server is down, and how long sending them takes when it is back: real worker and host in
 * processes of their own, a real PostgreSQL, a real mail server over TLS. Sales run throughout; their times while the server is down and while the
 * queue drains are compared with those without a queue, alternately. Fails where a message was lost or arrived twice, where one was FAILED, where the
 * worker grew by more than 150 MB above a worker that sends a few, or where sales take more than twice as long.
 *
 *     node --conditions=@overa/source bench/deliveries.ts [messages, 10000 if left out] [seconds of sales a phase, 10 if left out]
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { OveraClient } from "@overa/client"
import pg from "pg"
import { identity, mailPeer } from "../adapters/mail/test/support/mailPeer.ts"
import { CrashSite } from "../contract-tests/proof/crash/CrashSite.ts"
import { MortalProcess } from "../contract-tests/proof/crash/MortalProcess.ts"
import { Till } from "../contract-tests/proof/crash/Till.ts"
import { freePort } from "../contract-tests/src/support/freePort.ts"
import { residentMegabytes } from "../contract-tests/src/support/hostProcess.ts"
import { measure, type Measured } from "./support/load.ts"

const messages = Number(process.argv[2] ?? 10_000)
const seconds = Number(process.argv[3] ?? 10)
const bounds = { grownMegabytes: 150, salesRatio: 2 }
const workerEntry = fileURLToPath(new URL("../hosts/worker/src/main.ts", import.meta.url))
const shown = ({ p50, p99, perSecond }: Measured): string => `${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const site = await CrashSite.open()
const [port, smtpPort] = [await freePort(), await freePort()]
const database = new pg.Client({ connectionString: site.settings.databaseUrl })
await database.connect()
const ca = join(site.home, "mail.pem")
writeFileSync(ca, identity.cert)
const variables = { ...site.variables("bench", port), OVERA_SMTP_URL: `smtps://localhost:${smtpPort}`, OVERA_SMTP_CA_FILE: ca }
const api = await MortalProcess.start({ role: "api", variables })
const worker = await MortalProcess.start({ role: "worker", entry: workerEntry, variables })
const till = new Till(`http://127.0.0.1:${port}`, site.seeded.sandbox, await site.anyLabel())
const sales = () => measure(async () => void await till.send(till.newSale()), 4, seconds)
const { clientId, clientSecret } = site.seeded.sandbox
const client = new OveraClient({ baseUrl: `http://127.0.0.1:${port}`, authUrl: `http://127.0.0.1:${port}/oauth/token`, clientId, clientSecret })

const countOf = async (where: string): Promise<number> =>
  (await database.query(`select count(*)::int as count from receipt_deliveries where ${where}`)).rows[0].count

/** The queue as after thousands of requests: one requested row, and copies of it. */
const fillQueue = async (): Promise<void> => {
  const receipt = JSON.parse((await till.send(till.newSale())) ?? "{}") as { readonly id: string }
  const { id } = await client.deliver({ fiscalDocumentId: receipt.id, recipient: "kupac@example.rs" }).send()
  const { rows } = await database.query("select * from receipt_deliveries where delivery_id = $1", [id])
  const columns = Object.keys(rows[0] as object).filter((name) => !["delivery_id", "idempotency_key", "recipient"].includes(name)).join(", ")
  await database.query(
    `insert into receipt_deliveries (delivery_id, idempotency_key, recipient, ${columns})
     select gen_random_uuid(), 'bench-delivery-' || n, 'kupac' || n || '@example.rs', ${columns} from receipt_deliveries, generate_series(2, $2::int) n
     where delivery_id = $1`,
    [id, messages]
  )
}

const withoutQueue = await sales()
say(`sales without a queue: ${shown(withoutQueue)}`)
await fillQueue()
const before = residentMegabytes(worker.pid)
const whileDown = await sales()
const [{ failures }] = (await database.query("select failures from mail_transport")).rows
say(`${messages} queued, the mail server down (${failures} attempts to reach it): sales ${shown(whileDown)}; worker ${residentMegabytes(worker.pid).toFixed(0)} MB`)

const peer = await mailPeer({ secure: true }, "127.0.0.1", smtpPort)
// Not part of what is measured: the pause after the last failure, up to a minute.
await database.query("update mail_transport set try_at = now()")
await database.query("update receipt_deliveries set due_at = now() where status = 'QUEUED'")
let most = before
const from = performance.now()
const whileDraining = sales()
while (await countOf("status = 'QUEUED'") > 0) {
  most = Math.max(most, residentMegabytes(worker.pid))
  await pause(250)
}
const drained = (performance.now() - from) / 1_000
const beside = await whileDraining
say(`drained in ${drained.toFixed(0)} s, ${(messages / drained).toFixed(0)} messages/s; worker at most ${most.toFixed(0)} MB, ${before.toFixed(0)} MB before`)
say(`sales beside it: ${shown(beside)}`)

const ids = new Set(peer.arrived.map(({ raw }) => /^Message-ID: <([^@>]+)@/im.exec(raw.toString("latin1"))?.[1]))
const verdicts: ReadonlyArray<readonly [string, boolean]> = [
  [`every message arrived: ${ids.size} of ${messages}`, ids.size === messages],
  [`none came twice: ${peer.arrived.length} copies`, peer.arrived.length === messages],
  [`none was given up: ${await countOf("status = 'FAILED'")}`, await countOf("status <> 'SENT'") === 0],
  [`the worker grew by ${(most - before).toFixed(0)} MB, at most ${bounds.grownMegabytes}`, most - before <= bounds.grownMegabytes],
  [`sales while it is down: ${(whileDown.p50 / withoutQueue.p50).toFixed(2)} of their time, at most ${bounds.salesRatio}`, whileDown.p50 <= bounds.salesRatio * withoutQueue.p50],
  [`sales while it drains: ${(beside.p50 / withoutQueue.p50).toFixed(2)} of their time, at most ${bounds.salesRatio}`, beside.p50 <= bounds.salesRatio * withoutQueue.p50]
]
for (const [claim, holds] of verdicts) say(`${holds ? "holds" : "FAILS"}: ${claim}`)
await Promise.all([api.kill(), worker.kill()])
await database.end()
await peer.close()
await site.close()
process.exit(verdicts.every(([, holds]) => holds) ? 0 : 1)
