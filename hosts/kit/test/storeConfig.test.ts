import { randomBytes } from "node:crypto"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rootCertificates } from "node:tls"
import { it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import { storeConfig } from "../src/storeConfig.ts"

const key = () => randomBytes(32).toString("base64")

const good = { DATABASE_URL: "postgres://overa@localhost/overa", OVERA_SECRET_KEYS: "one:AAAA", OVERA_CREDENTIAL_KEY: key() }

const read = (change: Readonly<Record<string, string>>) =>
  storeConfig.pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ ...good, ...change }))))

const lineOf = (change: Readonly<Record<string, string>>) => Effect.map(Effect.flip(read(change)), ({ line }) => line)

describe("the connection to the database", () => {
  const inside = [
    "postgres://overa@localhost/overa",
    "postgresql://overa:a%40b@127.0.0.1:5432/overa",
    "postgres://overa@127.8.0.1/overa",
    "postgres://overa@[::1]:5432/overa",
    "postgres:///overa?host=/var/run/postgresql",
    "postgres://overa@localhost:5432,127.0.0.1:5433/overa"
  ]
  const outside = [
    "postgres://overa@database/overa",
    "postgres://overa:localhost@10.0.0.7:5432/overa",
    "postgres://overa@localhost.example/overa",
    "postgres://overa@127.0.0.1.example/overa",
    "postgres://overa@localhost:5432,standby:5432/overa",
    "postgres://overa@localhost/overa?host=10.0.0.7",
    "postgres://overa@[2001:db8::1]:5432/overa"
  ]
  const withMode = (url: string, mode: string) => `${url}${url.includes("?") ? "&" : "?"}sslmode=${mode}`

  it.effect.each(inside)("may be plain on this machine: %s", (url) =>
    Effect.map(read({ DATABASE_URL: url }), (config) => expect(Redacted.value(config.databaseUrl)).toBe(url)))

  it.effect.each(outside)("must be encrypted outside this machine: %s", (url) =>
    Effect.gen(function*() {
      for (const weak of [url, ...["disable", "allow", "prefer", "", "REQUIRE"].map((mode) => withMode(url, mode))]) {
        const line = yield* lineOf({ DATABASE_URL: weak })
        expect(line).toMatch(/^DATABASE_URL: .+ is outside this machine, so the connection must be encrypted; add sslmode=verify-full$/)
        expect(line).not.toContain("overa:")
      }
      for (const mode of ["require", "verify-ca", "verify-full"]) yield* read({ DATABASE_URL: withMode(url, mode) })
      expect(yield* lineOf({ DATABASE_URL: withMode(withMode(url, "require"), "disable") })).toContain("must be encrypted")
    }))

  it.effect("is refused where it is no address of PostgreSQL", () =>
    Effect.gen(function*() {
      for (const url of ["database", "http://localhost/overa", "postgres:/overa", "mysql://localhost/overa"]) {
        expect(yield* lineOf({ DATABASE_URL: url })).toBe("DATABASE_URL must be an address as postgres://user:password@host:5432/database")
      }
    }))

  it("is plain to no name that is not this machine's, whatever the login looks like", () =>
    fc.assert(fc.property(fc.domain(), fc.string({ unit: "grapheme-ascii" }), (host, password) => {
      const url = `postgres://overa:${encodeURIComponent(password)}@${host}/overa`
      expect(Effect.runSync(lineOf({ DATABASE_URL: url }))).toContain(`${host} is outside this machine`)
    })))

  it.effect("trusts the roots of a file, which must be there", () =>
    Effect.gen(function*() {
      const file = join(mkdtempSync(join(tmpdir(), "overa-kit-")), "roots.pem")
      writeFileSync(file, rootCertificates.slice(0, 2).join("\n"))
      expect((yield* read({ OVERA_DATABASE_CA_FILE: file })).databaseTrustAnchors).toBe(rootCertificates.slice(0, 2).join("\n"))
      for (const text of ["roots", "", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", `${rootCertificates[0]}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`]) {
        writeFileSync(file, text)
        expect(yield* lineOf({ OVERA_DATABASE_CA_FILE: file })).toBe(`OVERA_DATABASE_CA_FILE: the file ${file} holds no readable certificate`)
      }
      expect(yield* lineOf({ OVERA_DATABASE_CA_FILE: "/nowhere.pem" })).toBe("OVERA_DATABASE_CA_FILE: the file /nowhere.pem cannot be read")
    }))
})

describe("the credential key", () => {
  it.effect("may be followed by former ones", () =>
    Effect.gen(function*() {
      const [one, two, three] = [key(), key(), key()]
      const config = yield* read({ OVERA_CREDENTIAL_KEY: `${one},${two},${three}` })
      const text = (of: Redacted.Redacted<Uint8Array>) => Buffer.from(Redacted.value(of)).toString("base64")
      expect(text(config.credentialKey)).toBe(one)
      expect((config.formerCredentialKeys ?? []).map(text)).toEqual([two, three])
    }))

  it.effect("is refused where other text than base64 stands in it, and is not shown", () =>
    Effect.gen(function*() {
      for (const wrong of [`${key()};${key()}`, `${key()} ${key()}`, `${key()}abc`, key().replace(/^(.{10})/, "$1!*"), `${key().slice(0, 42)}B`]) {
        expect(yield* lineOf({ OVERA_CREDENTIAL_KEY: wrong })).toBe("OVERA_CREDENTIAL_KEY is not written in base64; several keys are separated by commas")
      }
      yield* read({ OVERA_CREDENTIAL_KEY: `${key()}, ${key().replace("=", "")}` })
    }))

  it.effect("must have 32 bytes, each of them", () =>
    Effect.gen(function*() {
      expect(yield* lineOf({ OVERA_CREDENTIAL_KEY: `${key()},` })).toBe("OVERA_CREDENTIAL_KEY must be 32 bytes in base64; it has 0")
      expect(yield* lineOf({ OVERA_CREDENTIAL_KEY: "" })).toBe("OVERA_CREDENTIAL_KEY is missing")
    }))
})
