import {
  counterExtension,
  type DocumentContent,
  type InvoiceToSign,
  outcomeOfAnswer,
  type SearchOutcome,
  searchOutcomeOfAnswer,
  SubmissionNotPossible,
  type SubmissionOutcome,
  type SubmissionTerms,
  TaxAuthority
} from "@overa/domain"
import { type DateTime, Effect, Layer } from "effect"
import type { ElementCounters } from "./ElementCounters.ts"
import { Random } from "./Random.ts"
import { numberOf, signedText } from "./signedText.ts"
import type { SimulatedPlace } from "./SimulatedPlace.ts"
import type { SimulatedRates } from "./SimulatedRates.ts"
import { fairWeather, type Weather } from "./Weather.ts"
import type { World } from "./World.ts"

/** A receipt at the simulated V-PFR: the truth that every answer is compared with. */
export interface SimulatedReceipt {
  readonly requestId: string
  /** The order it is for; a copy has its refund's key with `:copy`. */
  readonly key: string
  readonly content: DocumentContent
  readonly invoiceNumber: string
  readonly text: string
  readonly signedAt: number
  /** Signed so long after it was sent that an operator may have decided by then that nothing was (`longestWanderMillis`). */
  readonly isTooLate: boolean
}

const deadlineMillis = 40_000
/**
 * The longest time a request can stay in the network after its sender gave up. The operator waits a quarter of an hour (Decisions §4), of which two
 * hosts' clocks five minutes apart may use a third.
 */
const longestWanderMillis = 9 * 60_000

/** Some worlds have a network that keeps requests for longer: then two receipts cannot be prevented, and the second one must be found. */
const muchTooLate = { from: 20 * 60_000, to: 150 * 60_000 }

/** The key is sent in the caller's reference, so that the V-PFR can tell which order it signed. */
export const orderKeyOf = ({ clientReference, invoiceType, transactionType }: DocumentContent): string => {
  if (invoiceType === "COPY") return `${clientReference}:copy`
  // Both documents of a closing have the closing's reference; a cancellation has one of its own.
  const isOfClosing = invoiceType === "ADVANCE" && transactionType === "REFUND" && !clientReference.startsWith("cancel-")
  return isOfClosing ? `${clientReference}:advance-refund` : clientReference
}

const isCashRefund = ({ invoiceType, payments, transactionType }: DocumentContent): boolean =>
  invoiceType === "NORMAL" && transactionType === "REFUND" && payments.some(({ type }) => type === "CASH")

const isFinalSale = ({ clientReference, invoiceType }: DocumentContent): boolean => invoiceType === "NORMAL" && clientReference.includes("close-")

const silence = (detail: string): SubmissionOutcome => ({
  _tag: "NoAnswer",
  failureCode: "OUTCOME_UNKNOWN",
  detail,
  foreignAnswer: null
})

const rejected = (property: string, code: string): SubmissionOutcome => ({ _tag: "Rejected", rejection: { items: [{ property, codes: [code] }] }, text: "{}" })

/** The tax authority: signs whatever arrives, also twice, and loses answers. It keeps every receipt it has signed. */
export class SimulatedVpfr {
  readonly receipts: Array<SimulatedReceipt> = []
  /** Receipts whose requests were answered with another receipt's answer: the number of each, and the number in that answer. */
  readonly answeredWith = new Map<string, string>()
  /** What was rejected because a label was withdrawn, and when. */
  readonly rejectedForLabels: Array<{ readonly content: DocumentContent; readonly at: number }> = []
  weather: Weather = fairWeather
  /** A planted bug: sends however late it is. */
  forgetsLeases = false
  /** While true no search is answered. */
  cannotBeSearched = false
  /** Called when the request of a cash refund leaves a host. */
  onCashRefund: () => void = () => undefined
  /** The counters of the elements, which other systems use too. */
  readonly counters: ElementCounters
  readonly #world: World
  readonly #late: Random
  readonly #rates: SimulatedRates
  readonly #place: SimulatedPlace
  readonly #keepsRequests: boolean
  readonly #closings: Random
  /** Whether final sales are often rejected, and often not sent, in this world. */
  readonly #troublesClosings: boolean
  #swaps: Array<{ readonly receipt: SimulatedReceipt; readonly give: (text: string) => void }> = []
  /** Requests that have left a host and may still be signed, by key. */
  readonly wandering = new Map<string, number>()

