import { Effect } from "effect"

/** How many rows are processed in one turn of the event loop: one to three milliseconds for the largest rows of a report. */
const rowsPerTurn = 50

/** Maps the rows of a report. The sales of the same process are served between them: thousands of rows take half a second. */
export const mapInTurns: <A, B>(rows: Iterable<A>, map: (row: A) => B) => Effect.Effect<ReadonlyArray<B>> = Effect.fnUntraced(
  function*<A, B>(rows: Iterable<A>, map: (row: A) => B) {
    const mapped: Array<B> = []
    for (const row of rows) {
      mapped.push(map(row))
      if (mapped.length % rowsPerTurn === 0) yield* Effect.yieldNow
    }
    return mapped
  }
)
