import * as fc from "fast-check"
import { type Checkpoint, checkpointText, logKeyOf, openCheckpoint } from "../../src/journal-log/Checkpoint.ts"
import { cosignatureIn, judgeWitnessAnswer, type WitnessAnswer } from "../../src/journal-log/askingWitness.ts"
import { cosign, cosignedAt, readWitnessKey, witnessKey } from "../../src/journal-log/cosignature.ts"
import { leafHash, rootOf, type TreeHash } from "../../src/journal-log/merkle.ts"
import { base64Of, readNote, verifierKey } from "../../src/journal-log/signedNote.ts"
import { consistencyRanges } from "../../src/journal-log/treeProofs.ts"
import { judgeWitnessing, readWitnessRequest, type Seen, witnessRequestText } from "../../src/journal-log/witnessing.ts"
import { noteKeyOf, signNote } from "../arbitraries/LogSigner.ts"
import { rule } from "./ruleBook.ts"

const utf8 = new TextEncoder()
const [installation, origin] = ["overa.journal/one", "overa.journal/one/shop/production"]
const logSecret = new Uint8Array(32).fill(1)
const installationKey = noteKeyOf(installation, logSecret)
const witnessSecret = new Uint8Array(32).fill(2)
const witness = noteKeyOf("witness.example/a", witnessSecret)

/** The leaves of a log that was rewritten from a place on; 0 is the true one. */
const leavesOf = (fork: number, from: number, size: number): ReadonlyArray<TreeHash> =>
  Array.from({ length: size }, (_, at) => leafHash(utf8.encode(`leaf ${at} ${at < from ? 0 : fork}`)))
const proofOf = (leaves: ReadonlyArray<TreeHash>, from: number): ReadonlyArray<TreeHash> =>
  from > leaves.length ? [] : consistencyRanges(from, leaves.length).map(({ end, start }) => rootOf(leaves.slice(start, end)))
const noteOf = (checkpoint: Checkpoint, secret = logSecret): string => signNote(checkpointText(checkpoint), installation, secret, origin)

const known = (asked: string) => (asked === origin ? [logKeyOf(installationKey, origin)] : null)

rule("WITNESS-1", {
  says: "A witness never cosigns two trees that are not one log: whatever a log sends, everything that was cosigned begins with what was cosigned before.",
  source: "Decisions §14"
}, ({ holds }) => {
  const sent = fc.record({ fork: fc.nat({ max: 2 }), from: fc.nat({ max: 12 }), size: fc.nat({ max: 12 }), oldSize: fc.nat({ max: 13 }), isTold: fc.boolean() })
  holds("for any requests, honest and lying", { requests: fc.array(sent, { maxLength: 12 }) }, ({ requests }) => {
    let seen: Seen | null = null
    const cosigned: Array<ReadonlyArray<TreeHash>> = [[]]
    for (const { fork, from, isTold, oldSize: guessed, size } of requests) {
      const leaves = leavesOf(fork, from, size)
      const oldSize = isTold ? (seen as Seen | null)?.size ?? 0 : guessed
      const body = witnessRequestText({ oldSize, proof: proofOf(leaves, oldSize), note: noteOf({ origin, size, root: rootOf(leaves) }) })
      const request = readWitnessRequest(body)
      const decision = request === null ? null : judgeWitnessing(request, known, () => seen)
      if (decision?._tag !== "Cosign") continue
      seen = decision.checkpoint
      cosigned.push(leaves)
    }
    return cosigned.every((leaves, at) => at === 0 || (cosigned[at - 1] ?? []).every((leaf, index) => base64Of(leaf) === base64Of(leaves[index] ?? new Uint8Array())))
  }, { cases: 50 })
  holds("and an honest log that says what was cosigned last is cosigned, at any two sizes", { size: fc.nat({ max: 40 }), more: fc.nat({ max: 40 }) }, ({ more, size }) => {
    const [before, after] = [leavesOf(0, 0, size), leavesOf(0, 0, size + more)]
    const request = { oldSize: size, proof: size === 0 ? [] : proofOf(after, size), note: noteOf({ origin, size: size + more, root: rootOf(after) }) }
    const seen = size === 0 ? null : { size, root: rootOf(before) }
    return judgeWitnessing(readWitnessRequest(witnessRequestText(request)) ?? request, known, () => seen)._tag === "Cosign"
  }, { cases: 30 })
})

