import { Effect, References, type Tracer } from "effect"

/**
 * A step of a request's trace. A step that no trace was chosen for costs almost nothing: `Effect.withSpan` alone takes some 4 µs where the tracer is
 * disabled, and a sale has five such steps.
 */
export const traceStep = (name: string, options?: Tracer.SpanOptionsNoTrace) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => (fiber.getRef(References.TracerEnabled) ? Effect.withSpan(name, options)(work) as Effect.Effect<A, E, R> : work))
