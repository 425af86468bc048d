import { Context, Effect, Layer } from "effect"
import { VpfrElements } from "./VpfrElements.ts"

/** The difference between this host's clock and the V-PFR's, from the answers to the elements open in this process. */
export class VpfrClocks extends Context.Service<VpfrClocks, {
  /** Seconds by which this host is ahead when that is too far for sending anything, else null. */
  readonly secondsTooFarAhead: Effect.Effect<number | null>
}>()("@overa/adapter-vpfr/VpfrClocks") {
  static readonly layer = Layer.effect(
    VpfrClocks,
    Effect.map(VpfrElements, (elements) =>
      VpfrClocks.of({
        secondsTooFarAhead: Effect.sync(() => {
          const outOfStep = Array.from(elements.opened(), ({ vpfrClock }) => vpfrClock).filter((vpfrClock) => !vpfrClock.isInStep)
          return outOfStep.length === 0 ? null : Math.round(Math.max(...outOfStep.map(({ aheadMillis }) => aheadMillis)) / 1_000)
        })
      }))
  ).pipe(Layer.provide(VpfrElements.layer))
}
