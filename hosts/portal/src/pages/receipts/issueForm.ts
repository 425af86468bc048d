import { bindKey, type ErrorCode, errorCatalogue, type KeyedRequest } from "@overa/domain"
import { sha256 } from "@overa/host-kit"
import type { MemberVisit } from "../../http/Visit.ts"
import { maybeDone, refusalSentences } from "./refusalSentences.ts"

/** The idempotency key of a form, or of a draft that an address names. */
export const keyOfForm = (id: string): string => `portal-${id}`

/**
 * A form as the request that the API would have received. The form's own id is the key: sent twice, by a double click or after a lost answer, it
 * issues one document (Decisions §3).
 */
export const keyedRequestOf = (visit: MemberVisit, target: string, body: unknown, id = visit.form?.text("form") ?? ""): KeyedRequest => ({
  tenant: visit.tenant,
  clientId: visit.actor,
  boundKey: bindKey({ key: keyOfForm(id), target, body }, sha256),
  // A browser leaves the first of two submits as soon as the second begins: what the person confirmed is carried out, and the second one is led to it.
  callerGone: new AbortController().signal
})

/** Whether the form has an id made by this portal. */
export const hasFormId = (visit: MemberVisit): boolean => /^[0-9a-f-]{36}$/.test(visit.form?.text("form") ?? "")

/** What a refused document means and what to do. Null for an error that is no refusal by a rule. */
export const refusalSentence = (visit: MemberVisit, error: unknown): string | null => {
  const { code } = error as { readonly code?: unknown }
  if (typeof code !== "string" || !Object.hasOwn(errorCatalogue, code)) return null
  const sentence = visit.say(...refusalSentences[code as ErrorCode])
  return maybeDone.has(code as ErrorCode) ? sentence : visit.say("Ништа није урађено. ", "Nothing was done. ") + sentence
}
