import { DateTime, Result } from "effect"
import * as fc from "fast-check"
import { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import { readConsistencyQuery } from "../../src/journal-log/consistencyQuery.ts"
import { Frontier } from "../../src/journal-log/frontier.ts"
import { bearsAnswer, type JournalLeaf, leafText } from "../../src/journal-log/JournalLeaf.ts"
import { leafHash, nodeHash, rootOf, type TreeHash } from "../../src/journal-log/merkle.ts"
import { base64Of, noteKeyId, openNote, readVerifierKey, verifierKey } from "../../src/journal-log/signedNote.ts"
import { verifyInclusion } from "../../src/journal-log/treeProofs.ts"
import { FiscalDocumentId, OrganizationId } from "../../src/tenancy/identifiers.ts"
import { noteKeyOf, signNote } from "../arbitraries/LogSigner.ts"
import { rule } from "./ruleBook.ts"

const utf8 = new TextEncoder()
const leavesOf = (count: number): ReadonlyArray<TreeHash> => Array.from({ length: count }, (_, at) => leafHash(utf8.encode(`leaf ${at}`)))
const same = (one: Uint8Array, other: Uint8Array | undefined): boolean => other !== undefined && base64Of(one) === base64Of(other)

rule("LOG-1", {
  says: "A leaf states what never changes of a transition: the answer where there is one, number and result of a receipt alone, the reference from the first sending on.",
  source: "Decisions §14; Decisions §17"
}, ({ holdsForEvery }) => {
  const leaf = (to: DocumentStatus): JournalLeaf => ({
    organizationId: OrganizationId.make("01900000-0000-7000-8000-000000000001"),
    environment: "sandbox",
    documentId: FiscalDocumentId.make("01900003-0000-7000-8000-000000000001"),
    position: 3,
    transition: { from: "SUBMITTING", to, at: DateTime.makeUnsafe("2026-08-29T10:00:00Z"), cause: "signed", actor: "api:a", attempt: 1 },
    requestId: "r",
    invoiceNumber: "A-A-1",
    digests: { request: "q", record: "c", reference: "f", answer: "n", result: "s" }
  })
  holdsForEvery("every status", DocumentStatus.literals, (to) => {
    const [receipt, answered, sent] = [to === "FISCALIZED", to === "FISCALIZED" || to === "REJECTED", to !== "RECEIVED" && to !== "VALIDATED"]
    return bearsAnswer(to) === answered && leafText(leaf(to)) ===
      `{"actor":"api:a","answer":${answered ? '"n"' : "null"},"at":"2026-08-29T10:00:00.000Z","attempt":1,"cause":"signed",` +
        '"documentId":"01900003-0000-7000-8000-000000000001","environment":"sandbox","from":"SUBMITTING",' +
        `"invoiceNumber":${receipt ? '"A-A-1"' : "null"},"organizationId":"01900000-0000-7000-8000-000000000001","position":3,"record":"c",` +
        `"reference":${sent ? '"f"' : "null"},"request":"q","requestId":"r","result":${receipt ? '"s"' : "null"},"to":"${to}","version":1}`
  })
})

rule("LOG-2", {
  says: "A tree that grows leaf by leaf always has the root of its leaves, and names every complete subtree once, when its last leaf comes.",
  source: "Decisions §14; RFC 6962"
}, ({ holds }) => {
  holds("for any number of leaves", { count: fc.nat({ max: 70 }) }, ({ count }) => {
    const leaves = leavesOf(count)
    const complete: Array<string> = []
    const [silent, told] = [new Frontier(), new Frontier(undefined, ({ level, position }, hash) => {
      const width = 2 ** level
      const isWhole = same(hash, rootOf(leaves.slice(position * width, (position + 1) * width)))
      complete.push(`${isWhole} ${level}/${position} at ${told.size}`)
    })]
    const rootsHold = leaves.every((leaf, at) => {
      silent.append(leaf)
      told.append(leaf)
      return silent.size === at + 1 && same(silent.root(), rootOf(leaves.slice(0, at + 1)))
    })
    const wanted = leaves.flatMap((_, at) => Array.from({ length: 7 }, (__, level) => level + 1)
      .filter((level) => (at + 1) % 2 ** level === 0).map((level) => `true ${level}/${(at + 1) / 2 ** level - 1} at ${at}`))
    return rootsHold && complete.join() === wanted.join() && same(told.root(), rootOf(leaves))
  })
})

rule("LOG-3", {
  says: "Consistency is asked for between two sizes in order, the later one at most the log's.",
  source: "Decisions §14"
}, ({ holds, holdsForEvery }) => {
  const faultsOf = (from: string | null, to: string | null, size: number): string => {
    const read = readConsistencyQuery({ ...(from === null ? {} : { from: [from] }), ...(to === null ? {} : { to: [to] }) }, size)
    return Result.isFailure(read) ? read.failure.faults.map(({ key, message }) => `${key} ${message}`).join("; ") : `${read.success.from}-${read.success.to}`
  }
  const size = fc.nat({ max: 12 })
  holds("any two sizes", { from: size, to: size, size }, ({ from, size: most, to }) => {
    const told = faultsOf(String(from), String(to), most)
    const wanted = [
      ...(from > to ? ["From must not be more than to"] : []),
      ...(to > most ? [`To must not be more than ${most}, the size of the last checkpoint`] : [])
    ]
    return told === (wanted.length === 0 ? `${from}-${to}` : wanted.join("; "))
  })
  const number = "must be a size: a whole number from 0"
  holdsForEvery("what is no size", ["-1", "01", "1.5", "x1", "1x", "", "1000000000000000", "a", " 1"], (text) =>
    faultsOf(text, "3", 3) === `From ${number}` && faultsOf("0", text, 3) === `To ${number}` && faultsOf(text, text, 3) === `From ${number}; To ${number}`)
  holdsForEvery("none at all", [null], (none) => faultsOf(none, none, 3) === `From ${number}; To ${number}`)
  holdsForEvery("sizes of many digits", ["10", "987654321012345"], (text) => faultsOf(text, text, 10 ** 15) === `${text}-${text}`)
})

rule("LOG-4", {
  says: "A proof for a place outside the tree, or with more or fewer hashes than its place needs, proves nothing, whatever root is claimed.",
  source: "Decisions §14; RFC 9162"
}, ({ holdsForEvery }) => {
  const [leaf, other] = leavesOf(2) as [TreeHash, TreeHash]
  holdsForEvery("places outside a tree of one leaf", [-1, 1, 2, Number.NaN, 0.5], (index) => !verifyInclusion({ index, size: 1, leaf, proof: [], root: leaf }))
  holdsForEvery("a hash too many, a hash too few", [
    { index: 0, size: 1, leaf, proof: [other], root: nodeHash(other, leaf) },
    { index: 0, size: 4, leaf, proof: [other], root: nodeHash(leaf, other) }
  ], (claim) => !verifyInclusion(claim))
})

rule("LOG-5", {
  says: "A key of the log is read from its line alone; a note with a line that is no signature is no note.",
  source: "Decisions §14"
}, ({ holdsForEvery }) => {
  const secret = new Uint8Array(32).fill(9)
  const key = noteKeyOf("example.com/log", secret)
  const line = verifierKey(key)
  const hexId = Array.from(noteKeyId(key), (byte) => byte.toString(16).padStart(2, "0")).join("")
  const withType = (type: number, bytes = key.publicKey): string => `example.com/log+${hexId}+${base64Of(Uint8Array.of(type, ...bytes))}`
  holdsForEvery("with blanks around it", [line, ` ${line}\n`, withType(1)], (text) => readVerifierKey(text)?.name === key.name)
  holdsForEvery("with anything else, or a key of another kind or length", [`x ${line}`, `${line} x`, `x+${line}`, withType(2), withType(1, key.publicKey.slice(1))], (text) => readVerifierKey(text) === null)
  const text = "any text\n"
  const note = signNote(text, key.name, secret)
  holdsForEvery("a signed note opens", [note, signNote("\n", key.name, secret)], (signed) => openNote(signed, [key]) === signed.slice(0, signed.lastIndexOf("\n\n") + 1))
  holdsForEvery("also beside a signature of somebody unknown", [`${note}\u2014 witness AAAAAAA=\n`], (signed) => openNote(signed, [key]) === text)
  const others = ["garbage", "\u2014 witness AAAAAA==", "\u2014 witness AAAAA", "\u2014 witness", "\u2014 two names AAAAAAA=", "x\u2014 witness AAAAAAA=", "\u2014 witness AAAAAAA= "]
  holdsForEvery("beside any other line it does not", others, (added) => openNote(`${note}${added}\n`, [key]) === null)
  holdsForEvery("nor without its last line feed", [note.slice(0, -1)], (cut) => openNote(cut, [key]) === null)
})
