import type { Operations } from "@overa/client"
import type { Plan } from "./planOrder.ts"
import type { Step } from "./Step.ts"

/** What a shop keeps of a step: that it was answered, or how often its request failed for good. */
export interface Progress {
  /** The receipt, or the document of an advance. */
  readonly documentId?: string | null
  readonly advanceCaseId?: string | null
  readonly isDone: boolean
  /** Rejected, or a refund that failed: each time, the next attempt needs another key. */
  readonly failures: number
}

/** By the step's name. */
export type OrderProgress = Readonly<Record<string, Progress>>

type Named = Step["operation"]

/** A request, ready for `client.prepare(operation, input, key)`. */
export type FiscalRequest = {
  [Name in Named]: {
    readonly step: string
    readonly key: string
    readonly operation: Name
    readonly input: { readonly body: Operations[Name]["body"] } & (Operations[Name]["path"] extends Readonly<Record<string, never>> ? object : { readonly path: Operations[Name]["path"] })
  }
}[Named]

/** The input of a step, from what earlier steps were answered. */
const inputOf = (step: Step, progress: OrderProgress) => {
  const document = (name: string): string => progress[name]?.documentId ?? ""
  const path = (name: string) => ({ advanceCaseId: progress[name]?.advanceCaseId ?? "" })
  switch (step.operation) {
    case "refundSale":
      return { body: { ...step.body, original: { source: "SVC" as const, fiscalDocumentId: document(step.needs.sale) } } }
    case "cancelAdvanceSale":
      return { path: path(step.needs.case), body: { ...step.body, advanceSaleId: document(step.needs.advance) } }
    case "addAdvancePayment":
    case "closeAdvanceCase":
      return { path: path(step.needs.case), body: step.body }
    default:
      return { body: step.body }
  }
}

/**
 * The one request that is to be sent now; null where nothing is left. Requests of an order go one after the other: while the outcome of one is unknown,
 * the next one has no certain ground.
 */
export const nextRequest = (plan: Plan, progress: OrderProgress): FiscalRequest | null => {
  const step = plan.steps.find(({ name }) => progress[name]?.isDone !== true)
  if (step === undefined) return null
  const failures = progress[step.name]?.failures ?? 0
  const key = `${plan.keys}/${step.name}${failures === 0 ? "" : `/again-${failures}`}`
  return { step: step.name, key, operation: step.operation, input: inputOf(step, progress) } as FiscalRequest
}

/** What to keep of a successful answer. */
export const answered = <Name extends Named>(operation: Name, answer: Operations[Name]["answer"]): Progress => {
  const known = answer as unknown as Readonly<Record<string, unknown>> & { readonly id: string }
  const idOf = (member: string) => (known[member] as { readonly id: string } | null | undefined)?.id ?? null
  const done = { isDone: true, failures: 0 }
  switch (operation) {
    case "issueFiscalDocument":
      return { ...done, documentId: known.id }
    case "refundSale":
      return { ...done, documentId: idOf("refund") }
    case "closeAdvanceCase":
      return { ...done, documentId: idOf("finalSale"), advanceCaseId: known.id }
    default:
      return { ...done, documentId: idOf("current"), advanceCaseId: known.id }
  }
}

/** What to keep of a request that was rejected, or of a refund that failed: the next attempt has another key. */
export const failed = (progress: Progress | undefined): Progress => ({ ...progress, isDone: false, failures: (progress?.failures ?? 0) + 1 })
