import {
  type InvoiceToSign,
  PfrTime,
  type SignedAnswer,
  SubmissionNotPossible,
  type SubmissionOutcome,
  TaxAuthority,
  totalAmount
} from "@overa/domain"
import { BigDecimal, DateTime, Effect, Layer } from "effect"

/** How the stand-in answers the next submissions; `sign` unless set. */
export type AuthorityMood =
  | "sign"
  | "reject"
  | "unavailable"
  | "elementUnavailable"
  | "cancelled"
  | "silent"
  | "fault"
  | { readonly waitFor: Promise<void> }

const closedBy = (mood: AuthorityMood) => {
  if (mood === "unavailable") return "PFR_UNAVAILABLE"
  return mood === "elementUnavailable" ? "PFR_SECURITY_ELEMENT_UNAVAILABLE" : null
}

/** A tax authority that signs whatever it gets: enough to test HTTP, and no more. The realistic one is the simulator. */
export class SigningAuthority {
  mood: AuthorityMood = "sign"
  /** How it answers copies, where that differs. */
  copyMood: AuthorityMood | null = null
  /** How it answers Normal documents, where that differs. */
  normalMood: AuthorityMood | null = null
  /** RequestIds that reached it, in order. */
  readonly arrived: Array<string> = []
  /** The signals that abort when the callers of those disconnect. */
  readonly callersGone: Array<AbortSignal> = []
  /** RequestIds signed, in order. */
  readonly signed: Array<string> = []

  readonly layer = Layer.succeed(
    TaxAuthority,
    TaxAuthority.of({
      resetConnections: () => Effect.void,
      open: (signer) => {
        const closed = [this.mood, this.copyMood ?? this.mood, this.normalMood ?? this.mood].map(closedBy)
        const [code] = closed
        // A difference for some documents is known only once the document exists.
        if (code !== undefined && code !== null && closed.every((other) => other !== null)) {
          return new SubmissionNotPossible({ failureCode: code, detail: "closed" })
        }
        return Effect.succeed({
          submit: (document, { callerGone, requestId }) => {
            this.callersGone.push(callerGone)
            return Effect.promise(() => this.submit({ ...signer, ...document }, requestId))
          }
        })
      },
      find: () => Effect.succeed({ _tag: "NothingFound" })
    })
  )

  private moodFor(invoice: InvoiceToSign): AuthorityMood {
    const own = { COPY: this.copyMood, NORMAL: this.normalMood, ADVANCE: null, PROFORMA: null, TRAINING: null }
    return own[invoice.content.invoiceType] ?? this.mood
  }

  private async submit(invoice: InvoiceToSign, requestId: string): Promise<SubmissionOutcome> {
    const mood = this.moodFor(invoice)
    const closed = closedBy(mood)
    if (closed !== null) return { _tag: "NotSent", failureCode: closed, detail: "closed", elementRefused: false }
    this.arrived.push(requestId)
    if (typeof mood === "object") await mood.waitFor
    if (mood === "cancelled") {
      return { _tag: "NotSent", failureCode: "PFR_SUBMISSION_CANCELLED_BEFORE_SEND", detail: "caller gone", elementRefused: false }
    }
    if (mood === "fault") {
      return { _tag: "NoAnswer", failureCode: "PFR_SUBMISSION_FAULT", detail: "our own code failed", foreignAnswer: null }
    }
    if (mood === "silent") return { _tag: "NoAnswer", failureCode: "OUTCOME_UNKNOWN", detail: "silence", foreignAnswer: null }
    if (mood === "reject") {
      const rejection = { items: [{ property: "payments[0].amount", codes: ["2804"] }] }
      return { _tag: "Rejected", rejection, text: "{}" }
    }
    this.signed.push(requestId)
    return { _tag: "Signed", answer: signedAnswer(invoice, this.signed.length), remarks: [] }
  }
}

const signedAnswer = (invoice: InvoiceToSign, counter: number): SignedAnswer => {
  const total = totalAmount(invoice.content.items)
  return {
    text: "{}",
    pfr: {
      invoiceNumber: `${invoice.jid}-${invoice.jid}-${counter}`,
      sdcTime: PfrTime.make(`${DateTime.formatIso(DateTime.nowUnsafe()).slice(0, 23)}4567+00:00`),
      requestedBy: invoice.jid,
      signedBy: invoice.jid,
      transactionTypeCounter: counter,
      totalCounter: counter,
      invoiceCounterExtension: "ПП",
      totalAmount: total,
      totalTax: BigDecimal.fromStringUnsafe("400.1234"),
      verificationUrl: "https://sandbox.suf.purs.gov.rs/v/?vl=AzdYTFFURVE",
      journal: "============ ФИСКАЛНИ РАЧУН ============\r\n======== КРАЈ ФИСКАЛНОГ РАЧУНА =========\r\n"
    },
    taxes: [],
    taxGroupRevision: 8,
    businessName: null,
    tin: null,
    encryptedInternalData: null,
    signature: null
  }
}
