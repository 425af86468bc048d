import {
  base64Of, checkpointText, consistencyRanges, cosignedAt, leafHash, noteKeyOf, openCheckpoint, readWitnessKey, rootOf, signNote, type TreeHash, verifierKey, witnessKey, witnessRequestText
} from "@overa/domain"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type RunningWitness, runWitness } from "../src/index.ts"

const [installation, origin] = ["overa.journal/one", "overa.journal/one/shop/production"]
const logSecret = new Uint8Array(32).fill(1)
const logKey = noteKeyOf(installation, logSecret)

const treeOf = (size: number, fork = ""): ReadonlyArray<TreeHash> => Array.from({ length: size }, (_, at) => leafHash(new TextEncoder().encode(`leaf ${at}${fork}`)))
const noteOf = (leaves: ReadonlyArray<TreeHash>): string => signNote(checkpointText({ origin, size: leaves.length, root: rootOf(leaves) }), installation, logSecret, origin)
const requestOf = (leaves: ReadonlyArray<TreeHash>, oldSize: number): string =>
  witnessRequestText({ oldSize, proof: oldSize === 0 ? [] : consistencyRanges(oldSize, leaves.length).map(({ end, start }) => rootOf(leaves.slice(start, end))), note: noteOf(leaves) })

let folder: string
const running: Array<RunningWitness> = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "overa-witness-"))
  writeFileSync(join(folder, "logs"), `${verifierKey(logKey)}\n`)
})
afterEach(async () => {
  for (const witness of running.splice(0)) await witness.stop()
  rmSync(folder, { recursive: true, force: true })
})

const command = async (...args: ReadonlyArray<string>) => {
  const said = { out: "", err: "" }
  const result = await runWitness(args, { write: (text) => said.out += text, writeError: (text) => said.err += text })
  return { ...said, result }
}

/** A witness with a key and a folder of its own. */
const start = async (name: string) => {
  const key = join(folder, `${name}.key`)
  await command("keygen", "--name", `witness.example/${name}`, "--key", key)
  const { out, result } = await command("serve", "--key", key, "--logs", join(folder, "logs"), "--state", join(folder, `${name}-state`), "--listen", "127.0.0.1:0")
  if (typeof result === "number") throw new Error(out)
  running.push(result)
  const witness = readWitnessKey(out.split("\n")[0] ?? "")
  if (witness === null) throw new Error(out)
  const ask = async (body: string) => {
    const answer = await fetch(`${result.url}/add-checkpoint`, { method: "POST", body })
    return { status: answer.status, type: answer.headers.get("Content-Type"), body: await answer.text() }
  }
  return { ask, witness, url: result.url, state: join(folder, `${name}-state`) }
}

describe("a witness", () => {
  it("cosigns a log as it grows, and remembers over a restart what it has cosigned", async () => {
    const first = await start("a")
    const begun = await first.ask(requestOf(treeOf(3), 0))
    expect(begun.status).toBe(200)
    expect(cosignedAt(noteOf(treeOf(3)) + begun.body, first.witness)).toBeGreaterThan(1_700_000_000)
    await running.pop()?.stop()
    const again = await command("serve", "--key", join(folder, "a.key"), "--logs", join(folder, "logs"), "--state", first.state, "--listen", "127.0.0.1:0")
    running.push(again.result as RunningWitness)
    const ask = (body: string) => fetch(`${(again.result as RunningWitness).url}/add-checkpoint`, { method: "POST", body })
    const forgetful = await ask(requestOf(treeOf(4), 0))
    expect([forgetful.status, forgetful.headers.get("Content-Type"), await forgetful.text()]).toEqual([409, "text/x.tlog.size", "3\n"])
    expect((await ask(requestOf(treeOf(4, "forged"), 3))).status).toBe(422)
    expect((await ask(requestOf(treeOf(4), 3))).status).toBe(200)
    expect((await ask(requestOf(treeOf(4), 4))).status).toBe(200)
  })

  it("of many requests at once cosigns one log", async () => {
    const { ask, witness } = await start("a")
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => ask(requestOf(treeOf(2 + at, at % 2 === 0 ? "" : "forged"), 0))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
    const at = answers.findIndex(({ status }) => status === 200)
    expect(cosignedAt(noteOf(treeOf(2 + at, at % 2 === 0 ? "" : "forged")) + (answers[at]?.body ?? ""), witness)).not.toBeNull()
  })

  it("cosigns nothing while it cannot read what it has cosigned, or cannot write it", async () => {
    const { ask, state } = await start("a")
    expect((await ask(requestOf(treeOf(3), 0))).status).toBe(200)
    const [file = ""] = readdirSync(state)
    const kept = readFileSync(join(state, file))
    writeFileSync(join(state, file), "{")
    expect((await ask(requestOf(treeOf(4), 3))).status).toBe(500)
    writeFileSync(join(state, file), kept)
    rmSync(state, { recursive: true })
    writeFileSync(state, "no folder")
    expect((await ask(requestOf(treeOf(4), 3))).status).toBe(500)
  })

  it("refuses what is no request, in words", async () => {
    const { ask, url } = await start("a")
    const cases: ReadonlyArray<readonly [string, number]> = [
      ["", 400], ["old x\n\nnote", 400], ["old 0\n\nnote", 400], [`old 0\n${"A".repeat(43)}=\n\n${noteOf(treeOf(1))}`, 422], ["x".repeat(70_000), 413],
      [requestOf(treeOf(1), 0).replaceAll(origin, "another.log"), 404]
    ]
    for (const [body, status] of cases) expect((await ask(body)).status, body.slice(0, 40)).toBe(status)
    expect((await fetch(`${url}/add-checkpoint`)).status).toBe(405)
    expect((await fetch(`${url}/other`)).status).toBe(404)
  })
})

