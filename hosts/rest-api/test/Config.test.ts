import { ConfigProvider, Effect, Exit, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { restApiConfig } from "../src/Config.ts"

const good = {
  DATABASE_URL: "postgres://overa@localhost/overa",
  OVERA_SECRET_KEYS: `k1:${randomBytes(32).toString("base64")}`,
  OVERA_CREDENTIAL_KEY: randomBytes(32).toString("base64")
}

const read = (environment: Readonly<Record<string, string | undefined>>) =>
  Effect.runPromiseExit(
    restApiConfig.pipe(Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(environment)))
  )

const problemOf = async (environment: Readonly<Record<string, string | undefined>>): Promise<string> => {
  const exit = await read(environment)
  return Exit.isFailure(exit) ? String(exit.cause.reasons.map((reason) => "error" in reason ? (reason.error as Error).message : "")) : "none"
}

describe("the host's configuration", () => {
  it("starts from three secrets, with sane defaults", async () => {
    const exit = await read(good)
    if (Exit.isFailure(exit)) throw new Error(String(exit.cause))
    expect(exit.value).toMatchObject({ port: 8_080, baseUrl: null, vpfr: {}, trustProxy: null })
    expect(exit.value.identity).toEqual({ issuer: "overa", audience: "overa-api", external: null })
    expect(Redacted.value(exit.value.credentialKey)).toHaveLength(32)
  })

  it("says nothing of its secrets when printed", async () => {
    const exit = await read(good)
    expect(JSON.stringify(exit)).not.toContain(good.OVERA_CREDENTIAL_KEY)
    expect(JSON.stringify(exit)).not.toContain("postgres://")
  })

  it.each([
    ["DATABASE_URL is missing", { DATABASE_URL: undefined }],
    ["OVERA_SECRET_KEYS is missing", { OVERA_SECRET_KEYS: "" }],
    ["OVERA_CREDENTIAL_KEY must be 32 bytes in base64; it has 3", { OVERA_CREDENTIAL_KEY: "c2hv" }],
    ["PORT must be a whole number from 0 to 65535, not \"80a\"", { PORT: "80a" }],
    ["PORT must be a whole number from 0 to 65535, not \"70000\"", { PORT: "70000" }],
    ["OVERA_BASE_URL must be an http or https address, not \"api.shop.rs\"", { OVERA_BASE_URL: "api.shop.rs" }],
    ["OVERA_TRUST_PROXY must be true, false, or addresses and networks separated by commas, not \"yes\"", { OVERA_TRUST_PROXY: "yes" }],
    ["OVERA_TRUST_PROXY must be true, false, or addresses and networks separated by commas, not \"10.0.0.0/33\"", { OVERA_TRUST_PROXY: "10.0.0.0/33" }],
    ["OVERA_VPFR_SANDBOX_CA_FILE is missing", { OVERA_VPFR_SANDBOX_URL: "https://vsdc.example" }],
    ["OVERA_VPFR_PRODUCTION_CA_FILE: the file /nowhere.pem cannot be read", {
      OVERA_VPFR_PRODUCTION_URL: "https://vsdc.example",
      OVERA_VPFR_PRODUCTION_CA_FILE: "/nowhere.pem"
    }],
    ["OVERA_NBS_PASSWORD is missing", { OVERA_NBS_URL: "https://webservices.nbs.rs", OVERA_NBS_USER_NAME: "overa" }],
    ["DATABASE_URL must be an address as postgres://user:password@host:5432/database", { DATABASE_URL: "postgres://u:p@%zz/overa?sslmode=require" }],
    ["OVERA_BASE_URL must be an http or https address, not \"https://api.shop.rs/\\n\"", { OVERA_BASE_URL: "https://api.shop.rs/\n" }],
    ["OVERA_BASE_URL must not contain a query (?…)", { OVERA_BASE_URL: "https://api.shop.rs/?a=secret" }],
    ["OVERA_BASE_URL must not contain a query (?…)", { OVERA_BASE_URL: "https://api.shop.rs/?" }],
    ["OVERA_BASE_URL must not contain a fragment (#…)", { OVERA_BASE_URL: "https://api.shop.rs/#x" }],
    ["OVERA_BASE_URL must not contain a user or a password", { OVERA_BASE_URL: "https://user:secret@api.shop.rs" }],
    ["OVERA_BASE_URL must be an http or https address", { OVERA_BASE_URL: "htps://user:secret@api.shop.rs" }],
    ["OVERA_BASE_URL must be an http or https address, not \"https:/api.shop.rs\"", { OVERA_BASE_URL: "https:/api.shop.rs" }],
    ["OVERA_VPFR_SANDBOX_URL must not contain a user or a password", { OVERA_VPFR_SANDBOX_URL: "https://user:secret@vsdc.example" }],
    ["OVERA_AUTH_JWKS_URL must not contain a user or a password", { OVERA_AUTH_JWKS_URL: "https://user:secret@id.example/certs" }],
    ["OVERA_CONTACT_EMAIL must be an e-mail address, not \"the office\"", { OVERA_CONTACT_EMAIL: "the office" }],
    ["OVERA_SECURITY_CONTACT must be an e-mail address or an https address, not \"a@b.rs\\nCanonical: x\"", { OVERA_SECURITY_CONTACT: "a@b.rs\nCanonical: x" }],
    ["OVERA_AUTH_TOKEN_URL must be an https address outside this machine, not \"http://id.example/token\"", {
      OVERA_AUTH_JWKS_URL: "https://id.example/certs",
      OVERA_AUTH_TOKEN_URL: "http://id.example/token"
    }],
    ["OVERA_AUTH_TOKEN_URL is missing", { OVERA_AUTH_JWKS_URL: "https://id.example/certs" }]
  ])("ends with one line: %s", async (line, change) => {
    expect(await problemOf({ ...good, ...change })).toBe(line)
  })

  it("trusts an external issuer when told its keys", async () => {
    const exit = await read({
      ...good,
      OVERA_AUTH_JWKS_URL: "https://id.example/certs?p=policy",
      OVERA_AUTH_TOKEN_URL: "https://id.example/token?p=policy",
      OVERA_AUTH_ISSUER: "https://id.example/realms/overa",
      OVERA_AUTH_AUDIENCE: "fiscal"
    })
    if (Exit.isFailure(exit)) throw new Error(String(exit.cause))
    expect(exit.value.identity).toMatchObject({ issuer: "https://id.example/realms/overa", audience: "fiscal" })
    expect(exit.value.identity.external?.tokenUrl).toBe("https://id.example/token?p=policy")
  })
})
