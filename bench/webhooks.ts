/**
 * The whole path of a sale with webhooks on, compared with the same path without: two databases on one server, a host and a worker for each, alternately. Both
 * workers seal the journal; one of them also sends every event to a receiver on the same machine. What still waits for the receiver is sent before the next turn.
 *
 *   node --conditions=@overa/source bench/webhooks.ts [seconds per round] [rounds]
 */
import { setTimeout } from "node:timers/promises"
import pg from "pg"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { startReceiver, startWorker } from "./support/eventWorker.ts"
import { tellBounded } from "./support/figures.ts"
import { inTurns, measure, median } from "./support/load.ts"
import { salePath } from "./support/salePath.ts"

const [seconds = "5", rounds = "9"] = process.argv.slice(2)
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const server = await startPostgresServer("webhooks", { durable: true })
try {
  const client = new pg.Client({ connectionString: server.url("postgres") })
  await client.connect()
  for (const name of ["with", "without"]) await client.query(`create database "${name}"`)
  await client.end()
  const receiver = await startReceiver()
  const [on, off] = [await salePath(server.url("with"), 1), await salePath(server.url("without"), 1)]
  await on.ask("/v1/webhook-endpoints", { url: "http://93.184.215.14/events" })
  const worker = await startWorker({ ...on.workerSettings, OVERA_WORKER_ID: "on", OVERA_WEBHOOK_PROXY_URL: receiver.proxyUrl })
  const silent = await startWorker({ ...off.workerSettings, OVERA_WORKER_ID: "off" })
  /** Until every sale so far was told: at most two minutes. */
  const drained = async (): Promise<void> => {
    const deadline = Date.now() + 120_000
    while (receiver.taken() < on.sold()) {
      if (Date.now() > deadline) throw new Error(`${on.sold()} sales, ${receiver.taken()} events were taken`)
      await setTimeout(50)
    }
  }
  // The engine compiles a host's code only after it has run often.
  for (const path of [on, off]) await measure(path.sell(1), 64, 4 * Number(seconds))
  await drained()
  say(`in turns: ${rounds} rounds of ${seconds} s`)
  for (const connections of [1, 64]) {
    const [withEvents, without] = await inTurns([
      async () => {
        const found = await measure(on.sell(1), connections, Number(seconds))
        const behind = on.sold() - receiver.taken()
        await drained()
        say(`  ${behind} events waited at the end of the turn`)
        return found
      },
      () => measure(off.sell(1), connections, Number(seconds))
    ], Number(rounds))
    if (withEvents === undefined || without === undefined) throw new Error("nothing was measured")
    say(`${connections} connections: with webhooks ${Math.round(withEvents.perSecond)}/s [${withEvents.each.join(" ")}] p50 ${withEvents.p50.toFixed(2)} ms | without ${Math.round(without.perSecond)}/s [${without.each.join(" ")}] p50 ${without.p50.toFixed(2)} ms`)
    const ratio = median(withEvents.each.map((rate, round) => rate / (without.each[round] ?? Number.NaN)))
    tellBounded({ name: `sale path, ${connections} connections: rate with webhooks / without`, value: ratio, better: "higher" }, 0.98)
  }
  say(`${receiver.taken()} events of ${on.sold()} sales were taken; the worker used ${((worker.cpuMillis() - silent.cpuMillis()) / receiver.taken()).toFixed(2)} ms of processor for each`)
  for (const one of [worker, silent]) await one.stop()
  for (const path of [on, off]) await path.stop()
  receiver.stop()
} finally {
  await server.destroy()
}