rule("WITNESS-2", {
  says: "A witness answers as the protocol says: an unknown log 404, a checkpoint that no key of the log has signed 403, another size than it saw last 409 with that size, a proof that does not lead there 422.",
  source: "Decisions §14"
}, ({ holdsForEvery }) => {
  const leaves = leavesOf(0, 0, 5)
  const checkpoint = { origin, size: 5, root: rootOf(leaves) }
  const seen = { size: 3, root: rootOf(leaves.slice(0, 3)) }
  const asked = { oldSize: 3, proof: proofOf(leaves, 3), note: noteOf(checkpoint) }
  const elsewhere = { ...asked, note: signNote(checkpointText({ ...checkpoint, origin: "another.log" }), installation, logSecret, "another.log") }
  const cases = [
    [asked, "Cosign"],
    [elsewhere, 404],
    [{ ...asked, note: noteOf(checkpoint, witnessSecret) }, 403],
    [{ ...asked, note: signNote(checkpointText(checkpoint), installation, logSecret) }, 403],
    [{ ...asked, oldSize: 2, proof: proofOf(leaves, 2) }, 3],
    [{ ...asked, oldSize: 6 }, 400],
    [{ ...asked, proof: [] }, 422],
    [{ ...asked, proof: [...asked.proof, leafHash(utf8.encode("x"))] }, 422],
    [{ ...asked, note: "no note" }, 400]
  ] as const
  holdsForEvery("case", cases, ([request, told]) => {
    const decision = judgeWitnessing(request, known, () => seen)
    if (decision._tag === "Cosign") return told === "Cosign"
    return told === (decision._tag === "Conflict" ? decision.size : decision.status)
  })
})

rule("WITNESS-3", {
  says: "A cosignature proves that this witness saw this checkpoint at its time: with another checkpoint, another time or another key it proves nothing.",
  source: "Decisions §14"
}, ({ holds }) => {
  holds("for any size and time", { size: fc.nat({ max: 2 ** 40 }), seconds: fc.nat({ max: 2 ** 40 }), changed: fc.nat() }, ({ changed, seconds, size }) => {
    const note = noteOf({ origin, size, root: rootOf([]) })
    const { text } = readNote(note) ?? { text: "" }
    const cosigned = note + cosign(text, witness.name, witnessSecret, seconds)
    const other = noteOf({ origin, size: size + 1, root: rootOf([]) }) + cosign(text, witness.name, witnessSecret, seconds)
    const line = cosigned.length - 3 - (changed % 90)
    const damaged = `${cosigned.slice(0, line)}${cosigned[line] === "A" ? "B" : "A"}${cosigned.slice(line + 1)}`
    return cosignedAt(cosigned, witness) === seconds && cosignedAt(note, witness) === null && cosignedAt(other, witness) === null &&
      cosignedAt(damaged, witness) !== seconds && cosignedAt(cosigned, noteKeyOf(witness.name, logSecret)) === null &&
      openCheckpoint(cosigned, [installationKey], origin)?.size === size
  }, { cases: 30 })
})

rule("WITNESS-4", {
  says: "The key of a log has the name of its origin line, and a checkpoint is signed under it and under the installation's name.",
  source: "Decisions §14"
}, ({ holdsForEvery }) => {
  const note = noteOf({ origin, size: 0, root: rootOf([]) })
  holdsForEvery("key that a reader may hold", [[installationKey], [logKeyOf(installationKey, origin)]], (keys) => openCheckpoint(note, keys, origin) !== null)
  holdsForEvery("key of somebody else", [[noteKeyOf("overa.journal/two", logSecret)], [noteKeyOf(installation, witnessSecret)], [noteKeyOf(`${origin}x`, logSecret)]], (keys) => openCheckpoint(note, keys, origin) === null)
  holdsForEvery("text of a key", [witnessKey(witness)], (text) =>
    readWitnessKey(text)?.name === witness.name && readWitnessKey(verifierKey(witness)) === null && readWitnessKey(text.replace("example", "exbmple")) === null)
})

