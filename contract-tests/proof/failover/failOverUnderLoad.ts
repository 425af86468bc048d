import { setTimeout as pause } from "node:timers/promises"
import { compareSettled } from "../crash/compareSettled.ts"
import { CrashSite } from "../crash/CrashSite.ts"
import { MortalProcess } from "../crash/MortalProcess.ts"
import { Till } from "../crash/Till.ts"
import { type Replication, ServerPair } from "./ServerPair.ts"
import { freePort } from "../../src/support/freePort.ts"

export interface FailoverRun {
  readonly rounds: number
  readonly connections: number
  readonly replication: Replication
  readonly say: (line: string) => void
}

export interface FailoverVerdict {
  /** Violations, a sentence for each. */
  readonly contradictions: ReadonlyArray<string>
  /** From a promotion until the next sale was answered, in milliseconds. */
  readonly slowestMillis: number
  readonly sales: number
}

const sold = (till: Till): number => till.sales.filter(({ status }) => status === "FISCALIZED").length

const untilSold = async (till: Till, moreThan: number, withinMillis: number): Promise<void> => {
  const deadline = performance.now() + withinMillis
  while (sold(till) <= moreThan && performance.now() < deadline) await pause(5)
}

interface FarReceipt {
  readonly invoiceNumber: string
  readonly totalAmount: number
}

/** Every sale has its own amount here, so two receipts with one amount are two receipts of one sale. */
const signedTwice = async (controlUrl: string): Promise<ReadonlyArray<string>> => {
  const { receipts } = await (await fetch(`${controlUrl}/receipts`)).json() as { readonly receipts: ReadonlyArray<FarReceipt> }
  return [...Map.groupBy(receipts, ({ totalAmount }) => totalAmount)]
    .filter(([, same]) => same.length > 1)
    .map(([amount, same]) => `${amount} was signed as ${same.map(({ invoiceNumber }) => invoiceNumber).join(" and ")}`)
}

const round = async (pair: ServerPair, till: Till, { connections, replication }: FailoverRun): Promise<number> => {
  await untilSold(till, sold(till) + connections, 20_000)
  if (replication === "asynchronous") {
    pair.loseLine()
    await pause(300)
  }
  await pair.failOver()
  const [before, promoted] = [sold(till), performance.now()]
  await untilSold(till, before, 30_000)
  return performance.now() - promoted
}

const failOverAgainAndAgain = async (pair: ServerPair, till: Till, asked: FailoverRun): Promise<number> => {
  let slowest = 0
  for (let count = 1; count <= asked.rounds; count += 1) {
    const millis = await round(pair, till, asked)
    slowest = Math.max(slowest, millis)
    asked.say(`failover ${count}: sales flow ${Math.round(millis)} ms after the promotion; ${sold(till)} sold, ${till.open.length} open`)
    if (count === asked.rounds) break
    await pair.stop()
    await pair.start(asked.replication)
  }
  return slowest
}

/** With an asynchronous standby acknowledged commits are lost, so only the guarantees that hold even then are checked. */
const contradictionsOf = async (site: CrashSite, pair: ServerPair, till: Till, replication: Replication): Promise<ReadonlyArray<string>> => {
  const twice = await signedTwice(site.controlUrl)
  if (replication === "asynchronous") return twice
  return [...twice, ...(await compareSettled({ settings: { databaseUrl: pair.primaryUrl }, controlUrl: site.controlUrl }, till.sales))]
}

/** Kills the primary and promotes its standby while shops sell; API and worker run throughout. */
export const failOverUnderLoad = async (asked: FailoverRun): Promise<FailoverVerdict> => {
  const site = await CrashSite.open()
  const pair = await ServerPair.over(await site.handOverPostgres(), site.settings.secrets.postgresPassword)
  const hosts: Array<MortalProcess> = []
  const closing = new AbortController()
  try {
    await pair.start(asked.replication)
    const port = await freePort()
    for (const role of ["api", "worker"] as const) {
      hosts.push(await MortalProcess.start({ role, variables: { ...site.variables(`failover ${role}`, port), DATABASE_URL: pair.url } }))
    }
    const till = new Till(`http://127.0.0.1:${port}`, site.seeded.sandbox, await site.anyLabel(), { amountsDiffer: true })
    const customers = Promise.all(Array.from({ length: asked.connections }, () => till.sellUntil(closing.signal)))
    const slowestMillis = await failOverAgainAndAgain(pair, till, asked)
    closing.abort()
    await customers
    const contradictions = await contradictionsOf(site, pair, till, asked.replication)
    for (const line of contradictions) asked.say(line)
    asked.say(`${asked.replication}: ${asked.rounds} failovers, ${sold(till)} sales, slowest ${Math.round(slowestMillis)} ms, ${contradictions.length} contradictions`)
    return { contradictions, slowestMillis, sales: sold(till) }
  } finally {
    closing.abort()
    await Promise.all(hosts.map((host) => host.kill()))
    await pair.stop()
    await site.close()
  }
}
