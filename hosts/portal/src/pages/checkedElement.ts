import { elementFacts, elementFault, type ElementFault, type ElementTarget, readPfx, trustedRoots } from "@overa/adapter-vpfr"
import type { ElementFacts } from "@overa/domain"
import { Clock, Effect, Redacted, Result } from "effect"
import { PortalSettings } from "../layers.ts"

/** An element's file as it was sent, with the two secrets that belong to it. */
export interface SentElement {
  readonly bytes: Uint8Array
  readonly password: string
  readonly pac: string
}

/** An element's file that fits its place. */
export interface CheckedElement {
  readonly facts: ElementFacts
  /** The tax id named in the certificate itself. */
  readonly namedTin: string | null
}

/**
 * Opens the file and checks that it belongs to its place: dates, chain, environment, tax id. Answers the element, or the fault. Fails with
 * `PfxUnreadable`. `holder`: see `readPfx`.
 */
export const checkedElement = Effect.fnUntraced(function*(sent: SentElement, place: ElementTarget, holder?: string) {
  const file = yield* readPfx(sent.bytes, Redacted.make(sent.password), holder)
  const roots = yield* trustedRoots((yield* PortalSettings).vpfr)
  const fault = elementFault(file, place, roots, yield* Clock.currentTimeMillis)
  const checked: Result.Result<CheckedElement, ElementFault> = fault === null
    ? Result.succeed({ facts: elementFacts(file, Redacted.make(sent.pac), place.taxIdentifier), namedTin: file.facts.tin })
    : Result.fail(fault)
  return checked
})
