import { spawnSync } from "node:child_process"
import { generateKeyPairSync } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { signSums } from "./signSums.ts"

/** The command of the page on installing, as it stands there. */
const verifyCommand = (): string => /^ *(openssl pkeyutl -verify .*)$/m.exec(readFileSync("docs/operations/install.md", "utf8"))?.[1] ?? "no command"

let folder: string
const at = (name: string): string => join(folder, name)
const verify = () => spawnSync("sh", ["-ec", verifyCommand()], { cwd: folder, encoding: "utf8" }).status

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "overa-sums-"))
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  writeFileSync(at("key.pem"), privateKey.export({ type: "pkcs8", format: "pem" }))
  writeFileSync(at("overa-release.pem"), publicKey.export({ type: "spki", format: "pem" }))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it("the page's command accepts the signed checksums, and no others", () => {
  const sums = `${"0".repeat(64)}  overa-0.1.0.tar.gz\n`
  writeFileSync(at("SHA256SUMS"), sums)
  signSums(folder, at("key.pem"))
  expect(verify()).toBe(0)
  writeFileSync(at("SHA256SUMS"), sums.replace("0", "1"))
  expect(verify()).toBe(1)
})

it("a signature of another key is not accepted", () => {
  const { privateKey } = generateKeyPairSync("ed25519")
  writeFileSync(at("other.pem"), privateKey.export({ type: "pkcs8", format: "pem" }))
  writeFileSync(at("SHA256SUMS"), "sums\n")
  signSums(folder, at("other.pem"))
  expect(verify()).toBe(1)
})

it("a key of another kind is refused with its name", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  writeFileSync(at("ec.pem"), privateKey.export({ type: "pkcs8", format: "pem" }))
  expect(() => signSums(folder, at("ec.pem"))).toThrow("of the kind ec; releases are signed with Ed25519")
})
