import * as fc from "fast-check"
import { checkpointText, logKeyOf } from "../../src/journal-log/Checkpoint.ts"
import { judgeKept, keptSizeOf, originOfNote } from "../../src/journal-log/keptCheckpoint.ts"
import { leafHash, rootOf, type TreeHash } from "../../src/journal-log/merkle.ts"
import { consistencyRanges } from "../../src/journal-log/treeProofs.ts"
import { noteKeyOf, signNote } from "../arbitraries/LogSigner.ts"
import { rule } from "./ruleBook.ts"

const utf8 = new TextEncoder()
const [installation, origin] = ["overa.journal/one", "overa.journal/one/shop/production"]
const secret = new Uint8Array(32).fill(1)
const keys = [logKeyOf(noteKeyOf(installation, secret), origin)]

/** The leaves of a log that was rewritten from a place on; 0 is the true one. */
const leavesOf = (fork: number, from: number, size: number): ReadonlyArray<TreeHash> =>
  Array.from({ length: size }, (_, at) => leafHash(utf8.encode(`leaf ${at} ${at < from ? 0 : fork}`)))
const proofOf = (leaves: ReadonlyArray<TreeHash>, from: number): ReadonlyArray<TreeHash> =>
  from > leaves.length ? [] : consistencyRanges(from, leaves.length).map(({ end, start }) => rootOf(leaves.slice(start, end)))
const noteOf = (leaves: ReadonlyArray<TreeHash>, key = secret): string =>
  signNote(checkpointText({ origin, size: leaves.length, root: rootOf(leaves) }), installation, key, origin)
const logOf = (leaves: ReadonlyArray<TreeHash>) => ({ origin, size: leaves.length, root: rootOf(leaves), keys })

rule("KEPT-1", {
  says: "A kept checkpoint is contained in a restored log exactly where the log begins with its leaves; one with more leaves is ahead; one with other leaves is contradicted.",
  source: "Decisions §14"
}, ({ holds }) => {
  const sizes = { kept: fc.nat({ max: 20 }), now: fc.nat({ max: 20 }) }
  holds("for any two sizes of one log", sizes, ({ kept, now }) =>
    judgeKept(noteOf(leavesOf(0, 0, kept)), logOf(leavesOf(0, 0, now)), proofOf(leavesOf(0, 0, now), kept)) === (kept > now ? "AHEAD" : "CONTAINED"), { cases: 60 })
  holds("and for a log that was rewritten from any place on", { ...sizes, from: fc.nat({ max: 20 }) }, ({ from, kept, now }) => {
    const rewritten = leavesOf(1, from, now)
    const verdict = judgeKept(noteOf(leavesOf(0, 0, kept)), logOf(rewritten), proofOf(rewritten, kept))
    return verdict === (kept > now ? "AHEAD" : from < kept ? "CONTRADICTED" : "CONTAINED")
  }, { cases: 60 })
})

rule("KEPT-2", {
  says: "A checkpoint that no key of the log has signed says nothing, and neither does one of another log or a file that is no checkpoint.",
  source: "Decisions §14"
}, ({ holdsForEvery }) => {
  const leaves = leavesOf(0, 0, 5)
  const stranger = noteOf(leaves, new Uint8Array(32).fill(9))
  const otherOrigin = signNote(checkpointText({ origin: `${origin}2`, size: 5, root: rootOf(leaves) }), installation, secret, `${origin}2`)
  const files = [
    { what: "of a stranger's key", note: stranger, stated: origin },
    { what: "of another log", note: otherOrigin, stated: `${origin}2` },
    { what: "changed afterwards", note: noteOf(leaves).replace("\n5\n", "\n4\n"), stated: origin },
    { what: "empty", note: "", stated: null },
    { what: "of something else", note: "hello", stated: null }
  ]
  holdsForEvery("for every such file", files, ({ note, stated }) => ({
    "it is unsigned": judgeKept(note, logOf(leaves), []) === "UNSIGNED",
    "it has no size": keptSizeOf(note, logOf(leaves)) === null,
    "its origin is what it states": originOfNote(note) === stated
  }))
})
