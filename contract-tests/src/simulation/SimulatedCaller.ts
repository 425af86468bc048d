import type { FiscalRequest } from "@overa/domain"
import { Effect, type Exit } from "effect"
import { tenant } from "./place.ts"
import type { HostServices, SimulatedHost } from "./SimulatedHost.ts"
import type { World } from "./World.ts"

/** A request of a caller's key as a host reads it. */
export const requestUnder = (key: string, target: string, callerGone: AbortSignal): FiscalRequest => ({
  tenant,
  clientId: "svc-sbx-simulated",
  idempotencyKey: key,
  target,
  bodyText: JSON.stringify({ key }),
  bodyTree: { key },
  callerGone
})

interface Asking<A, E> {
  readonly effect: (callerGone: AbortSignal) => Effect.Effect<A, E, HostServices>
  /** How long a patient caller waits. */
  readonly timeoutMillis: number
  readonly heard: (exit: Exit.Exit<A, E>) => void
  /** No answer came in time. */
  readonly gaveUp: () => void
  /** No host runs. */
  readonly nobodyThere: () => void
}

/** How every simulated caller asks: any host that runs, with a time-out of its own, and nothing that comes after it is heard. */
export class SimulatedCaller {
  readonly #world: World
  readonly #hosts: ReadonlyArray<SimulatedHost>

  constructor(world: World, hosts: ReadonlyArray<SimulatedHost>) {
    this.#world = world
    this.#hosts = hosts
  }

  /** Does something so many milliseconds from now. */
  after(millis: number, action: () => void): void {
    this.#world.fork(Effect.andThen(this.#world.sleep(millis), Effect.sync(action)), this.#world.clock(0))
  }

  /** Asks once; one of the three callbacks is called, once. */
  ask<A, E>({ effect, gaveUp, heard, nobodyThere, timeoutMillis }: Asking<A, E>): void {
    const { random } = this.#world
    const up = this.#hosts.filter((host) => host.isUp)
    if (up.length === 0) return nobodyThere()
    const gone = new AbortController()
    let answered = false
    random.pick(up).ask(effect(gone.signal), (exit) => {
      if (answered) return
      answered = true
      heard(exit)
    })
    // A caller's own time-out; some give up far too early.
    this.after(random.chance(0.1) ? random.between(1, 2_000) : timeoutMillis, () => {
      // A caller behind a proxy, or one whose machine died, goes away without the service noticing.
      if (random.chance(0.5)) gone.abort()
      if (answered) return
      answered = true
      gaveUp()
    })
  }
}
