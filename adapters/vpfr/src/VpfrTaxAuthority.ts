import { hash } from "node:crypto"
import { Cause, Clock, Effect, Layer, Result } from "effect"
import {
  type AnswerFacts,
  type DocumentToSign,
  type InvoiceToSign,
  type OpenedElement,
  type SearchOutcome,
  type SecurityElementId,
  type Signer,
  SubmissionNotPossible,
  type SubmissionOutcome,
  submissionOutcome,
  submissionTable,
  type SubmissionTerms,
  TaxAuthority,
  type Tenant
} from "@overa/domain"
import { askElement, type Meaning, queryTerms, stopwatch } from "./askElement.ts"
import { clockFault } from "./askStatus.ts"
import { outcomeOfSearch, outcomeOfSubmission } from "./answerText.ts"
import { composeInvoiceRequest } from "./composeInvoiceRequest.ts"
import type { Exchanged, HttpRequest } from "./Exchange.ts"
import { VpfrConnection, type VpfrSettings } from "./VpfrConnection.ts"
import { type OpenElement, VpfrElements } from "./VpfrElements.ts"

const invoicesPath = "/api/v3/invoices"

const md5 = (bytes: Uint8Array): Uint8Array => hash("md5", bytes, "buffer")

const factsOf = (element: OpenElement, submittedAt: AnswerFacts["submittedAt"]): AnswerFacts => ({
  submittedAt,
  md5,
  verificationRoot: element.environment.verificationRoot,
  signerModulus: (jid) => element.environment.signerModuli?.get(jid)
})

/** Counts the outcome in the circuit breaker; a refusal is put on the attention list once, not by every probe. */
const toldToCircuit = (circuit: OpenElement["circuit"], outcome: SubmissionOutcome): SubmissionOutcome => {
  if (outcome._tag === "Signed" || outcome._tag === "Rejected") circuit.accepted()
  return outcome._tag === "NotSent" && outcome.elementRefused ? { ...outcome, elementRefused: circuit.refused(outcome.detail) } : outcome
}

const submissionMeaning = (
  element: OpenElement,
  invoice: InvoiceToSign,
  exchanged: Exchanged,
  facts: AnswerFacts
): Meaning<SubmissionOutcome> => {
  if (exchanged._tag === "NothingLeft") {
    if (exchanged.cause !== "unreachable" && exchanged.cause !== "tooLate") element.circuit.inconclusive()
    return { value: submissionOutcome(exchanged.cause, exchanged.detail), reusable: false }
  }
  if (exchanged._tag === "MayHaveLeft") return { value: submissionOutcome("silence", exchanged.detail), reusable: false }
  const value = toldToCircuit(element.circuit, outcomeOfSubmission(invoice, exchanged, facts))
  // Another request's answer, or one that cannot be read: no later answer on that connection can be trusted.
  return { value, reusable: value._tag === "Signed" || value._tag === "Rejected" }
}

const searchMeaning = (
  invoice: InvoiceToSign,
  exchanged: Exchanged,
  facts: AnswerFacts
): Meaning<SearchOutcome> => {
  if (exchanged._tag !== "Answered") return { value: { _tag: "NoAnswer", detail: exchanged.detail }, reusable: false }
  const value = outcomeOfSearch(invoice, exchanged, facts)
  return { value, reusable: value._tag === "Found" || value._tag === "NothingFound" }
}

/** Why nothing may be sent while the circuit is open. */
const notPossibleWhile = {
  unreachable: { row: "circuitUnreachable", detail: "the V-PFR could not be reached several times in a row; it is tried again shortly" },
  refused: { row: "circuitRefused", detail: "the V-PFR refused this security element; it is tried again shortly" }
} as const

const notPossible = (refusal: keyof typeof notPossibleWhile): SubmissionNotPossible => {
  const { detail, row } = notPossibleWhile[refusal]
  return new SubmissionNotPossible({ failureCode: submissionTable[row].outcome.failureCode, detail })
}

const send = (
  element: OpenElement,
  invoice: InvoiceToSign,
  body: Buffer,
  settings: VpfrSettings,
  clock: Clock.Clock,
  attempt: SubmissionTerms
): Effect.Effect<SubmissionOutcome> => {
  const refusal = element.circuit.admit()
  if (refusal !== null) return Effect.succeed(submissionOutcome(notPossibleWhile[refusal].row, notPossibleWhile[refusal].detail))
  const request: HttpRequest = {
    method: "POST",
    path: invoicesPath,
    headers: [...element.headers, "content-type", "application/json", "RequestId", attempt.requestId],
    body
  }
  const terms = {
    firstByteWithinMillis: attempt.firstByteWithinMillis,
    elapsedMillis: stopwatch(clock),
    answerWithinMillis: () => settings.submissionDeadlineMillis,
    callerGone: attempt.callerGone
  }
  const facts = factsOf(element, attempt.submittedAt)
  return askElement(element, request, terms, (exchanged) => submissionMeaning(element, invoice, exchanged, facts))
}

