import { AttentionOversight, documentKind, formatDecimal, mayHaveArrived, type Operation, OperationHistory, totalAmount } from "@overa/domain"
import { Effect } from "effect"
import { facts, shownTime, table } from "../output/Outcome.ts"

/** Everything stored about an operation. */
export const caseFile = Effect.fnUntraced(function*(operation: Operation) {
  const history = yield* OperationHistory
  const attentionOversight = yield* AttentionOversight
  const { environment, id, organizationId } = operation
  const attempts = yield* history.attempts(organizationId, id)
  const evidence = yield* history.evidence(organizationId, id)
  return {
    operation: {
      id,
      organizationId,
      environment,
      taxpayerId: operation.taxpayerId,
      businessPremiseId: operation.businessPremiseId,
      clientReference: operation.content.clientReference,
      kind: documentKind(operation.content),
      total: formatDecimal(totalAmount(operation.content.items), 2),
      status: operation.status,
      ...(operation.inDoubt === undefined ? {} : { inDoubt: operation.inDoubt }),
      failureCode: operation.failureCode,
      createdAt: operation.createdAt,
      nextCheckAt: operation.nextCheckAt
    },
    attempts: attempts.map((attempt) => ({
      ...attempt,
      mayHaveArrived: mayHaveArrived(attempt),
      answerText: evidence.find((it) => it.number === attempt.number)?.answerText ?? null
    })),
    transitions: yield* history.transitions({ organizationId, environment }, id),
    attention: yield* attentionOversight.attentionOf(organizationId, id)
  }
})

type CaseFile = Effect.Success<ReturnType<typeof caseFile>>

const searched = (attempt: CaseFile["attempts"][number]): string => {
  if (attempt.lastSearch === null) return "never"
  return `${shownTime(attempt.lastSearch.at)} ${attempt.lastSearch.found ? "found" : "nothing found"}`
}

/** The same as text for a person. */
export const shownCase = ({ attempts, attention, operation, transitions }: CaseFile): string => {
  const head = facts([
    ["operation", operation.id],
    ["environment", operation.environment],
    ["organization", operation.organizationId],
    ["premise", operation.businessPremiseId],
    ["kind", operation.kind],
    ["total", operation.total],
    ["caller's reference", operation.clientReference],
    ["status", operation.failureCode === null ? operation.status : `${operation.status} (${operation.failureCode})`],
    ...(operation.inDoubt === undefined ? [] : [["in doubt", `an item below is open; in the store it is ${operation.inDoubt}`] as const]),
    ["next search", shownTime(operation.nextCheckAt)]
  ])
  const tries = table(
    ["ATTEMPT", "REQUEST ID", "JID", "STARTED", "OUTCOME", "MAY BE SIGNED", "LAST SEARCH ANSWERED"],
    attempts.map((it) => [String(it.number), it.requestId, it.jid, shownTime(it.startedAt), it.outcome ?? "-", it.mayHaveArrived ? "yes" : "no", searched(it)])
  )
  const moves = table(["AT", "FROM", "TO", "CAUSE", "BY"], transitions.map((it) => [shownTime(it.at), it.from ?? "-", it.to, it.cause, it.actor]))
  const items = table(["RAISED", "KIND", "WHAT"], attention.map((it) => [shownTime(it.raisedAt), it.kind, it.detail]))
  const answers = attempts.filter((it) => it.answerText !== null).map((it) => `Answer kept with attempt ${it.number}:\n${it.answerText}`)
  return [head, tries, moves, `Attention:\n${items}`, ...answers].join("\n\n")
}
