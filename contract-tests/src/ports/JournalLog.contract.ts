import {
  type Checkpoint, JournalLog, JournalSealer, leafHash, type LogPlace, type NoteKey, openCheckpoint, type Operation, OperationStore, readVerifierKey,
  type Tenant, verifyConsistency, verifyInclusion
} from "@overa/domain"
import { Effect } from "effect"
import { createHash, createPublicKey } from "node:crypto"
import { createRequire } from "node:module"
import { assert, describe, it } from "vitest"
import { mintPlace, noAnswer, notSent, rejected, sampleLargeOperation, sampleOperation, sampleReservation, sampleUnsentReservation, signed } from "../support/sampleOperations.ts"
import { type StartedStores, storesWithTenants } from "../support/storesWithTenants.ts"

type Stores = OperationStore | JournalLog | JournalSealer

const keysOf = (texts: ReadonlyArray<string>): ReadonlyArray<NoteKey> => texts.map((text) => readVerifierKey(text) ?? assert.fail(`not a verifier key: ${text}`))

interface ForeignVerifier {
  readonly verifyCheckpoint: (entry: unknown, logs: ReadonlyArray<unknown>) => { readonly logSize: bigint; readonly logHash: Buffer; readonly origin: string }
  readonly verifyMerkleInclusion: (entry: unknown, checkpoint: unknown) => void
}

// The verifier of another transparency log, made for receipts of software signatures.
const load = createRequire(import.meta.url)
const foreign = {
  ...(load("@sigstore/verify/dist/tlog/checkpoint.js") as Pick<ForeignVerifier, "verifyCheckpoint">),
  ...(load("@sigstore/verify/dist/tlog/merkle.js") as Pick<ForeignVerifier, "verifyMerkleInclusion">)
}

const ed25519Prefix = Buffer.from("302a300506032b6570032100", "hex")

/** The log's verifier key in the other verifier's form. */
const foreignKey = (key: NoteKey) => ({
  baseURL: key.name,
  logID: createHash("sha256").update(`${key.name}\n`).update(Buffer.of(1)).update(key.publicKey).digest(),
  publicKey: createPublicKey({ key: Buffer.concat([ed25519Prefix, key.publicKey]), format: "der", type: "spki" })
})

const throws = (act: () => unknown): boolean => {
  try {
    act()
  } catch {
    return true
  }
  return false
}

