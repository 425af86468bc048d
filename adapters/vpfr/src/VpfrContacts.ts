import { Context, Effect, Layer } from "effect"
import type { ContactRecord } from "./ContactRecord.ts"
import { VpfrElements } from "./VpfrElements.ts"

/** This process's contacts with the V-PFRs, for its metrics and its readiness. */
export class VpfrContacts extends Context.Service<VpfrContacts, Pick<ContactRecord, "counts" | "failing">>()("@overa/adapter-vpfr/VpfrContacts") {
  static readonly layer = Layer.effect(VpfrContacts, Effect.map(VpfrElements, ({ contacts }) => VpfrContacts.of(contacts))).pipe(Layer.provide(VpfrElements.layer))
}
