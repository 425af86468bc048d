import { decideUnknown, mayHaveArrived, type OperatorDecision, readSignedAnswer, retryCopy } from "@overa/domain"
import { Effect, Result } from "effect"
import type { StoredOperation } from "@overa/adapter-memory"
import type { FaultyStore } from "./FaultyStore.ts"
import type { SimulatedHost } from "./SimulatedHost.ts"
import { tenant } from "./place.ts"
import type { SimulatedReceipt, SimulatedVpfr } from "./SimulatedVpfr.ts"

/** A receipt of an attempt that a failover lost is named only on the attention list: by its number, or by the RequestId of the attempt. */
const isNamed = ({ attention }: StoredOperation, { invoiceNumber, requestId }: SimulatedReceipt): boolean =>
  attention.some(({ detail, kind }) =>
    (kind === "LOST_ATTEMPT" && detail.includes(requestId)) || (kind === "SECOND_RECEIPT" && detail.startsWith(`the V-PFR signed ${invoiceNumber} `))
  )

/** What a person finds who has read the attention list and searches the tax authority's own portal. */
const truth = (vpfr: SimulatedVpfr, stored: StoredOperation): OperatorDecision => {
  for (const attempt of stored.attempts.filter(mayHaveArrived)) {
    const receipt = vpfr.receipts.find((it) => it.requestId === attempt.requestId || isNamed(stored, it))
    const read = receipt === undefined ? undefined : readSignedAnswer(receipt.text)
    if (read !== undefined && Result.isSuccess(read)) {
      return { _tag: "CONFIRMED_ISSUED", attempt: attempt.number, answer: read.success.answer, despite: [] }
    }
  }
  return { _tag: "CONFIRMED_NOT_ISSUED" }
}

/** Decides every unknown outcome for which the guards allow it (they also refuse what is too early), and has rejected copies sent again. */
export const operatorLooks = (host: SimulatedHost, store: FaultyStore, vpfr: SimulatedVpfr): void => {
  if (!host.isUp) return
  for (const stored of store.memory.byId.values()) {
    const { id, status } = stored.operation
    if (status === "REJECTED") host.run(Effect.suspend(() => retryCopy({ tenant, id, operator: "ana" })).pipe(Effect.ignore))
    if (status !== "OUTCOME_UNKNOWN") continue
    host.run(
      Effect.suspend(() =>
        decideUnknown({ tenant, id, decision: truth(vpfr, stored), operator: "ana" })
      ).pipe(Effect.ignore)
    )
  }
}