describe("two witnesses, and a log that lies to one of them", () => {
  it("a reader who demands both believes neither tree, and the log can never bring them together", async () => {
    const [one, other] = [await start("a"), await start("b")]
    const [shown, hidden] = [treeOf(5), treeOf(5, "hidden")]
    const [fromOne, fromOther] = [await one.ask(requestOf(shown, 0)), await other.ask(requestOf(hidden, 0))]
    expect([fromOne.status, fromOther.status]).toEqual([200, 200])
    const believed = [shown, hidden].filter((tree) => {
      const note = noteOf(tree) + fromOne.body + fromOther.body
      return openCheckpoint(note, [logKey], origin) !== null && [one, other].every(({ witness }) => cosignedAt(note, witness) !== null)
    })
    expect(believed).toEqual([])
    expect((await other.ask(requestOf(shown, 5))).status).toBe(409)
    expect((await other.ask(requestOf([...shown, ...treeOf(1)], 5))).status).toBe(422)
  })
})

describe("asking a witness", () => {
  it("prints the checkpoint with the cosignature, and says what to ask next", async () => {
    const { url, witness } = await start("a")
    const [note, proof] = [join(folder, "checkpoint"), join(folder, "proof.json")]
    const ask = (...more: ReadonlyArray<string>) => command("ask", "--note", note, "--witness", witnessKey(witness), "--url", `${url}/add-checkpoint`, ...more)
    writeFileSync(note, noteOf(treeOf(3)))
    expect(cosignedAt((await ask()).out, witness)).not.toBeNull()
    writeFileSync(note, noteOf(treeOf(5)))
    expect(await ask()).toMatchObject({ result: 2, out: "", err: expect.stringContaining("--old 3") as string })
    writeFileSync(proof, JSON.stringify({ from: 3, to: 5, proof: consistencyRanges(3, 5).map(({ end, start: from }) => base64Of(rootOf(treeOf(5).slice(from, end)))) }))
    const { out, result } = await ask("--old", "3", "--proof", proof)
    expect([result, out.startsWith(noteOf(treeOf(5))), cosignedAt(out, witness) !== null]).toEqual([0, true, true])
    expect(await ask("--old", "5")).toMatchObject({ result: 0 })
    const other = witnessKey(noteKeyOf("witness.example/b", logSecret))
    expect(await command("ask", "--note", note, "--witness", other, "--url", `${url}/add-checkpoint`, "--old", "5")).toMatchObject({ result: 2, out: "" })
    expect(await command("ask", "--note", note, "--witness", "x", "--url", url)).toMatchObject({ result: 2, err: expect.stringContaining("no key of a witness") as string })
  })
})

describe("the command", () => {
  it("never overwrites a key, and names what is wrong", async () => {
    const key = join(folder, "k")
    expect((await command("keygen", "--name", "witness.example", "--key", key)).result).toBe(0)
    const damaged = join(folder, "damaged")
    writeFileSync(damaged, readFileSync(key, "utf8").replace(/\n(.{9})/, "\n$1!*"))
    const before = readFileSync(key, "utf8")
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [["keygen", "--name", "witness.example", "--key", key], "EEXIST"],
      [["keygen", "--name", "two words", "--key", join(folder, "k2")], "neither spaces nor a plus sign"],
      [["serve", "--key", key], "--logs is missing"],
      [["serve", "--key", key, "--logs", key, "--state", join(folder, "s")], "is no verifier key"],
      [["serve", "--key", damaged, "--logs", join(folder, "logs"), "--state", join(folder, "s")], "holds no key of a witness"],
      [["serve", "--key", join(folder, "logs"), "--logs", join(folder, "logs"), "--state", join(folder, "s")], "holds no key of a witness"],
      [["serve", "--key", key, "--logs", join(folder, "logs"), "--state", join(folder, "s"), "--listen", "here"], "--listen must be host:port"],
      [[], "overa-witness keygen"]
    ]
    for (const [args, words] of cases) {
      const { err, result } = await command(...args)
      expect([result, err]).toEqual([2, expect.stringContaining(words)])
    }
    expect(readFileSync(key, "utf8")).toBe(before)
  })
})