const submitWith = (element: OpenElement, signer: Signer, settings: VpfrSettings, clock: Clock.Clock): OpenedElement["submit"] =>
(document: DocumentToSign, terms) =>
  Effect.suspend(() => {
    const body = Result.try(() => Buffer.from(composeInvoiceRequest(document.content, signer.tenant.environment)))
    if (Result.isFailure(body)) {
      const outcome = submissionOutcome("notWritten", `the request to the V-PFR could not be written: ${body.failure}`)
      return Effect.as(Effect.logError("a request to the V-PFR could not be written", body.failure), outcome)
    }
    return send(element, { ...signer, ...document }, body.success, settings, clock, terms)
    // From the first byte on, a fault of our own code leaves the outcome as unknown as silence does (Spec, Errors).
  }).pipe(Effect.catchCause((cause) => Effect.succeed<SubmissionOutcome>(submissionOutcome("ownFault", Cause.pretty(cause)))))

/** The length of the request that was sent to the V-PFR; 0 where it can no longer be composed. */
const bytesOf = (invoice: InvoiceToSign): number =>
  Result.getOrElse(Result.try(() => Buffer.byteLength(composeInvoiceRequest(invoice.content, invoice.tenant.environment))), () => 0)

/** A mismatch that would have one taxpayer's receipt signed by another's element, or in the other environment. */
const mismatch = (signer: Signer, element: OpenElement): string | null => {
  const { environment, jid } = element.credentials
  if (jid !== signer.jid) return `the element's JID is ${jid}, the document was reserved for ${signer.jid}`
  return environment === signer.tenant.environment ? null : `the element belongs to ${environment}`
}

/**
 * The V-PFR of the tax authority over mutual TLS (V-PFR §1). Sends a submission at most once, on the taxpayer's own connections, and reports for
 * every failure whether a byte of the request can have been sent.
 */
export const VpfrTaxAuthority = {
  layer: Layer.effect(
    TaxAuthority,
    Effect.gen(function*() {
      const settings = yield* VpfrConnection
      const elements = yield* VpfrElements
      const clock = yield* Clock.Clock

      const openFor = (signer: Signer) =>
        Effect.flatMap(elements.open(signer.tenant.organizationId, signer.elementId), (element) => {
          const detail = mismatch(signer, element)
          return detail === null
            ? Effect.succeed(element)
            : Effect.fail(new SubmissionNotPossible({ failureCode: "PFR_SECURITY_ELEMENT_UNAVAILABLE", detail }))
        })

      const opened = (element: OpenElement, signer: Signer): OpenedElement => ({ submit: submitWith(element, signer, settings, clock) })

      const openedInStep = (element: OpenElement, signer: Signer) =>
        Effect.flatMap(clockFault(element, clock, settings.statusDeadlineMillis), (detail) =>
          detail === null
            ? Effect.succeed(opened(element, signer))
            : Effect.fail(new SubmissionNotPossible({ failureCode: "PFR_UNAVAILABLE", detail })))

      // On the path of every sale: one step without a span of its own, because the use case has one.
      const open = (signer: Signer): Effect.Effect<OpenedElement, SubmissionNotPossible> =>
        Effect.flatMap(openFor(signer), (element) => {
          const refusal = element.circuit.refusal()
          if (refusal !== null) return Effect.fail(notPossible(refusal))
          return element.vpfrClock.isInStep ? Effect.succeed(opened(element, signer)) : openedInStep(element, signer)
        })

      const find = Effect.fn("VpfrTaxAuthority.find")(function*(
        invoice: InvoiceToSign,
        search: { readonly requestId: string; readonly submittedAt: AnswerFacts["submittedAt"] }
      ) {
        const element = yield* openFor(invoice)
        const path = `${invoicesPath}/${encodeURIComponent(search.requestId)}`
        return yield* askElement(
          element,
          { method: "GET", path, headers: element.headers, body: null, documentBytes: bytesOf(invoice) },
          queryTerms(clock, settings.searchDeadlineMillis),
          (exchanged) => searchMeaning(invoice, exchanged, factsOf(element, search.submittedAt))
        )
      }, Effect.catchTag("SubmissionNotPossible", ({ detail }) => Effect.succeed<SearchOutcome>({ _tag: "NoAnswer", detail })))

      const resetConnections = (tenant: Tenant, elementId: SecurityElementId) =>
        Effect.sync(() => elements.renewConnections(tenant.organizationId, elementId))

      return TaxAuthority.of({ open, find, resetConnections })
    })
  ).pipe(Layer.provide(VpfrElements.layer))
}
