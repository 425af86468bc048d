import { Effect } from "effect"

/** An operation found by a read over many organizations. */
export interface Candidate {
  readonly organization_id: string
  readonly operation_id: string
}

/** Organizations processed at once: their statements wait for different rows. */
const concurrency = 4

/** Runs one statement for each organization over its own candidates, in the order of their ids, and collects the answers. */
export const byOrganization = Effect.fnUntraced(function*<Row, E>(
  candidates: ReadonlyArray<Candidate>,
  work: (organizationId: string, operationIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Row>, E>
) {
  const groups = [...Map.groupBy(candidates, (candidate) => candidate.organization_id)]
  const answers = yield* Effect.forEach(
    groups,
    ([organizationId, own]) => work(organizationId, own.map((candidate) => candidate.operation_id).toSorted()),
    { concurrency }
  )
  return answers.flat()
})
