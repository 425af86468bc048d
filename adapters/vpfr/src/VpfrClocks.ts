import { Context, Effect, Layer } from "effect"
import { VpfrElements } from "./VpfrElements.ts"

/** How this host's clock stands to the V-PFR's, as far as the elements open in this process have heard. */
export class VpfrClocks extends Context.Service<VpfrClocks, {
  /** Seconds this host is ahead where it is too far ahead to send anything, else null. */
  readonly secondsTooFarAhead: Effect.Effect<number | null>
}>()("@overa/adapter-vpfr/VpfrClocks") {
  static readonly layer = Layer.effect(
    VpfrClocks,
    Effect.map(VpfrElements, (elements) =>
      VpfrClocks.of({
        secondsTooFarAhead: Effect.sync(() => {
          const outOfStep = Array.from(elements.opened(), ({ farClock }) => farClock).filter((farClock) => !farClock.isInStep)
          return outOfStep.length === 0 ? null : Math.round(Math.max(...outOfStep.map(({ aheadMillis }) => aheadMillis)) / 1_000)
        })
      }))
  ).pipe(Layer.provide(VpfrElements.layer))
}
