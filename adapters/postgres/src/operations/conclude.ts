import type { Conclusion, WorkflowLink } from "@overa/domain"
import { Data, Effect } from "effect"
import { recordDeed } from "../administration/activity.ts"
import { constraints } from "../constraints.ts"
import type { PgDatabase, PgQueries, PgStatements } from "../PgDatabase.ts"
import { PgFailure } from "../PgFailure.ts"
import { settleRefund } from "../refunds/settleRefund.ts"
import { settleAdvance } from "../workflows/settleAdvance.ts"
import { settleProformaTraining } from "../workflows/settleProformaTraining.ts"
import { storableText } from "../rows/storedJson.ts"
import { commitQueues, waitLimits } from "./commitQueues.ts"
import { concludeManyParameters, concludeManyStatement, concludeParameters, concludeStatement, type MovedRow, type StoredConclusion } from "./concludeStatement.ts"
import { raiseItems } from "./raise.ts"
import { concludeAttempt } from "./redriveStatement.ts"

/** The result for the row. `Stayed`: its status has changed before, or there is no row. */
export type Move = { readonly _tag: "Moved"; readonly row: MovedRow } | { readonly _tag: "Stayed" } | { readonly _tag: "NumberTaken" }

type Settle = (statements: PgStatements, conclusion: Conclusion, workflowId: string) => Effect.Effect<void, PgFailure>

/**
 * What concluding a document changes in the workflow it belongs to, in the same commit. A step runs only after the document's row has changed, names
 * the conclusion's organization in every statement, and may run again when the answer to the commit was lost. Documents of a workflow without a step
 * need no transaction.
 */
const settlements: Partial<Readonly<Record<WorkflowLink["type"], Settle>>> = {
  REFUND: settleRefund,
  ADVANCE: settleAdvance,
  PROFORMA_TRAINING: settleProformaTraining
}

const moveOf = (row: MovedRow | undefined): Move => (row === undefined ? { _tag: "Stayed" } : { _tag: "Moved", row })

const isNumberTaken = (failure: PgFailure): boolean => failure.constraint === constraints.invoiceNumber

const settlementOf = ({ workflow }: Conclusion) => (workflow === null ? undefined : settlements[workflow.type])

const hasLaterAttempt = (conclusion: Conclusion): boolean => conclusion.attempt > 1 && conclusion.attemptOutcome !== null

/** Commit 2 of nearly every receipt: one row of one table. */
const concludeAlone = (database: PgQueries, conclusion: StoredConclusion) =>
  database.query<MovedRow>(concludeStatement, concludeParameters(conclusion)).pipe(
    Effect.map((rows) => moveOf(rows[0])),
    Effect.catchIf(isNumberTaken, () => Effect.succeed<Move>({ _tag: "NumberTaken" }))
  )

const concludeMany = (database: PgQueries, items: ReadonlyArray<StoredConclusion>) =>
  Effect.map(database.query<MovedRow>(concludeManyStatement, concludeManyParameters(items)), (rows) => {
    const byId = new Map(rows.map((row) => [row.operation_id, row]))
    return items.map(({ operationId }) => moveOf(byId.get(operationId)))
  })

const conclusions = ({ isSplit, keyed }: PgDatabase["Service"]) =>
  commitQueues<StoredConclusion, Move>({
    keyOf: ({ organizationId, operationId }) => `${organizationId} ${operationId}`,
    sizeOf: ({ answer, answerText }) => 2 * (answer?.text.length ?? answerText?.length ?? 0),
    mayShare: () => isSplit() === false,
    gaveUp: keyed.noteUnanswered,
    one: (item) => concludeAlone(keyed, item),
    many: (items) => concludeMany(keyed, items)
  }, waitLimits)

class NumberIsTaken extends Data.TaggedError("NumberIsTaken")<{}> {}

const concludeWhole = Effect.fnUntraced(
  function*(statements: PgStatements, conclusion: StoredConclusion) {
    const { organizationId, operationId, workflow } = conclusion
    const [row] = yield* statements.query<MovedRow>(concludeStatement, concludeParameters(conclusion))
    if (row === undefined) return moveOf(row)
    if (hasLaterAttempt(conclusion)) {
      const answer = conclusion.answerText === null ? null : storableText(conclusion.answerText)
      yield* statements.query(concludeAttempt, [organizationId, operationId, conclusion.attemptOutcome, answer, conclusion.attempt])
    }
    yield* raiseItems(statements, conclusion, conclusion.attention)
    const settle = settlementOf(conclusion)
    if (settle !== undefined && workflow !== null) yield* settle(statements, conclusion, workflow.id)
    yield* recordDeed(statements, { organizationId, id: operationId }, conclusion.deed)
    return moveOf(row)
  },
  // The violation ends the transaction; nothing of it is stored.
  Effect.catchIf((failure) => failure instanceof PgFailure && isNumberTaken(failure), () => Effect.fail(new NumberIsTaken()))
)

/** Commit 2 with more than its row: a later attempt's own row, attention items, changes of a workflow, an operator's act. */
const concludeInTransaction = (transaction: PgDatabase["Service"]["transaction"], conclusion: StoredConclusion) =>
  transaction((statements) => concludeWhole(statements, conclusion)).pipe(
    Effect.catchIf((error) => error instanceof NumberIsTaken, () => Effect.succeed<Move>({ _tag: "NumberTaken" }))
  )

/** Commit 2 in the cheapest form that stores everything in the conclusion. */
export const conclude = (database: PgDatabase["Service"]) => {
  const plain = conclusions(database)
  return (given: Conclusion) => {
    const conclusion: StoredConclusion = { ...given, packsAnswer: database.packsAnswers() === true }
    return hasLaterAttempt(conclusion) || conclusion.attention.length > 0 || settlementOf(conclusion) !== undefined || conclusion.deed !== undefined
      ? concludeInTransaction(database.transaction, conclusion)
      : plain(conclusion)
  }
}
