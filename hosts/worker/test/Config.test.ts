import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rootCertificates } from "node:tls"
import { it } from "@effect/vitest"
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

  it.effect("names what is malformed, never showing a secret", () =>
    Effect.gen(function*() {
      const short = Buffer.alloc(16, 1).toString("base64")
      expect(yield* lineOf({ ...complete, OVERA_CREDENTIAL_KEY: short })).toBe("OVERA_CREDENTIAL_KEY must be 32 bytes in base64; it has 16")
      expect(yield* lineOf({ ...complete, OVERA_VPFR_SANDBOX_URL: "http://vsdc.example" })).toContain("OVERA_VPFR_SANDBOX_URL must be an https address")
      expect(yield* lineOf({ ...complete, OVERA_VPFR_SANDBOX_CA_FILE: "/nowhere.pem" })).toContain("OVERA_VPFR_SANDBOX_CA_FILE")
    }))
})
