import { type Effect, type Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll } from "vitest"
import { mintPlace } from "./sampleOperations.ts"

/** An adapter's stores for a contract, and how they get to know an organization. */
export interface StartedStores<R> {
  readonly layer: Layer.Layer<R, unknown>
  readonly register: (organizationId: string) => Promise<void>
}

/** Builds the stores once for the cases of a `describe`; each case has tenants of its own. */
export const storesWithTenants = <R>(start: () => StartedStores<R>) => {
  let runtime: ManagedRuntime.ManagedRuntime<R, unknown>
  let register: StartedStores<R>["register"]
  beforeAll(() => {
    const started = start()
    runtime = ManagedRuntime.make(started.layer)
    register = started.register
  })
  afterAll(() => runtime.dispose())
  return {
    run: <A, E>(body: Effect.Effect<A, E, R>): Promise<A> => runtime.runPromise(body),
    newTenant: async (): Promise<ReturnType<typeof mintPlace>> => {
      const place = mintPlace()
      await register(place.organizationId)
      return place
    }
  }
}
