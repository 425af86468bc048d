import { decideUnknown, mayHaveArrived, type OperatorDecision, raisesDoubt, readSignedAnswer, retryCopy } from "@overa/domain"
import { DateTime, Effect, Result } from "effect"
import type { StoredOperation } from "@overa/adapter-memory"
import type { FaultyStore } from "./FaultyStore.ts"
import type { SimulatedHost } from "./SimulatedHost.ts"
import { tenant } from "./place.ts"
import type { SimulatedReceipt, SimulatedVpfr } from "./SimulatedVpfr.ts"
import type { World } from "./World.ts"

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

/** What the tax authority's portal has under a RequestId or a number that an item names. */
const isOfReceipt = (vpfr: SimulatedVpfr, item: StoredOperation["attention"][number]): boolean =>
  vpfr.receipts.some(({ invoiceNumber, requestId }) => item.detail.includes(requestId) || item.detail.includes(invoiceNumber))

/** Whether an item tells what a restore lost of another document than its own, which goes on once the item is acknowledged (`lostBeside`). */
const isOfAnother = ({ detail }: StoredOperation["attention"][number]): boolean => detail.startsWith("the restore lost a") && detail.includes("under the key")

/**
 * A person who waits for a quarter of an hour acknowledges what turned out to be no receipt, and what is about a document that is one. A receipt of another
 * document is never acknowledged: money would be given back twice.
 */
const acknowledges = ({ now }: World, vpfr: SimulatedVpfr, { attention, operation }: StoredOperation): ReadonlyArray<string> => {
  const open = attention.filter((item) => raisesDoubt(item) && !item.isAcknowledged)
  const isOver = open.every(({ at }) => now - DateTime.toEpochMillis(at) > 20 * 60_000)
  const isClear = !open.some((item) => isOfReceipt(vpfr, item) && (operation.status !== "FISCALIZED" || isOfAnother(item)))
  return isOver && isClear ? [...new Set(open.map(({ kind }) => kind))] : []
}

/** Decides every unknown outcome for which the guards allow it (they also refuse what is too early), and has rejected copies sent again. */
export const operatorLooks = (world: World, host: SimulatedHost, store: FaultyStore, vpfr: SimulatedVpfr): Effect.Effect<void> =>
  Effect.andThen(Effect.suspend(() => host.isUp ? store.look : Effect.void), Effect.sync(() => lookNow(world, host, store, vpfr)))

const lookNow = (world: World, host: SimulatedHost, store: FaultyStore, vpfr: SimulatedVpfr): void => {
  if (!host.isUp) return
  for (const stored of store.memory.byId.values()) {
    const { id, status } = stored.operation
    for (const kind of acknowledges(world, vpfr, stored)) host.run(Effect.ignore(store.acknowledge(id, kind)))
    if (status === "REJECTED") host.run(Effect.suspend(() => retryCopy({ tenant, id, operator: { name: "ana", reason: "ticket 88" } })).pipe(Effect.ignore))
    if (status !== "OUTCOME_UNKNOWN") continue
    host.run(
      Effect.suspend(() =>
        decideUnknown({ tenant, id, decision: truth(vpfr, stored), operator: { name: "ana", reason: "ticket 88" } })
      ).pipe(Effect.ignore)
    )
  }
}
