import { randomBytes } from "node:crypto"
import { Redacted, Result } from "effect"
import { assert, describe, it } from "vitest"
import { makeSecrets, type Secrets } from "../src/Secrets.ts"

const key = (id: string) => `${id}:${randomBytes(32).toString("base64")}`
const secretsOf = (...keys: ReadonlyArray<string>): Secrets => Result.getOrThrow(makeSecrets(Redacted.make(keys.join(","))))
const plain = Redacted.make("шифра PAC-123")

const opened = (secrets: Secrets, row: string, envelope: string): string =>
  Result.match(secrets.open(row, envelope), { onSuccess: Redacted.value, onFailure: (error) => `refused: ${error.detail}` })

describe("secrets at rest", () => {
  it("open again for the row they were sealed for, and look different every time", () => {
    const secrets = secretsOf(key("a"))
    const envelopes = [secrets.seal("row 1", plain), secrets.seal("row 1", plain)]
    assert.notStrictEqual(envelopes[0], envelopes[1])
    for (const envelope of envelopes) {
      assert.strictEqual(opened(secrets, "row 1", envelope), "шифра PAC-123")
      assert.notInclude(envelope, "PAC-123")
    }
  })

  it("are under the same key, whichever alphabet of base64 it is written in, with padding or without", () => {
    const bytes = Buffer.alloc(32, 0xfb)
    const [one, ...others] = [bytes.toString("base64"), bytes.toString("base64url"), bytes.toString("base64").replace("=", "")].map((text) => secretsOf(`a:${text}`))
    if (one === undefined) return assert.fail("no key")
    for (const other of others) assert.strictEqual(opened(other, "row", one.seal("row", plain)), "шифра PAC-123")
  })

  it("do not open for another row", () => {
    const secrets = secretsOf(key("a"))
    assert.match(opened(secrets, "row 2", secrets.seal("row 1", plain)), /^refused: it was altered or belongs to another row/)
  })

  it("stay readable after a new key is put in front, and are then sealed under the new one", () => {
    const [old, fresh] = [key("old"), key("new")]
    const envelope = secretsOf(old).seal("row", plain)
    const both = secretsOf(fresh, old)
    assert.strictEqual(opened(both, "row", envelope), "шифра PAC-123")
    assert.match(both.seal("row", plain), /^v1\.new\./)
    assert.match(opened(secretsOf(fresh), "row", envelope), /^refused: it was sealed under key old/)
  })

  it("do not open when any of their characters was changed", () => {
    const secrets = secretsOf(key("a"))
    const envelope = secrets.seal("row", plain)
    for (let index = 0; index < envelope.length - 1; index += 1) {
      const changed = envelope.slice(0, index) + (envelope[index] === "A" ? "B" : "A") + envelope.slice(index + 1)
      assert.match(opened(secrets, "row", changed), /^refused/, `character ${index}`)
    }
    for (const stump of ["", "v1", "v1.a", "v1.a.", "v2.a.AAAA", "v1.a.AAAA"]) assert.match(opened(secrets, "row", stump), /^refused/)
  })

  it.each([
    ["none is given", ""],
    ["none is given", " , "],
    ["each is keyId:base64", "justtext"],
    ["each is keyId:base64", `a key:${randomBytes(32).toString("base64")}`],
    ["key a has 16 bytes, 32 are needed", `a:${randomBytes(16).toString("base64")}`],
    ["key new is not written in base64", `${key("new")};${key("old")}`],
    ["key a is not written in base64", `${key("a")}abc`],
    ["key a is not written in base64", key("a").replace(/^(.{10})/, "$1!*")],
    ["key a is given twice", `${key("a")},${key("a")}`]
  ])("refuse keys with one clear line: %s", (line, list) => {
    const refused = makeSecrets(Redacted.make(list))
    if (Result.isSuccess(refused)) return assert.fail("accepted")
    assert.include(refused.failure.message, line)
    assert.notMatch(refused.failure.message, /[A-Za-z0-9+/]{22}/)
  })
})
