import { Effect } from "effect"
import type { FinishedRun, Violation } from "./FinishedRun.ts"
import { mailboxes } from "./SimulatedMail.ts"
import { secrets } from "./SimulatedShop.ts"
import type { ErasedRows } from "./StoreBehind.ts"

const minute = 60_000
const day = 24 * 60 * minute

/** The hosts' clocks may be wrong, and the journal of what was sealed may be behind. */
const marginMillis = 10 * minute

const secretsOf = (what: string): ReadonlyArray<string> => {
  if (what === "recipient's address erased") return mailboxes
  return what === "metadata erased" ? [secrets.cashier, secrets.telephone] : [secrets.company]
}

/** What was erased from a row is nowhere in it, nor in what the service reads from it. */
const checkGone = ({ store }: FinishedRun, rows: ReadonlyMap<string, string>, { at, ids, what }: ErasedRows): ReadonlyArray<Violation> =>
  ids.flatMap((id) => {
    const stored = [...store.memory.byId.values()].find(({ operation }) => operation.id === id)
    // The company register is asked again for a document that is sent again.
    const isSentSince = what === "buyer's details erased" && stored?.attempts.some(({ startedAt }) => startedAt.epochMilliseconds > at - marginMillis) === true
    const read = stored === undefined ? "" : JSON.stringify([stored.operation.content.cashier, stored.operation.content.metadata, stored.operation.boundKey.body, stored.operation.buyerDetails])
    const left = isSentSince ? [] : secretsOf(what).filter((secret) => `${rows.get(id) ?? ""} ${read}`.includes(secret))
    return left.map((secret) => `${what} from ${id}, and ${secret} is still there`)
  })

/** What was erased by a term had reached it. */
const checkTerm = ({ store }: FinishedRun, { at, ids, olderThanDays, what }: ErasedRows): ReadonlyArray<Violation> =>
  ids.flatMap((id) => {
    const created = [...store.memory.byId.values()].find(({ operation }) => operation.id === id)?.operation.createdAt.epochMilliseconds
    const isTooEarly = created !== undefined && at - created < olderThanDays * day - marginMillis
    return isTooEarly ? [`${what} from ${id} after ${Math.floor((at - created) / day)} days, not ${olderThanDays}`] : []
  })

/** Nothing is sent to an address that was erased. */
const checkUnsent = ({ mail }: FinishedRun, { at, ids, what }: ErasedRows): ReadonlyArray<Violation> =>
  what !== "recipient's address erased" ? [] : ids.flatMap((id) =>
    (mail.received.get(id) ?? []).some((one) => one.at > at) ? [`delivery ${id} was sent after its address was erased`] : [])

/** The promises about the erasure of personal data outside the signed record (Decisions §15), where the store has it. */
export const checkErasure = (run: FinishedRun): Effect.Effect<ReadonlyArray<Violation>> => {
  const { erasure } = run.store.behind
  if (erasure === null || !run.erasure.isPlanned) return Effect.succeed([])
  return Effect.gen(function*() {
    const rows = yield* erasure.rows
    return (yield* erasure.done).flatMap((done) => [...checkGone(run, rows, done), ...checkTerm(run, done), ...checkUnsent(run, done)])
  })
}
