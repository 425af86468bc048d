import { checkCounters, layerCounterWatch, layerOperationStore, MemoryOperations, noteCounters } from "@overa/adapter-memory"
import { CounterWatch } from "@overa/domain"
import { Clock, Effect, Layer, ManagedRuntime } from "effect"
import { counterWatchContract } from "../src/ports/CounterWatch.contract.ts"

counterWatchContract("memory", () => {
  const runtime = ManagedRuntime.make(Layer.merge(layerOperationStore, layerCounterWatch).pipe(Layer.provideMerge(MemoryOperations.layer)))
  const memory = runtime.runSync(MemoryOperations)
  const check = Effect.flatMap(CounterWatch, (watch) => watch.check)
  return Promise.resolve({
    run: (body) => runtime.runPromise(body),
    register: () => Promise.resolve(),
    note: () => runtime.runPromise(Effect.map(Clock.currentTimeMillis, (now) => noteCounters(memory, now))),
    // Of two workers, one may check what the other has just noted.
    check: () => runtime.runPromise(Effect.andThen(Effect.map(Clock.currentTimeMillis, (now) => checkCounters(memory, now)), check)),
    gaps: (organizationId) =>
      Promise.resolve(
        [...memory.byId.values()].filter(({ operation }) => operation.organizationId === organizationId)
          .flatMap(({ attention }) => attention.filter(({ kind }) => kind === "COUNTER_GAP").map(({ detail }) => detail))
      ),
    kept: (organizationId) =>
      Promise.resolve([...memory.counters].filter(([key]) => key.startsWith(organizationId)).reduce((sum, [, { spans }]) => sum + spans.length, 0)),
    close: () => runtime.dispose()
  })
})
