import type { StoreUnavailable } from "@overa/domain"
import type { Effect } from "effect"
import type { PgFailure } from "../PgFailure.ts"
import { CommitBatcher, type Commits, type WaitLimits } from "./CommitBatcher.ts"

/** Rows with more characters have statements of their own. An ordinary receipt has some thousands. */
const largeCharacters = 65_536

/**
 * Commits rows in batches, the large ones separately: the server needs a tenth of a second to compress a receipt of a megabyte, and a small row in the
 * same statement, or behind two such statements, would wait for it.
 */
export const commitQueues = <Item, Answer>(
  commits: Commits<Item, Answer>,
  waitLimits: WaitLimits
): (item: Item) => Effect.Effect<Answer, PgFailure | StoreUnavailable> => {
  const [ordinary, large] = [new CommitBatcher(commits, waitLimits), new CommitBatcher(commits, waitLimits)]
  return (item) => (commits.sizeOf(item) > largeCharacters ? large : ordinary).submit(item)
}

/**
 * How long a commit may take before its caller is told that the outcome is unknown. A row that is sent has the eight seconds after which the server
 * cancels a statement; a row that could not be sent before is refused, and was certainly not stored.
 */
export const waitLimits: WaitLimits = { queuedMillis: 4_000, altogetherMillis: 12_500 }
