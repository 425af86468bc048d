/**
 * A real shop engine with its sample data: buys, pays and refunds through its public API while the V-PFR loses answers and goes away, kills the
 * engine in the middle, and compares what was signed with what was paid, order by order.
 *
 *   npm run shops -- --engine vendure --orders 100 --rounds 1
 */
import { rmSync } from "node:fs"
import { parseArgs } from "node:util"
import pg from "pg"
import { freePort } from "../contract-tests/src/support/freePort.ts"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { type Bought, buy, callOff, giveBack } from "./buyer.ts"
import { compare, untilSigned } from "./compare.ts"
import { connect, correctLabels, Service, untilStatus } from "./connect.ts"
import { Vendure } from "./Vendure.ts"

const { values } = parseArgs({ options: { engine: { type: "string", default: "vendure" }, orders: { type: "string", default: "100" }, rounds: { type: "string", default: "1" } } })
if (values.engine !== "vendure") throw new Error("The engines are: vendure")
const [orders, rounds] = [Number(values.orders), Number(values.rounds)]
const started = Date.now()
const say = (line: string): void => void process.stdout.write(`${Math.round((Date.now() - started) / 1000)} s: ${line}\n`)

const server = await startPostgresServer("shops", { durable: false })
const service = await Service.start()
const shop = new Vendure(server.url("postgres"), await freePort())

const variantsOf = async (): Promise<ReadonlyArray<string>> => {
  const { productVariants } = await shop.administrate("{ productVariants(options: { take: 20 }) { items { id } } }") as { readonly productVariants: { readonly items: ReadonlyArray<{ readonly id: string }> } }
  return productVariants.items.map(({ id }) => id)
}

/** Every sixth order begins with a deposit; every twenty-fourth is called off after it, every fourth of the others has a refund. */
const buyOne = async (variants: ReadonlyArray<string>, number: number): Promise<Bought> => {
  const isCalledOff = number % 24 === 17
  const payments = isCalledOff ? ["deposit"] as const : number % 6 === 5 ? ["deposit", "card"] as const : ["card"] as const
  const bought = await buy(shop, number, { variant: variants[number % variants.length] ?? "", quantity: 1 + (number % 3), payments })
  if (isCalledOff) await callOff(shop, bought.id)
  else if (number % 4 === 0) await giveBack(shop, bought.id)
  return bought
}

/** Wrong tax labels are told at the order; once they are right it mends itself. */
const correctAfterRefusal = async ({ id }: Bought): Promise<void> => {
  say(`with wrong tax labels the order says: ${await untilStatus(shop, id, /Correct|rejected/)}`)
  await correctLabels(shop, service)
  say(`with right ones: ${await untilStatus(shop, id, /^Everything/)}`)
}

/** What goes wrong before the order of this number. */
const harm = async (number: number): Promise<void> => {
  if (number === 1) {
    // One answer of twelve is lost after the V-PFR signed; one connection of thirty breaks before anything is sent. What breaks in between without a signature is decided by an operator.
    await service.fault({ fault: "sign-then-reset", probability: 0.08, seed: 1 })
    await service.fault({ fault: "reset-before-request", probability: 0.03, seed: 2 })
  }
  if (number === Math.floor(orders / 3)) {
    await shop.kill()
    await shop.run()
    say(`killed and started again after ${number} orders`)
  }
  if (number === Math.floor(orders / 2)) await service.fault({ fault: "refuse-connection" })
  if (number === Math.floor((orders * 2) / 3)) {
    await service.noFaults()
    await service.fault({ fault: "sign-then-reset", probability: 0.08, seed: 3 })
  }
}

/** Buys so many orders while things go wrong, then compares all orders so far. */
const runRound = async (database: pg.Client, round: number, bought: Array<Bought>, variants: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  for (let number = 0; number < orders; number += 1) {
    await harm(number)
    const one = await buyOne(variants, number)
    bought.push(one)
    if (bought.length === 1) await correctAfterRefusal(one)
  }
  await service.noFaults()
  say(`round ${round}: ${orders} orders are bought`)
  await untilSigned(database)
  const { faults, summary } = await compare(shop, service, database, bought, round)
  say(`${summary}: ${faults.length === 0 ? "every para is accounted for" : "SOMETHING IS WRONG"}`)
  return faults
}

const trial = async (database: pg.Client): Promise<ReadonlyArray<string>> => {
  await shop.start()
  await connect(shop, service)
  say("the shop runs")
  const [bought, variants, faults]: [Array<Bought>, ReadonlyArray<string>, Array<string>] = [[], await variantsOf(), []]
  for (let round = 1; round <= rounds; round += 1) faults.push(...await runRound(database, round, bought, variants))
  return faults
}

const database = new pg.Client(server.url("postgres"))
await database.connect()
const faults = await trial(database).finally(async () => {
  await shop.kill()
  await database.end()
  await server.destroy()
  await service.stop()
  rmSync(shop.mails, { recursive: true, force: true })
})
for (const fault of faults) say(fault)
process.exit(faults.length === 0 ? 0 : 1)
