import { setTimeout as pause } from "node:timers/promises"
import { type Comparison, compareAll } from "./comparisons.ts"
import { type Disturbance, disturbances } from "./disturbances.ts"
import { Samples } from "./Samples.ts"
import { programs, SoakSite } from "./SoakSite.ts"
import { Traffic } from "./Traffic.ts"
import { untilSettled } from "./untilSettled.ts"

/** How long, how fast, and where progress is told. */
export interface SoakRun {
  readonly minutes: number
  readonly errandsPerSecond: number
  readonly say: (line: string) => void
  /** Ends the run at once, and everything that it has started. */
  readonly stop?: AbortSignal
  /** All of them in turn if left out. */
  readonly disturbances?: ReadonlyArray<Disturbance>
}

export interface Happened {
  readonly minute: number
  readonly name: string
  readonly what: string
  /** It could not be carried out. */
  readonly failed: boolean
}

export interface SoakVerdict {
  readonly comparisons: ReadonlyArray<Comparison>
  readonly happened: ReadonlyArray<Happened>
  readonly samples: Samples
  readonly site: Pick<SoakSite, "shops">
  readonly begun: number
  readonly heldBack: number
  readonly minutes: number
}

/** The time between the beginnings of two disturbances, at most. */
const mostApartMillis = 40_000
/** What was begun has its answers by then. */
const answeredMillis = 240_000
/** What waits in the store has gone by then: a message that a killed worker was sending waits longest. */
const settleMillis = 600_000
/** A quarter of an hour after a submission's deadline. */
const decidableMillis = 16 * 60_000

const disturb = async (site: SoakSite, asked: SoakRun, until: number, since: number): Promise<ReadonlyArray<Happened>> => {
  const list = asked.disturbances ?? disturbances
  const apart = Math.min(mostApartMillis, (until - performance.now()) / (list.length + 1))
  const happened: Array<Happened> = []
  for (let count = 0; ; count += 1) {
    const next = list[count % Math.max(1, list.length)]
    const began = performance.now()
    // Each comes once, and nothing new begins in the last moments of the run.
    if (next === undefined || (count >= list.length && began + apart / 2 > until)) break
    if (next.minutesLeft !== undefined && until - began < next.minutesLeft * 60_000) continue
    const minute = (began - since) / 60_000
    const { failed, what } = await next.run(site).then((said) => ({ failed: false, what: said }), (error: unknown) => ({ failed: true, what: String(error) }))
    happened.push({ minute, name: next.name, what, failed })
    asked.say(`${minute.toFixed(1)} min: ${next.name} (${what})`)
    await pause(Math.max(1_000, apart - (performance.now() - began)))
  }
  return happened
}

const stopped = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true }))

/** The operator knows that nothing was signed where the V-PFR answered 500, and says so; answers how many there were. */
const decideUnsigned = async (site: SoakSite): Promise<number> => {
  const { items } = JSON.parse(await site.admin(["unknown", "list", "--limit", "10000", "--json"])) as { readonly items: ReadonlyArray<{ readonly id: string; readonly createdAt: string }> }
  const old = items.filter(({ createdAt }) => Date.now() - Date.parse(createdAt) > decidableMillis)
  const decide = (id: string) => site.admin(["unknown", "decide", id, "not-issued", "--reason", "the V-PFR answered 500 and signed nothing", "--yes"])
  const decided = await Promise.allSettled(old.map(({ id }) => decide(id)))
  return decided.filter(({ status }) => status === "fulfilled").length
}

/** Lets shops sell for a while, disturbs the installation in turn, and compares everything at the end. */
export const soak = async (asked: SoakRun): Promise<SoakVerdict> => {
  const site = await SoakSite.open()
  try {
    await Promise.all(programs.map((program) => site.start(program)))
    await site.openShops()
    const [samples, traffic] = [new Samples(site), new Traffic(site.shops, asked.errandsPerSecond)]
    const since = performance.now()
    const until = since + asked.minutes * 60_000
    const selling = traffic.run()
    const watching = setInterval(() => asked.say(`${((performance.now() - since) / 60_000).toFixed(1)} min: ${traffic.begun} errands begun, ${traffic.underway} under way`), 60_000)
    try {
      const happened = await Promise.race([disturb(site, asked, until, since), stopped(asked.stop)])
      await pause(Math.max(0, until - performance.now()))
      const deciding = decideUnsigned(site)
      await traffic.close(answeredMillis)
      const decided = await deciding
      if (decided > 0) asked.say(`the operator decided ${decided} outcomes that no search finds`)
      await selling
      samples.stop()
      const minutes = (performance.now() - since) / 60_000
      await untilSettled(site.pair.primaryUrl, settleMillis)
      asked.say("comparing")
      const verified = JSON.parse(await site.admin(["journal", "verify", "--json"])) as unknown
      asked.say(`journal verify: ${JSON.stringify(verified).slice(0, 200)}`)
      const { pair, far, shops, nextHost, mail, events } = site
      const carried = { what: "disturbances carried out", pairs: happened.length, faults: happened.filter(({ failed }) => failed).map(({ name, what }) => `${name}: ${what}`) }
      const comparisons = [carried, ...(await compareAll({ databaseUrl: pair.primaryUrl, controlUrl: far.controlUrl, shops, nextHost, mail, events }))]
      return { comparisons, happened, samples, site, begun: traffic.begun, heldBack: traffic.heldBack, minutes }
    } finally {
      clearInterval(watching)
      samples.stop()
      await traffic.close(0)
    }
  } finally {
    await site.close()
  }
}