/** What every log of a journal does. `register` makes an organization known to the store. */
export const journalLogContract = (
  name: string,
  start: () => StartedStores<Stores>
) =>
  describe(`JournalLog on ${name}`, () => {
    const { newTenant, run } = storesWithTenants(start)
    const seal = Effect.flatMap(Effect.service(JournalSealer), (sealer) => sealer.seal({ limit: 10_000 }))
    const log = <A>(use: (log: JournalLog["Service"]) => Effect.Effect<A, unknown, never>) => run(Effect.flatMap(Effect.service(JournalLog), use))

    const opened = async (tenant: Tenant): Promise<Checkpoint> => {
      const [{ note, origin, size }, keys] = [await log((it) => it.checkpoint(tenant)), keysOf(await log((it) => it.verifierKeys))]
      const checkpoint = openCheckpoint(note, keys, origin) ?? assert.fail("the checkpoint does not verify")
      assert.strictEqual(checkpoint.size, size)
      return checkpoint
    }

    const stored = Effect.fnUntraced(function*(operation: Operation) {
      yield* (yield* OperationStore).reserve(sampleReservation(operation))
      return operation
    })

    const receipt = Effect.fnUntraced(function*(place: ReturnType<typeof mintPlace>) {
      const operation = yield* stored(sampleOperation(place))
      yield* (yield* OperationStore).conclude(signed(operation))
      return operation
    })

    const placeOf = async (tenant: Tenant, operation: Operation): Promise<LogPlace> =>
      (await log((it) => it.entriesOf(tenant, operation.id))) ?? assert.fail("the document has no place in the log")

    const holds = ({ checkpoint: note, entries, origin, publicKey }: LogPlace): ReadonlyArray<unknown> => {
      const checkpoint = openCheckpoint(note, keysOf([publicKey]), origin) ?? assert.fail("the checkpoint does not verify")
      for (const { inclusion, index, leaf } of entries) {
        const hash = leafHash(new TextEncoder().encode(leaf))
        assert.isTrue(verifyInclusion({ index, leaf: hash, proof: inclusion, root: checkpoint.root, size: checkpoint.size }), leaf)
      }
      return entries.map(({ leaf }) => (JSON.parse(leaf) as { readonly to: string }).to)
    }

    it("an empty log has a signed checkpoint of size 0, whose root is the hash of nothing", async () => {
      const tenant = await newTenant()
      const checkpoint = await opened(tenant)
      assert.strictEqual(checkpoint.size, 0)
      assert.strictEqual(Buffer.from(checkpoint.root).toString("hex"), createHash("sha256").digest("hex"))
      assert.deepStrictEqual(await log((it) => it.consistency(tenant, 0, 0)), [])
    })

    it("every transition of a document at rest becomes one leaf, in order, with the digests of request and answer", async () => {
      const tenant = await newTenant()
      const operation = await run(receipt(tenant))
      assert.isNull(await log((it) => it.entriesOf(tenant, operation.id)))
      await run(seal)
      const place = await placeOf(tenant, operation)
      assert.deepStrictEqual(holds(place), ["RECEIVED", "VALIDATED", "SUBMITTING", "FISCALIZED"])
      assert.deepStrictEqual(place.entries.map(({ index }) => index), [0, 1, 2, 3])
      const [first, , , last] = place.entries.map(({ leaf }) => JSON.parse(leaf) as Record<string, unknown>)
      const digest = (text: string): string => createHash("sha256").update(text).digest("hex")
      assert.strictEqual(first?.["request"], digest(operation.boundKey.body))
      assert.isNull(first?.["answer"])
      const answer = await run(Effect.flatMap(Effect.service(OperationStore), (store) => store.get(tenant, operation.id)))
      assert.strictEqual(last?.["answer"], digest(answer._tag === "Some" ? answer.value.answer?.text ?? "" : ""))
      assert.strictEqual(last?.["documentId"], operation.id)
      assert.strictEqual((await opened(tenant)).size, 4)
    })

    it("what is in flight waits; it is sealed when it has come to rest, and every later transition again", async () => {
      const tenant = await newTenant()
      const operation = await run(stored(sampleOperation(tenant)))
      await run(seal)
      assert.isNull(await log((it) => it.entriesOf(tenant, operation.id)))
      await run(Effect.flatMap(Effect.service(OperationStore), (store) => store.conclude(noAnswer(operation))))
      await run(seal)
      assert.deepStrictEqual(holds(await placeOf(tenant, operation)), ["RECEIVED", "VALIDATED", "SUBMITTING", "OUTCOME_UNKNOWN"])
      await run(Effect.flatMap(Effect.service(OperationStore), (store) => store.conclude(signed(operation))))
      const other = await run(receipt(tenant))
      await run(seal)
      assert.deepStrictEqual(holds(await placeOf(tenant, operation)), ["RECEIVED", "VALIDATED", "SUBMITTING", "OUTCOME_UNKNOWN", "FISCALIZED"])
      assert.deepStrictEqual(holds(await placeOf(tenant, other)), ["RECEIVED", "VALIDATED", "SUBMITTING", "FISCALIZED"])
    })

    it("sealing again adds nothing", async () => {
      const tenant = await newTenant()
      await run(receipt(tenant))
      await run(seal)
      const before = await log((it) => it.checkpoint(tenant))
      await run(seal)
      assert.deepStrictEqual((await log((it) => it.checkpoint(tenant))).size, before.size)
    })

    it("all of them are sealed where a few would fill the memory, first by the sweep and then as they change", async () => {
      const tenant = await newTenant()
      const large = Effect.gen(function*() {
        const operation = yield* stored(sampleLargeOperation(tenant))
        yield* (yield* OperationStore).conclude(signed(operation))
        return operation
      })
      for (const _round of ["swept", "moved"]) {
        const operations = await run(Effect.all(Array.from({ length: 10 }, () => large)))
        await run(seal)
        for (const operation of operations) assert.lengthOf(holds(await placeOf(tenant, operation)), 4)
      }
    })

    it("documents that were never sent, rejected or left unknown are in the log too", async () => {
      const tenant = await newTenant()
      const unsent = sampleUnsentReservation(tenant)
      const [refused, unknown] = [sampleOperation(tenant), sampleOperation(tenant)]
      await run(Effect.gen(function*() {
        const store = yield* OperationStore
        yield* store.reserve(unsent)
        yield* stored(refused)
        yield* store.conclude(rejected(refused))
        yield* stored(unknown)
        yield* store.conclude(notSent(unknown))
      }))
      await run(seal)
      assert.deepStrictEqual(holds(await placeOf(tenant, unsent.operation)), ["RECEIVED", "VALIDATED", "NOT_FISCALIZED"])
      assert.deepStrictEqual(holds(await placeOf(tenant, refused)), ["RECEIVED", "VALIDATED", "SUBMITTING", "REJECTED"])
      assert.deepStrictEqual(holds(await placeOf(tenant, unknown)), ["RECEIVED", "VALIDATED", "SUBMITTING", "NOT_FISCALIZED"])
    })

    it("any two checkpoints are consistent, across tiles", async () => {
      const tenant = await newTenant()
      const checkpoints: Array<Checkpoint> = [await opened(tenant)]
      for (const count of [1, 70, 3, 130]) {
        await run(Effect.forEach(Array.from({ length: count }), () => receipt(tenant), { concurrency: 8 }))
        await run(seal)
        checkpoints.push(await opened(tenant))
      }
      assert.strictEqual(checkpoints.at(-1)?.size, 816)
      for (const older of checkpoints) {
        for (const newer of checkpoints.filter(({ size }) => size >= older.size)) {
          const proof = await log((it) => it.consistency(tenant, older.size, newer.size))
          const asked = { from: older.size, to: newer.size, fromRoot: older.root, toRoot: newer.root, proof }
          assert.isTrue(verifyConsistency(asked), `${older.size} to ${newer.size}`)
        }
      }
    }, 60_000)

    it("logs of organizations and environments are apart", async () => {
      const home = await newTenant()
      const production: Tenant = { ...home, environment: "production" }
      const stranger = await newTenant()
      const operation = await run(receipt(home))
      await run(seal)
      assert.isNull(await log((it) => it.entriesOf(production, operation.id)))
      assert.isNull(await log((it) => it.entriesOf(stranger, operation.id)))
      assert.strictEqual((await opened(production)).size, 0)
      const origins = await Promise.all([home, production, stranger].map(async (tenant) => (await opened(tenant)).origin))
      assert.strictEqual(new Set(origins).size, 3)
    })

    it("a verifier that is not ours reads checkpoint and inclusion, and refuses them changed", async () => {
      const tenant = await newTenant()
      const operation = await run(receipt(tenant))
      await run(Effect.forEach(Array.from({ length: 9 }), () => receipt(tenant)))
      await run(seal)
      const { checkpoint: note, entries, publicKey } = await placeOf(tenant, operation)
      const logs = keysOf([publicKey]).map(foreignKey)
      const entryOf = ({ inclusion, index, leaf }: LogPlace["entries"][number], envelope = note) => ({
        canonicalizedBody: Buffer.from(leaf),
        inclusionProof: { logIndex: String(index), hashes: inclusion.map((hash) => Buffer.from(hash)), checkpoint: { envelope } }
      })
      assert.strictEqual(entries.length, 4)
      for (const entry of entries) {
        const checkpoint = foreign.verifyCheckpoint(entryOf(entry), logs)
        assert.strictEqual(checkpoint.logSize, 40n)
        foreign.verifyMerkleInclusion(entryOf(entry), checkpoint)
        assert.isTrue(throws(() => foreign.verifyMerkleInclusion(entryOf({ ...entry, leaf: entry.leaf.replace("api:", "xpi:") }), checkpoint)))
        assert.isTrue(throws(() => foreign.verifyCheckpoint(entryOf(entry, note.replace("\n40\n", "\n41\n")), logs)))
      }
    })
  })
