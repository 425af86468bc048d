import { Effect, Exit, Stream } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import type { Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { extract } from "tar-stream"
import { expect, it, vi } from "vitest"
import { withChecksums } from "../src/leaving/checksums.ts"
import type { LeavingFile } from "../src/leaving/LeavingFile.ts"
import { tarArchive } from "../src/leaving/tarArchive.ts"

const at = new Date("2026-11-25T08:00:00Z")
const digest = (text: string): string => createHash("sha256").update(text).digest("hex")
const collected = <E>(files: Stream.Stream<LeavingFile, E>) => Effect.runPromise(Stream.runCollect(withChecksums(files)))
const numbered = (count: number) => Stream.map(Stream.range(1, count), (number): LeavingFile => ({ path: `proofs/${number}.json`, content: `{"number":${number}}` }))

const namesIn = async (archive: Readable): Promise<ReadonlyArray<string>> => {
  const names: Array<string> = []
  for await (const entry of archive.pipe(createGunzip()).pipe(extract() as unknown as NodeJS.ReadWriteStream) as unknown as AsyncIterable<{ readonly header: { readonly name: string }; readonly resume: () => void }>) {
    names.push(entry.header.name)
    entry.resume()
  }
  return names
}

it("each file has its digest on one list, the lists have theirs on the last file, and a thousand files fill a list", async () => {
  const files = await collected(numbered(2_500))
  const lists = files.filter(({ path }) => path.startsWith("checksums/"))
  expect(lists.map(({ content }) => String(content).trim().split("\n").length)).toEqual([1_000, 1_000, 500])
  expect(lists[0]?.content).toContain(`${digest("{\"number\":7}")}  proofs/7.json\n`)
  expect(files.at(-1)).toEqual({ path: "checksums.sha256", content: lists.map(({ content, path }) => `${digest(String(content))}  ${path}\n`).join("") })
  expect((await collected(Stream.empty)).map(({ path }) => path)).toEqual(["checksums.sha256"])
})

it("files that end in a failure have no last file", async () => {
  const seen: Array<string> = []
  const failing = Stream.concat(numbered(3), Stream.fail("the database is gone"))
  const exit = await Effect.runPromiseExit(Stream.runForEach(withChecksums(failing), ({ path }) => Effect.sync(() => seen.push(path))))
  expect(Exit.isFailure(exit)).toBe(true)
  expect(seen).not.toContain("checksums.sha256")
})

it("the archive has every file, with long names and letters of any script", async () => {
  const names = ["a.txt", `folder/${"long-".repeat(30)}.txt`, "Продавница/рачун.txt"]
  const archive = await Effect.runPromise(tarArchive(Stream.fromIterable(names.map((path) => ({ path, content: path }))), at))
  expect(await namesIn(archive)).toEqual(names)
})

it("no file is read before its reader takes the one before, and a reader that leaves ends the reading", async () => {
  let [read, isEnded] = [0, false]
  const big = Stream.range(1, 200).pipe(
    Stream.rechunk(1),
    Stream.tap(() => Effect.sync(() => void (read += 1))),
    Stream.map((number): LeavingFile => ({ path: String(number), content: Buffer.from(crypto.getRandomValues(new Uint8Array(65_536))) })),
    Stream.ensuring(Effect.sync(() => void (isEnded = true)))
  )
  const archive = await Effect.runPromise(tarArchive(big, at))
  await once(archive, "readable")
  archive.read()
  await new Promise((resolve) => setImmediate(resolve))
  expect(read).toBeLessThan(20)
  archive.destroy()
  await vi.waitFor(() => expect(isEnded).toBe(true))
  expect(read).toBeLessThan(25)
})

it("a reader that leaves while a file is being written ends the archive and nothing else", async () => {
  const unheard: Array<unknown> = []
  const hear = (error: unknown): void => void unheard.push(error)
  const others = process.listeners("uncaughtException")
  process.removeAllListeners("uncaughtException").on("uncaughtException", hear)
  try {
    const large = Stream.range(1, 10).pipe(Stream.map((number): LeavingFile => ({ path: String(number), content: randomBytes(3_000_000) })))
    const archive = await Effect.runPromise(tarArchive(large, at))
    archive.on("error", () => undefined)
    await once(archive, "readable")
    archive.destroy(new Error("the reader left"))
    await new Promise((resolve) => setTimeout(resolve, 50))
  } finally {
    process.off("uncaughtException", hear)
    for (const listener of others) process.on("uncaughtException", listener)
  }
  expect(unheard).toEqual([])
})

it("where reading fails, the archive fails", async () => {
  const archive = await Effect.runPromise(tarArchive(Stream.concat(numbered(3), Stream.fail(new Error("the database is gone"))), at))
  const drained = async () => {
    for await (const chunk of archive) expect(chunk).toBeInstanceOf(Uint8Array)
  }
  await expect(drained()).rejects.toThrow("the database is gone")
})