rule("WITNESS-5", {
  says: "Of a witness's answer the log keeps one line: this witness's own cosignature of the checkpoint that was sent, and nothing where there is none.",
  source: "Decisions §14"
}, ({ holds }) => {
  const stranger = noteKeyOf("witness.example/b", logSecret)
  const line = fc.record({
    by: fc.constantFrom("witness", "stranger", "namesake", "log"), size: fc.nat({ max: 3 }), seconds: fc.nat({ max: 2 ** 40 }), damaged: fc.boolean(), noise: fc.string({ maxLength: 20 })
  })
  const noteOfSize = (size: number): string => noteOf({ origin, size, root: rootOf([]) })
  const written = ({ by, damaged, seconds, size }: { readonly by: string; readonly damaged: boolean; readonly seconds: number; readonly size: number }): string => {
    const { text } = readNote(noteOfSize(size)) ?? { text: "" }
    const made = by === "witness" ? cosign(text, witness.name, witnessSecret, seconds) : by === "namesake" ? cosign(text, witness.name, logSecret, seconds) : cosign(text, by === "log" ? origin : stranger.name, logSecret, seconds)
    return damaged ? `${made.slice(0, -20)}${made.at(-20) === "A" ? "B" : "A"}${made.slice(-19)}` : made
  }
  holds("for any lines, in any order", { lines: fc.array(line, { maxLength: 6 }), size: fc.nat({ max: 3 }) }, ({ lines, size }) => {
    const answer = lines.map((one) => `${one.noise}\n${written(one)}`).join("")
    const kept = cosignatureIn(noteOfSize(size), answer, witness)
    const own = lines.filter((one) => one.by === "witness" && one.size === size && !one.damaged).map(written)
    return kept === null ? own.length === 0 : own.includes(kept) && cosignedAt(noteOfSize(size) + kept, witness) !== null
  }, { cases: 40 })
})

rule("WITNESS-6", {
  says: "What a witness's answer means for the log: a size that the log does not have, or a refused proof, says that the log lost or changed entries; another size is asked from once more; everything else is the witness's matter.",
  source: "Decisions §14"
}, ({ holdsForEvery }) => {
  const note = noteOf({ origin, size: 5, root: rootOf([]) })
  const own = cosign(readNote(note)?.text ?? "", witness.name, witnessSecret, 7)
  const cases: ReadonlyArray<readonly [number, WitnessAnswer, string | number]> = [
    [3, { _tag: "Cosigned", text: own }, "Cosigned"],
    [3, { _tag: "Cosigned", text: own.replace("witness.example/a", "witness.example/b") }, "invalid"],
    [3, { _tag: "Cosigned", text: "" }, "invalid"],
    [3, { _tag: "Conflict", size: 6 }, "behind"],
    [3, { _tag: "Conflict", size: 4 }, 4],
    [3, { _tag: "Conflict", size: 5 }, 5],
    [3, { _tag: "Conflict", size: 0 }, 0],
    [3, { _tag: "Conflict", size: 3 }, "invalid"],
    [5, { _tag: "Conflict", size: 5 }, "contradicted"],
    [3, { _tag: "Refused", status: 422, reason: "" }, "contradicted"],
    [3, { _tag: "Refused", status: 403, reason: "" }, "refused"],
    [3, { _tag: "Refused", status: 500, reason: "" }, "refused"],
    [3, { _tag: "Unreachable", cause: "" }, "unreachable"]
  ]
  holdsForEvery("answer", cases, ([oldSize, answer, told]) => {
    const verdict = judgeWitnessAnswer({ note, size: 5, oldSize }, answer, witness)
    if (verdict._tag === "AskFrom") return told === verdict.size
    return told === (verdict._tag === "Failed" ? verdict.result : "Cosigned")
  })
})
