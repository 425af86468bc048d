import { checkpointText, cosign, emptyRoot, noteKeyOf, signNote, verifierKey, witnessKey } from "@overa/domain"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { runVerify } from "../src/command/runVerify.ts"

const folder = mkdtempSync(join(tmpdir(), "overa-cosignatures-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const [logSecret, oneSecret, otherSecret] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array, Uint8Array]
const [installation, origin] = ["overa.journal/one", "overa.journal/one/shop/production"]
const [one, other] = [noteKeyOf("witness.example/a", oneSecret), noteKeyOf("witness.example/b", otherSecret)]
const textOf = (size: number): string => checkpointText({ origin, size, root: emptyRoot })
const noteOf = (size: number): string => signNote(textOf(size), installation, logSecret, origin)
const byOne = cosign(textOf(7), one.name, oneSecret, 1_790_000_000)
const byOther = cosign(textOf(7), other.name, otherSecret, 1_790_000_100)

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const key = file("log.vkey", `${verifierKey(noteKeyOf(installation, logSecret))}\n`)

const verify = async (note: string, ...args: ReadonlyArray<string>) => {
  const said = { out: "", err: "" }
  const code = await runVerify([...args, file("checkpoint", note), key], { write: (text) => said.out += text, writeError: (text) => said.err += text })
  return { code, ...said }
}
const demand = (...keys: ReadonlyArray<typeof one>) => keys.flatMap((witness) => ["--witness", witnessKey(witness)])

describe("a checkpoint whose cosignatures are demanded", () => {
  it("is proven where each of the witnesses has cosigned it, and says when", async () => {
    const { code, out } = await verify(noteOf(7) + byOne + byOther, ...demand(one, other))
    expect(code).toBe(0)
    expect(out).toContain("✓ proven: The witness “witness.example/a” cosigned this checkpoint: 2026-09-21T14:13:20.000Z.")
    expect(out).toContain("witness.example/b")
  })

  it.each<readonly [string, string]>([
    ["nobody", noteOf(7)],
    ["one of them", noteOf(7) + byOne],
    ["one of them twice", noteOf(7) + byOne + byOne],
    ["the other one for another checkpoint", noteOf(8) + byOne + byOther],
    ["somebody with the other's name", noteOf(7) + byOne + cosign(textOf(7), other.name, oneSecret, 1_790_000_000)],
    ["the other one, with a time that was changed", noteOf(7) + byOne + `${byOther.slice(0, 40)}${byOther[40] === "A" ? "B" : "A"}${byOther.slice(41)}`]
  ])("is not proven where it was cosigned by %s", async (_by, note) => {
    const { code, out } = await verify(note, ...demand(one, other))
    expect(code).toBe(3)
    expect(out).toContain("has not cosigned this checkpoint")
  })

  it("is nobody's matter where no witness is demanded, and a text that is no key of a witness ends the command", async () => {
    expect(await verify(noteOf(7))).toMatchObject({ code: 0, out: expect.not.stringContaining("witness") as string })
    for (const text of ["x", verifierKey(one)]) expect(await verify(noteOf(7), "--witness", text)).toMatchObject({ code: 2, err: `${text}: no key of a witness\n` })
  })
})
