import { decideUnknown, mayHaveArrived, type OperatorDecision, readSignedAnswer, retryCopy } from "@overa/domain"
import { Effect, Result } from "effect"
import type { StoredOperation } from "@overa/adapter-memory"
import type { FaultyStore } from "./FaultyStore.ts"
import type { SimulatedHost } from "./SimulatedHost.ts"
import { tenant } from "./place.ts"
import type { SimulatedVpfr } from "./SimulatedVpfr.ts"

/** An attempt that a failover lost is named only on the attention list, by its RequestId. */
const isNamed = ({ attention }: StoredOperation, requestId: string): boolean =>
  attention.some(({ detail, kind }) => kind === "LOST_ATTEMPT" && detail.includes(requestId))

/** What a person finds who has read the attention list and searches the tax authority's own portal. */
const truth = (vpfr: SimulatedVpfr, stored: StoredOperation): OperatorDecision => {
  for (const attempt of stored.attempts.filter(mayHaveArrived)) {
    const receipt = vpfr.receipts.find(({ requestId }) => requestId === attempt.requestId || isNamed(stored, requestId))
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
