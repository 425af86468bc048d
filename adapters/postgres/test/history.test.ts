import { fc, it } from "@fast-check/vitest"
import { type DocumentEvent, type DocumentStatus } from "@overa/domain"
import { DateTime } from "effect"
import { assert, describe } from "vitest"
import { historyLines, historyLineStart, linkEntries, readHistory } from "../src/rows/OperationRow.ts"
import { decodeTransitions } from "../src/rows/TransitionRow.ts"

const entry = fc.record({
  to: fc.constantFrom<DocumentStatus>("RECEIVED", "VALIDATED", "SUBMITTING", "OUTCOME_UNKNOWN", "FISCALIZED"),
  at: fc.integer({ min: 0, max: 4_000_000_000_000 }).map((millis) => DateTime.toUtc(DateTime.makeUnsafe(millis))),
  cause: fc.constantFrom<DocumentEvent>("received", "validated", "reserved", "leaseExpired", "signed"),
  actor: fc.string({ unit: "grapheme", minLength: 1 }),
  attempt: fc.nat({ max: 9 })
})

const plain = (entries: ReadonlyArray<{ readonly at: DateTime.Utc }>) => entries.map((each) => ({ ...each, at: DateTime.toEpochMillis(each.at) }))

describe("the history in an operation's row", () => {
  it.prop({ entries: fc.array(entry) })("comes back as it was, whatever the actor's name", ({ entries }) => {
    assert.deepStrictEqual(plain(readHistory(historyLines(entries))), plain(entries))
  })

  it.prop({ entries: fc.array(entry, { minLength: 1 }) })("a line finished by the database is the line", ({ entries }) => {
    const finished = entries.map((each) => `${historyLineStart(each)}${each.attempt}]\n`).join("")
    assert.strictEqual(finished, historyLines(entries))
  })

  it.prop({ entries: fc.array(entry, { maxLength: 12 }), tabled: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }) })(
    "takes its places among rows that another release wrote to the table",
    ({ entries, tabled }) => {
      const rows = entries.flatMap((each, index) =>
        tabled[index] === true
          ? [{ position: index + 1, to_status: each.to, at: DateTime.toDateUtc(each.at), cause: each.cause, actor: each.actor, attempt: each.attempt }]
          : []
      )
      const history = historyLines(entries.filter((_, index) => tabled[index] !== true))
      assert.deepStrictEqual(plain(decodeTransitions(history, rows)), plain(linkEntries(entries)))
    }
  )
})
