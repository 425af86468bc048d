import { setTimeout as pause } from "node:timers/promises"
import { backUp } from "./backUp.ts"
import { checkout } from "./HostProcess.ts"
import { replaceKeys } from "./replaceKeys.ts"
import type { Program, SoakSite } from "./SoakSite.ts"

/** Something that goes wrong while shops sell. Its answer says in a few words what was done. */
export interface Disturbance {
  readonly name: string
  readonly run: (site: SoakSite) => Promise<string>
  /** It comes only while the run has so many minutes left. */
  readonly minutesLeft?: number
}

const seconds = (count: number): Promise<void> => pause(count * 1_000)

const killed = (program: Program): Disturbance => ({
  name: `${program} is killed`,
  run: async (site) => {
    await site.process(program).kill()
    await seconds(2)
    await site.start(program)
    return "SIGKILL, started again after 2 s"
  }
})

/** Faults of the V-PFR for a while; `orders` are those of the simulator's control API. */
const weather = (name: string, during: number, ...orders: ReadonlyArray<Readonly<Record<string, unknown>>>): Disturbance => ({
  name: `the V-PFR: ${name}`,
  run: async (site) => {
    for (const order of orders) await site.far.fault(order)
    await seconds(during)
    await site.far.clearFaults()
    return `${during} s`
  }
})

const failOver: Disturbance = {
  name: "the primary fails over",
  run: async ({ pair }) => {
    await pair.failOver()
    await seconds(3)
    // A new standby is a copy of the stopped primary.
    await pair.stop()
    await pair.start("synchronous")
    return "killed, standby promoted; restarted with a new standby"
  }
}

/** The clock of one host runs ahead, then behind. Hosts' clocks are kept to the second; this is far more. */
const clockSteps: Disturbance = {
  name: "the clock of api-1 steps",
  run: async (site) => {
    site.stepClock("api-1", 40_000)
    await seconds(6)
    site.stepClock("api-1", -40_000)
    await seconds(6)
    site.stepClock("api-1", 0)
    return "40 s ahead for 6 s, 40 s behind for 6 s"
  }
}

const diskFills: Disturbance = {
  name: "the disk of both databases fills",
  run: async ({ disk, pair }) => {
    if (disk.folder === null) return "left out: no right to mount a file system"
    disk.fill()
    await seconds(8)
    disk.empty()
    // A server that could not write its log has ended itself, and its supervisor starts it again.
    await pair.stop()
    await pair.start("synchronous")
    return "300 kB left for 8 s; then room again and both servers restarted"
  }
}

/** A host is replaced by that of another release, sells, and is replaced by this one again. */
export const upgrade = (release: string, name: string): Disturbance => ({
  name: "api-1 goes back a release, and is upgraded",
  run: async (site) => {
    for (const folder of [release, checkout]) {
      await site.process("api-1").stop()
      await site.start("api-1", folder)
      await seconds(8)
    }
    return `the package of ${name} for 8 s, then this one again`
  }
})

/** Every disturbance, in the order in which they come. */
export const disturbances: ReadonlyArray<Disturbance> = [
  killed("api-1"),
  weather("answers are lost", 12, { fault: "sign-then-reset", probability: 0.3, seed: 7 }, { fault: "truncate-answer", probability: 0.2, seed: 8 }),
  killed("worker-1"),
  weather("answers come late", 12, { fault: "delay", ms: 4_000 }),
  failOver,
  weather("an outage", 12, { fault: "refuse-connection" }),
  replaceKeys,
  weather("every second answer is a 500, and signed", 12, { fault: "status", code: 500, sign: true, probability: 0.5, seed: 9 }),
  {
    ...weather("every fifth answer is a 500, and nothing signed", 6, { fault: "status", code: 500, probability: 0.2, seed: 10 }),
    // No search finds these; the operator decides them, a quarter of an hour later.
    minutesLeft: 18
  },
  clockSteps,
  backUp,
  diskFills
]
