import { bindKey, type KeyedRequest } from "@overa/domain"
import { Effect, Exit } from "effect"
import { AskedUnder } from "./AskedUnder.ts"
import { tenant } from "./place.ts"
import { shutBy } from "./SimulatedPlace.ts"
import type { HostServices, SimulatedHost } from "./SimulatedHost.ts"
import type { World } from "./World.ts"

/** A request with a caller's key, in the form in which a host reads it. */
export const requestUnder = (key: string, target: string, callerGone: AbortSignal): KeyedRequest => ({
  tenant,
  clientId: "svc-sbx-simulated",
  boundKey: bindKey({ key, target, body: { key } }),
  callerGone
})

interface Asking<A, E> {
  /** The request's key. */
  readonly key: string
  readonly effect: (callerGone: AbortSignal) => Effect.Effect<A, E, HostServices>
  /** How long a patient caller waits. */
  readonly timeoutMillis: number
  readonly heard: (exit: Exit.Exit<A, E>) => void
  /** There was no answer in time. */
  readonly gaveUp: () => void
  /** No host runs. */
  readonly nobodyThere: () => void
}

const refusalOf = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isSuccess(exit) ? "" : (exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error as { readonly _tag?: string } | undefined)?._tag ?? ""

/** How every simulated caller sends requests: to any running host, with a time-out of its own; what arrives later is ignored. */
export class SimulatedCaller {
  readonly #world: World
  readonly #hosts: ReadonlyArray<SimulatedHost>

  constructor(world: World, hosts: ReadonlyArray<SimulatedHost>) {
    this.#world = world
    this.#hosts = hosts
  }

  /** Runs an action after the given milliseconds. */
  after(millis: number, action: () => void): void {
    this.#world.fork(Effect.andThen(this.#world.sleep(millis), Effect.sync(action)), this.#world.clock(0))
  }

  /** Sends once; exactly one of the three callbacks is called, once. */
  ask<A, E>({ effect, gaveUp, heard, key, nobodyThere, timeoutMillis }: Asking<A, E>): void {
    const { random } = this.#world
    const up = this.#hosts.filter((host) => host.isUp)
    if (up.length === 0) return nobodyThere()
    const gone = new AbortController()
    const askedAt = this.#world.now
    let answered = false
    random.pick(up).ask(Effect.provideService(effect(gone.signal), AskedUnder, key), (exit) => {
      if (answered) return
      answered = true
      const said = refusalOf(exit)
      const why = shutBy(said)
      const place = up[0]?.place
      if (why !== null && place !== undefined) {
        place.refused.push({ key, why, askedAt, heardAt: this.#world.now })
        return gaveUp()
      }
      const refusal = up.some((host) => host.isAfterRestore) ? said : ""
      // Nothing is issued while a restore is declared; the keys of what could not be restored are held for good.
      if (refusal === "RestoreInProgress") return gaveUp()
      if (refusal !== "IdempotencyKeyReusedWithDifferentRequest") heard(exit)
    })
    // A caller's own time-out; some are far too short.
    this.after(random.chance(0.1) ? random.between(1, 2_000) : timeoutMillis, () => {
      // A caller behind a proxy, or on a machine that fails, disconnects without the service noticing.
      if (random.chance(0.5)) gone.abort()
      if (answered) return
      answered = true
      gaveUp()
    })
  }
}