  constructor(world: World, counters: ElementCounters, { place, rates, seed }: { readonly place: SimulatedPlace; readonly rates: SimulatedRates; readonly seed: number }) {
    this.#world = world
    this.#place = place
    this.#rates = rates
    this.counters = counters
    this.#late = new Random(seed ^ 0x01a7_e000)
    this.#keepsRequests = this.#late.chance(0.2)
    this.#closings = new Random(seed ^ 0x0c10_5e00)
    this.#troublesClosings = this.#closings.chance(0.15)
  }

  /** Whether requests of sales wander for hours in this world. */
  get keepsRequests(): boolean {
    return this.#keepsRequests
  }

  receiptsOf(key: string): ReadonlyArray<SimulatedReceipt> {
    return this.receipts.filter((receipt) => receipt.key === key)
  }

  #sign(invoice: InvoiceToSign, requestId: string, isTooLate = false): SimulatedReceipt {
    const { content, jid } = invoice
    const counter = this.counters.next({ jid })
    const invoiceNumber = numberOf(jid, counter)
    const text = signedText(invoice, { counter, mark: counterExtension(content), taxItems: this.#rates.taxItems(content, this.#world.now), millis: this.#world.now })
    const receipt = { requestId, key: orderKeyOf(content), content, invoiceNumber, text, signedAt: this.#world.now, isTooLate }
    this.receipts.push(receipt)
    this.#world.say(`V-PFR signed ${invoiceNumber} for ${receipt.key}, request ${requestId.slice(0, 8)}`)
    return receipt
  }

  readonly #submit = (invoice: InvoiceToSign, attempt: { readonly requestId: string; readonly submittedAt: DateTime.Utc }) =>
    Effect.gen({ self: this }, function*() {
      const { random } = this.#world
      const { weather } = this
      if (isCashRefund(invoice.content)) this.onCashRefund()
      const drawn = random.weighted([
        [weather.unavailable, "unavailable"],
        [weather.elementRefused, "elementRefused"],
        [weather.rejected, "rejected"],
        [weather.requestLost, "requestLost"],
        [weather.requestLate, "requestLate"],
        [weather.answerLost, "answerLost"],
        [weather.answerLate, "answerLate"],
        [weather.answerForeign, "answerForeign"],
        [weather.answerMangled, "answerMangled"],
        [weather.numberTwice, "numberTwice"],
        [weather.answersSwapped, "answersSwapped"],
        [1, "signed"]
      ] as const)
      const fate = this.#troublesClosings && isFinalSale(invoice.content) && weather !== fairWeather
        ? this.#closings.weighted([[2, "rejected"], [2, "unavailable"], [1, drawn]] as const)
        : drawn
      if (fate !== "signed") this.#world.strike(fate)
      yield* this.#world.sleep(random.between(1, 50))
      if (this.#isKept(invoice)) {
        this.#world.strike("requestMuchTooLate")
        this.#signLater(invoice, attempt.requestId, this.#late.between(muchTooLate.from, muchTooLate.to), true)
        yield* this.#world.sleep(deadlineMillis)
        return silence("the request wanders for hours")
      }
      if (fate === "unavailable" || fate === "elementRefused") {
        return {
          _tag: "NotSent",
          failureCode: fate === "unavailable" ? "PFR_UNAVAILABLE" : "PFR_SECURITY_ELEMENT_UNAVAILABLE",
          detail: fate,
          elementRefused: fate === "elementRefused"
        } satisfies SubmissionOutcome
      }
      if (fate === "rejected") {
        return rejected("items[0].name", "2801")
      }
      if (!this.#rates.knows(invoice.content, this.#world.now)) {
        this.#world.strike("labelWithdrawn")
        this.rejectedForLabels.push({ content: invoice.content, at: this.#world.now })
        return rejected("items[0].labels[0]", "2310")
      }
      if (fate === "requestLost") {
        yield* this.#world.sleep(deadlineMillis)
        return silence("the request was lost")
      }
      if (fate === "requestLate") {
        this.#signLater(invoice, attempt.requestId, deadlineMillis + random.between(0, longestWanderMillis))
        yield* this.#world.sleep(deadlineMillis)
        return silence("the request wanders")
      }
      yield* this.#world.sleep(random.between(5, 3_000))
      const before = this.receipts.at(-1)
      const receipt = this.#sign(invoice, attempt.requestId)
      return yield* this.#answer(fate, invoice, attempt.submittedAt, receipt, before)
    })

  /** Only sales that belong to nothing else: what a second receipt does to sums is no matter of these worlds. */
  #isKept({ content }: InvoiceToSign): boolean {
    return this.#keepsRequests && this.weather !== fairWeather && content.invoiceType === "NORMAL" && content.transactionType === "SALE" && content.clientReference.startsWith("order-") &&
      this.#late.chance(0.3)
  }

  #signLater(invoice: InvoiceToSign, requestId: string, afterMillis: number, isTooLate = false): void {
    const key = orderKeyOf(invoice.content)
    // What wanders for so long is not under way for anybody who is told of it.
    if (!isTooLate) this.wandering.set(key, (this.wandering.get(key) ?? 0) + 1)
    this.#world.fork(
      Effect.andThen(
        this.#world.sleep(afterMillis),
        Effect.sync(() => {
          if (!isTooLate) this.wandering.set(key, (this.wandering.get(key) ?? 1) - 1)
          if (this.#rates.knows(invoice.content, this.#world.now)) this.#sign(invoice, requestId, isTooLate)
        })
      ),
      this.#world.clock(0)
    )
  }

  readonly #answer = (
    fate: string,
    invoice: InvoiceToSign,
    submittedAt: DateTime.Utc,
    receipt: SimulatedReceipt,
    before: SimulatedReceipt | undefined
  ) =>
    Effect.gen({ self: this }, function*() {
      const { random } = this.#world
      const judged = (text: string) => outcomeOfAnswer(invoice, text, { submittedAt, verificationRoot: null })
      switch (fate) {
        case "answerLost":
          yield* this.#world.sleep(deadlineMillis)
          return silence("the answer was lost")
        case "answerLate":
          yield* this.#world.sleep(random.between(5_000, deadlineMillis - 4_000))
          return judged(receipt.text)
        case "answerForeign":
          return before === undefined ? judged(receipt.text) : judged(before.text.replace(/"requestedBy":"[^"]*"/, "\"requestedBy\":\"STRANGER\""))
        case "numberTwice":
          // Identical sales: the answer of one is given to the other; only the number differs (a unique constraint detects it).
          if (before !== undefined) this.answeredWith.set(receipt.invoiceNumber, before.invoiceNumber)
          return judged(before?.text ?? receipt.text)
        case "answersSwapped":
          return judged(yield* this.#swapped(receipt))
        case "answerMangled":
          return judged(receipt.text.slice(0, random.between(0, receipt.text.length - 1)))
        default:
          return judged(receipt.text)
      }
    })

  /** Waits some time for another sale whose answer is to be exchanged too, and exchanges them. */
  #swapped(receipt: SimulatedReceipt): Effect.Effect<string> {
    const partner = this.#swaps.pop()
    if (partner !== undefined) {
      this.answeredWith.set(receipt.invoiceNumber, partner.receipt.invoiceNumber)
      this.answeredWith.set(partner.receipt.invoiceNumber, receipt.invoiceNumber)
      partner.give(receipt.text)
      return Effect.succeed(partner.receipt.text)
    }
    return Effect.raceFirst(
      Effect.callback<string>((resume) => {
        this.#swaps.push({ receipt, give: (text) => resume(Effect.succeed(text)) })
      }),
      Effect.as(this.#world.sleep(20_000), receipt.text)
    ).pipe(Effect.ensuring(Effect.sync(() => {
      this.#swaps = this.#swaps.filter((swap) => swap.receipt !== receipt)
    })))
  }

  readonly #find = (invoice: InvoiceToSign, search: { readonly requestId: string; readonly submittedAt: DateTime.Utc }) =>
    Effect.gen({ self: this }, function*() {
      const { random } = this.#world
      yield* this.#world.sleep(random.between(5, 500))
      if (this.cannotBeSearched || !this.#place.isValid(invoice.jid) || random.chance(this.weather.searchFails)) {
        this.#world.strike("searchFails")
        return { _tag: "NoAnswer", detail: "the search got no answer" } satisfies SearchOutcome
      }
      const latest = this.receipts.findLast((receipt) => receipt.requestId === search.requestId)
      if (latest === undefined) return { _tag: "NothingFound" } satisfies SearchOutcome
      if (!latest.invoiceNumber.startsWith(invoice.jid)) {
        return { _tag: "NothingFound" } satisfies SearchOutcome
      }
      return searchOutcomeOfAnswer(invoice, latest.text, { submittedAt: search.submittedAt, verificationRoot: null })
    })

  /** The port as one host uses it; `step` is where that host may crash or be suspended. */
  layer(
    step: <A, E>(name: string, effect: Effect.Effect<A, E>) => Effect.Effect<A, E>,
    options: { readonly retriesAfterTimeout: boolean }
  ) {
    return Layer.succeed(TaxAuthority, TaxAuthority.of({
      resetConnections: () => Effect.void,
      open: (signer) =>
        step("open", Effect.suspend(() =>
          this.#world.random.chance(this.weather.unavailable / 4) || !this.#place.isValid(signer.jid)
            ? Effect.fail(new SubmissionNotPossible({ failureCode: "PFR_SECURITY_ELEMENT_UNAVAILABLE", detail: "simulated" }))
            : Effect.succeed({
              submit: (document, attempt) =>
                Effect.suspend(() => {
                  const once = this.#guardFirstByte({ ...signer, ...document }, attempt, this.#world.now)
                  // A planted bug: a missing answer is treated by sending again.
                  const sent = options.retriesAfterTimeout
                    ? Effect.flatMap(once, (outcome) => outcome._tag === "NoAnswer" ? once : Effect.succeed(outcome))
                    : once
                  return step("submit", sent)
                })
            })
        )),
      find: (invoice, search) => step("find", this.#find(invoice, search))
    }))
  }

  /** The real client's check before it writes: a host that was suspended meanwhile must not send any more. */
  readonly #guardFirstByte = (
    invoice: InvoiceToSign,
    attempt: SubmissionTerms,
    calledAt: number
  ): Effect.Effect<SubmissionOutcome> =>
    Effect.suspend(() => {
      if (attempt.callerGone.aborted) {
        this.#world.strike("callerGone")
        return Effect.succeed<SubmissionOutcome>({
          _tag: "NotSent",
          failureCode: "PFR_SUBMISSION_CANCELLED_BEFORE_SEND",
          detail: "the caller is gone",
          elementRefused: false
        })
      }
      return this.#world.now - calledAt >= attempt.firstByteWithinMillis && !this.forgetsLeases
        ? Effect.succeed<SubmissionOutcome>({
          _tag: "NotSent",
          failureCode: "PFR_UNAVAILABLE",
          detail: "the lease left no time",
          elementRefused: false
        })
        : this.#submit(invoice, attempt)
    })
}
