import { type Clock, Effect } from "effect"
import { isJsonObject, parseExactJson, readSdcTime, textField } from "@overa/domain"
import { answerText } from "./answerText.ts"
import { askElement, type Meaning, queryTerms } from "./askElement.ts"
import type { Exchanged } from "./Exchange.ts"
import type { OpenElement } from "./VpfrElements.ts"

/** The text of a status answer, or why there is none. */
export type StatusText = { readonly _tag: "Status"; readonly text: string } | { readonly _tag: "None"; readonly detail: string }

const textOf = (exchanged: Exchanged): StatusText => {
  if (exchanged._tag !== "Answered") return { _tag: "None", detail: exchanged.detail }
  if (exchanged.status !== 200) return { _tag: "None", detail: `the V-PFR answered the status query with ${exchanged.status}` }
  const text = answerText(exchanged)
  return text === null ? { _tag: "None", detail: "the status answer is no readable text" } : { _tag: "Status", text }
}

/** `sdcDateTime` of a status: the clock that the V-PFR signs with (V-PFR §5). */
const noteFarTime = (element: OpenElement, status: StatusText): void => {
  const body = status._tag === "Status" ? parseExactJson(status.text) : null
  const time = isJsonObject(body) ? readSdcTime(textField(body, "sdcDateTime") ?? "") : null
  if (time !== null) element.vpfrClock.heard(time.millis)
}

/** Asks the V-PFR for its status under an element, and records its time. */
export const askStatus = <A>(
  element: OpenElement,
  clock: Clock.Clock,
  deadlineMillis: number,
  meaningOf: (status: StatusText) => Meaning<A>
): Effect.Effect<A> =>
  Effect.suspend(() =>
    askElement(
      element,
      { method: "GET", path: "/api/v3/status", headers: element.headers, body: null },
      queryTerms(clock, deadlineMillis),
      (exchanged) => {
        const status = textOf(exchanged)
        noteFarTime(element, status)
        return meaningOf(status)
      }
    )
  )

/**
 * Why nothing may be sent because of the clocks, or null. A doubtful measurement is repeated first: the host's clock may have been corrected since,
 * or the machine may have been suspended.
 */
export const clockFault = Effect.fnUntraced(function*(element: OpenElement, clock: Clock.Clock, deadlineMillis: number) {
  if (element.vpfrClock.isInStep) return null
  if (!element.vpfrClock.isJustMeasured) {
    yield* askStatus(element, clock, deadlineMillis, (status) => ({ value: null, reusable: status._tag === "Status" }))
    if (element.vpfrClock.isInStep) return null
    yield* Effect.logError("this host's clock is ahead of the V-PFR's; nothing is sent until it is corrected", {
      aheadSeconds: Math.round(element.vpfrClock.aheadMillis / 1_000),
      jid: element.credentials.jid
    })
  }
  return `this host's clock is ${Math.round(element.vpfrClock.aheadMillis / 1_000)} seconds ahead of the V-PFR's`
})
