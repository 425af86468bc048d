import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Watches that the counters of each element's receipts are consecutive. Source: Decisions §14, Counters. */
export class CounterWatch extends Context.Service<CounterWatch, {
  /** Raises gaps on the attention list (`COUNTER_GAP`), each once; how many. Any number of workers may check at once. */
  readonly check: Effect.Effect<number, StoreUnavailable>
}>()("@overa/domain/ports/CounterWatch") {}
