/**
 * A real shop engine with its sample data: buys, pays, refunds and cancels through its public API while the V-PFR loses answers and goes away, kills the
 * engine in the middle, and compares what was signed with what was paid, order by order.
 *
 *   npm run shops -- --engine vendure --orders 100 --rounds 1 --outage 600
 *
 * `--outage`: for how many seconds at least the V-PFR is away. `--stay`: nothing goes wrong; twelve orders are bought, and the shop stays with its admin until Ctrl-C.
 */
import { once } from "node:events"
import { parseArgs } from "node:util"
import pg from "pg"
import { freePort } from "../contract-tests/src/support/freePort.ts"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { compare, untilSigned } from "./compare.ts"
import type { Bought, Engine } from "./Engine.ts"
import { MedusaEngine } from "./engines/medusa/MedusaEngine.ts"
import { VendureEngine } from "./engines/vendure/VendureEngine.ts"
import { Installation, until } from "./Installation.ts"

const { values } = parseArgs({
  options: { engine: { type: "string", default: "vendure" }, orders: { type: "string", default: "100" }, rounds: { type: "string", default: "1" }, outage: { type: "string", default: "0" }, stay: { type: "boolean", default: false } }
})
const engines: Readonly<Record<string, new (databaseUrl: string, port: number) => Engine>> = { medusa: MedusaEngine, vendure: VendureEngine }
const Chosen = engines[values.engine]
if (Chosen === undefined) throw new Error(`The engines are: ${Object.keys(engines).join(", ")}`)
const [orders, rounds, outageMillis] = [Number(values.orders), Number(values.rounds), 1_000 * Number(values.outage)]
const started = Date.now()
const say = (line: string): void => void process.stdout.write(`${Math.round((Date.now() - started) / 1000)} s: ${line}\n`)

const server = await startPostgresServer("shops", { durable: false })
const service = await Installation.start()
const engine = new Chosen(server.url("postgres"), await freePort())

/** Wrong tax labels are told at the order; once they are right it mends itself. */
const correctAfterRefusal = async ({ id }: Bought): Promise<void> => {
  say(`with wrong tax labels the order says: ${await until(() => engine.statusOf(id), /Correct|rejected/)}`)
  await engine.correctLabels(await service.label())
  say(`with right ones: ${await until(() => engine.statusOf(id), /^Everything/)}`)
}

let awaySince = 0
let admin = ""

/** The V-PFR comes back, at the earliest after the outage that was asked for. */
const endOutage = async (latest: Bought | undefined): Promise<void> => {
  if (latest !== undefined) say(`while the V-PFR is away an order says: ${await until(() => engine.statusOf(latest.id), /^Not issued/)}`)
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, awaySince + outageMillis - Date.now())))
  await service.noFaults()
  say(`the V-PFR was away for ${Math.round((Date.now() - awaySince) / 1000)} seconds`)
  await service.fault({ fault: "sign-then-reset", probability: 0.08, seed: 3 })
}

/** What goes wrong before the order of this number. */
const harm = async (number: number, latest: Bought | undefined): Promise<void> => {
  if (number === 1) {
    // One answer of twelve is lost after the V-PFR signed; one connection of thirty breaks before anything is sent. What breaks in between without a signature is decided by an operator.
    await service.fault({ fault: "sign-then-reset", probability: 0.08, seed: 1 })
    await service.fault({ fault: "reset-before-request", probability: 0.03, seed: 2 })
  }
  if (number === Math.floor(orders / 3)) {
    await engine.kill()
    await engine.run()
    say(`killed and started again after ${number} orders`)
  }
  if (number === Math.floor(orders / 2)) {
    awaySince = Date.now()
    await service.fault({ fault: "refuse-connection" })
  }
  if (number === Math.floor((orders * 2) / 3)) await endOutage(latest)
}

/** An order may say nothing for so long after it was paid, whatever goes wrong. */
const mostSilentMillis = 30_000

/** Buys so many orders while things go wrong, then compares all orders so far. */
const runRound = async (database: pg.Client, round: number, bought: Array<Bought>): Promise<ReadonlyArray<string>> => {
  const silences: Array<number> = []
  for (let number = 0; number < orders; number += 1) {
    await harm(number, bought.at(-1))
    const one = await engine.buy(number)
    bought.push(one)
    const paid = Date.now()
    await until(() => engine.statusOf(one.id), /./, 50).catch((error: unknown) => say(`order ${number}, ${one.code}: ${String(error)}`))
    silences.push(Date.now() - paid)
    if (bought.length === 2) await correctAfterRefusal(one)
  }
  const [silent, most] = [silences.filter((millis) => millis > mostSilentMillis).length, Math.max(...silences)]
  say(`an order said something after ${silences.toSorted((one, other) => one - other)[Math.floor(silences.length / 2)] ?? 0} ms in the middle, ${most} ms at most`)
  await service.noFaults()
  say(`round ${round}: ${orders} orders are bought`)
  const decided = await untilSigned(engine, database, service)
  if (decided > 0) say(`an operator decided ${decided} outcomes that no search finds`)
  const { faults, summary } = await compare(engine, service, database, bought, round)
  say(`${summary}: ${faults.length === 0 ? "every para is accounted for" : "SOMETHING IS WRONG"}`)
  return silent === 0 ? faults : [...faults, `SILENT ${silent} orders for more than ${mostSilentMillis / 1_000} seconds`]
}

/** What somebody who runs the engine waits for until an order has its first receipt: the lines of the plugin's README, from the first to the sixth. */
const firstReceipt = async (): Promise<Bought> => {
  await engine.prepare()
  say(`${values.engine} is there with its sample data, without the plugin`)
  const pluggedIn = await engine.plugIn()
  if (values.stay) admin = await engine.buildAdmin()
  const started = Date.now()
  await engine.run()
  const ran = Date.now() - started
  await engine.connect(service, await service.label())
  const bought = await engine.buy(2)
  await until(() => engine.statusOf(bought.id), /^Everything/)
  const inSeconds = (millis: number): string => `${Math.round(millis / 1000)} s`
  say(`the first receipt: the plugin was installed and the database migrated in ${inSeconds(pluggedIn)}, the engine started in ${inSeconds(ran)}, settings, purchase and receipt took ${inSeconds(Date.now() - started - ran)}; together ${inSeconds(pluggedIn + Date.now() - started)}`)
  return bought
}

/** A shop to look at: with its orders, its settings, and one order that waits for a correct tax label. */
const stay = async (): Promise<ReadonlyArray<string>> => {
  await firstReceipt()
  for (let number = 0; number < 12; number += 1) await engine.buy(number)
  await engine.correctLabels("Q")
  await engine.buy(12)
  say(`the shop stays until Ctrl-C; its admin: ${admin}`)
  await once(process, "SIGINT")
  return []
}

const trial = async (database: pg.Client): Promise<ReadonlyArray<string>> => {
  const [bought, faults]: [Array<Bought>, Array<string>] = [[await firstReceipt()], []]
  await engine.correctLabels("Q")
  for (let round = 1; round <= rounds; round += 1) faults.push(...await runRound(database, round, bought))
  return faults
}

const database = new pg.Client(server.url("postgres"))
await database.connect()
const faults = await (values.stay ? stay() : trial(database)).finally(async () => {
  await engine.kill()
  await database.end()
  await server.destroy()
  await service.stop()
  engine.clean()
})
for (const fault of faults) say(fault)
process.exit(faults.length === 0 ? 0 : 1)
