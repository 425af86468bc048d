import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rootCertificates } from "node:tls"
import { it } from "@effect/vitest"
import { noteKeyOf, verifierKey, witnessKey } from "@overa/domain"
import { ConfigProvider, Effect, Redacted } from "effect"
import { describe, expect } from "vitest"
import { workerConfig } from "../src/Config.ts"

const anchors = join(mkdtempSync(join(tmpdir(), "overa-worker-")), "roots.pem")
const root = rootCertificates[0] ?? ""
writeFileSync(anchors, root)

const complete = {
  DATABASE_URL: "postgres://overa@db/overa?sslmode=verify-full",
  OVERA_SECRET_KEYS: "one:AAAA",
  OVERA_CREDENTIAL_KEY: Buffer.alloc(32, 1).toString("base64"),
  OVERA_WORKER_ID: "worker-7",
  OVERA_VPFR_SANDBOX_URL: "https://vsdc.example",
  OVERA_VPFR_SANDBOX_CA_FILE: anchors
}

const read = (variables: Readonly<Record<string, string>>) =>
  workerConfig.pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(variables))))

const lineOf = (variables: Readonly<Record<string, string>>) => Effect.map(Effect.flip(read(variables)), ({ line }) => line)

describe("a worker's configuration", () => {
  it.effect("is read from the environment, one V-PFR or both", () =>
    Effect.gen(function*() {
      const config = yield* read(complete)
      expect(config.hostId).toBe("worker-7")
      expect(Redacted.value(config.databaseUrl)).toBe(complete.DATABASE_URL)
      expect(config.vpfr).toEqual({
        sandbox: { baseUrl: "https://vsdc.example", trustAnchors: root, verificationRoot: null }
      })
    }))

  it.effect.each(["DATABASE_URL", "OVERA_SECRET_KEYS", "OVERA_CREDENTIAL_KEY", "OVERA_VPFR_SANDBOX_CA_FILE"] as const)(
    "names %s in one line when it is missing or empty",
    (name) =>
      Effect.gen(function*() {
        const { [name]: _, ...without } = complete
        expect(yield* lineOf(without)).toBe(`${name} is missing`)
        expect(yield* lineOf({ ...complete, [name]: "" })).toBe(`${name} is missing`)
      })
  )

  it.effect("reads witnesses as pairs of key and address, none where the variable is absent", () =>
    Effect.gen(function*() {
      const [one, other] = ["a", "b"].map((name, at) => witnessKey(noteKeyOf(`witness.example/${name}`, new Uint8Array(32).fill(at))))
      expect((yield* read(complete)).witnesses).toEqual([])
      const { witnesses } = yield* read({ ...complete, OVERA_WITNESSES: ` ${one} https://one.example/add-checkpoint\n${other}  http://other.example/w/add-checkpoint ` })
      expect(witnesses?.map(({ key, url }) => [key.name, url])).toEqual([
        ["witness.example/a", "https://one.example/add-checkpoint"], ["witness.example/b", "http://other.example/w/add-checkpoint"]
      ])
      const url = "https://one.example/add-checkpoint"
      const wrong = [
        [`${one}`, "must be pairs"], [`${one} ${url} ${other}`, "must be pairs"], [`${url} ${one}`, "is no key of a witness"],
        [`${verifierKey(noteKeyOf("witness.example/a", new Uint8Array(32)))} ${url}`, "is no key of a witness"],
        [`${one} ftp://one.example`, "must be an http or https address"], [`${one} ${url}?a=b`, "must not contain a query"], [`${one} https://a:b@one.example/`, "must not contain a user or a password"],
        [`${one} ${url} ${one} ${url}`, "has the witness witness.example/a twice"], [Array.from({ length: 9 }, () => `${one} ${url}`).join(" "), "more than 8 witnesses"]
      ] as const
      for (const [text, words] of wrong) {
        const line = yield* lineOf({ ...complete, OVERA_WITNESSES: text })
        expect([line.split("\n").length, line.startsWith("OVERA_WITNESSES"), line.includes(words)], line).toEqual([1, true, true])
        expect(line).not.toContain("a:b")
      }
    }))

  it.effect("reads a proxy for webhooks whose login can be decoded, and nothing behind its port", () =>
    Effect.gen(function*() {
      const proxy = "OVERA_WEBHOOK_PROXY_URL"
      expect((yield* read({ ...complete, [proxy]: "http://us%25er:p%40ss@127.0.0.1:3128" })).webhooks.proxy?.host).toBe("127.0.0.1:3128")
      for (const login of ["us%er:secret", "user:sec%ret"]) {
        expect(yield* lineOf({ ...complete, [proxy]: `http://${login}@127.0.0.1:3128` })).toBe(`${proxy}: in the user and the password, % must be written as %25`)
      }
      for (const wrong of ["https://127.0.0.1", "http://127.0.0.1/path", "http://127.0.0.1/?a=secret", "http://127.0.0.1/#x", "127.0.0.1:3128", "http://127.0.0.1\n"]) {
        expect(yield* lineOf({ ...complete, [proxy]: wrong })).toBe(`${proxy} must be http://host:port`)
      }
    }))

  it.effect("reads the beginning of receipts' links as an address that ends where their own part begins", () =>
    Effect.gen(function*() {
      const root = "OVERA_VPFR_SANDBOX_VERIFICATION_ROOT"
      const genuine = "https://sandbox.suf.purs.gov.rs/v/?vl="
      expect((yield* read({ ...complete, [root]: genuine })).vpfr.sandbox?.verificationRoot).toBe(genuine)
      for (const [wrong, words] of [
        ["sandbox.suf.purs.gov.rs", "must be an http or https address"], ["not a root", "must be an http or https address"], ["https://suf.purs.gov.rs/v/", "must end with ?vl="],
        ["https://a:secret@suf.purs.gov.rs/v/?vl=", "must not contain a user or a password"]
      ] as const) {
        const line = yield* lineOf({ ...complete, [root]: wrong })
        expect([line.split("\n").length, line.startsWith(root), line.includes(words), line.includes("secret")], line).toEqual([1, true, true, false])
      }
    }))

  it.effect("names what is malformed, never showing a secret", () =>
    Effect.gen(function*() {
      const short = Buffer.alloc(16, 1).toString("base64")
      expect(yield* lineOf({ ...complete, OVERA_CREDENTIAL_KEY: short })).toBe("OVERA_CREDENTIAL_KEY must be 32 bytes in base64; it has 16")
      expect(yield* lineOf({ ...complete, OVERA_VPFR_SANDBOX_URL: "http://vsdc.example" })).toContain("OVERA_VPFR_SANDBOX_URL must be an https address")
      expect(yield* lineOf({ ...complete, OVERA_VPFR_SANDBOX_CA_FILE: "/nowhere.pem" })).toContain("OVERA_VPFR_SANDBOX_CA_FILE")
    }))
})
