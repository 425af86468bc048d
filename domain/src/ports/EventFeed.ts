import { Context, type Effect } from "effect"
import type { ChangeEvent } from "../events/ChangeEvent.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Events behind a number, in their order. */
export interface EventPage {
  /** The id of the event with the number itself; null where there is none. */
  readonly afterId: string | null
  readonly items: ReadonlyArray<ChangeEvent>
  /** The number of the last event that exists; 0 where there is none. */
  readonly last: number
}

/**
 * The events of a tenant, numbered from 1 without gaps. `JournalSealer.seal` gives the numbers to the transitions that it has added to the log, in the
 * order of the log: an event that exists never gets another number, and none comes before it later. Source: docs/adr/0176.
 */
export class EventFeed extends Context.Service<EventFeed, {
  readonly page: (tenant: Tenant, place: { readonly after: number; readonly limit: number }) => Effect.Effect<EventPage, StoreUnavailable>
}>()("@overa/domain/ports/EventFeed") {}
