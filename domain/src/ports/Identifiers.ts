import { Context, type Effect } from "effect"

/** New identifiers: UUID version 7, lower case (Decisions §1). */
export class Identifiers extends Context.Service<Identifiers, {
  readonly uuid: Effect.Effect<string>
}>()("@overa/domain/ports/Identifiers") {}
