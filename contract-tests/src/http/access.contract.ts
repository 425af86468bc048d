import { type Operation, operations } from "@overa/rest-api"
import { SignJWT } from "jose"
import { randomUUID } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { type ApiAnswer, ApiClient } from "../support/ApiClient.ts"
import type { ApiTarget, MintedClaims } from "./ApiTarget.ts"
import { callOperation } from "./callOperation.ts"

const everyScope = [...new Set(operations.flatMap(({ scope }) => scope === null ? [] : [scope]))].join(" ")

/**
 * Every operation with every token that must be refused, generated from the declarations, so that a new operation is covered as soon as it is
 * declared. Needs a deployment that lets the suites mint tokens. Source: Decisions §§1, 7, 10.
 */
export const accessContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: access`, () => {
    let api: ApiClient
    beforeAll(async () => {
      api = await ApiClient.of(await start())
    })
    const call = (operation: Operation, token: string | undefined) => callOperation(api, operation, token)
    const mint = (claims: Partial<MintedClaims>): Promise<string> => {
      if (api.target.mint === undefined) throw new Error("This deployment mints no tokens.")
      return api.target.mint({ clientId: api.target.clientId, organizationId: api.target.organizationId, scope: everyScope, ...claims })
    }
    const expectUnauthenticated = (answer: ApiAnswer) => {
      expect(answer.status).toBe(401)
      expect(answer.json.code).toBe("UNAUTHENTICATED")
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer( error="invalid_token", error_description="[^"]+")?$/)
    }
    it("tells who sent a token why it was refused, and who sent none the scheme alone (RFC 6750 §3)", async () => {
      const [operation] = operations
      if (operation === undefined) throw new Error("There is no operation.")
      expect((await call(operation, undefined)).headers.get("www-authenticate")).toBe("Bearer")
      expect((await call(operation, "abc.def.ghi")).headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token"/)
    })
    const refusedTokens: ReadonlyArray<readonly [string, () => Promise<string | undefined>]> = [
      ["no token", async () => undefined],
      ["an expired token", () => mint({ expiresInSeconds: -1 })],
      ["a token for another audience", () => mint({ audience: "another-api" })],
      ["a token of another issuer", () => mint({ issuer: "https://elsewhere.example" })],
      ["a token signed with another key", () => mint({ key: "foreign" })],
      ["a token without an organization", () => mint({ organizationId: "" })],
      ["an unsigned token", async () => unsigned(await mint({}))],
      ["a token signed with HS256 under the public key", async () => hs256(await mint({}), await publicKeyText(api.target))],
      ["a token whose claims were changed", async () => altered(await mint({}))],
      ["something that is no token", async () => "abc.def.ghi"]
    ]

    describe.each(operations.map((operation) => [operation.id, operation] as const))("%s", (_id, operation) => {
      it.each(refusedTokens)("[proves:UNAUTHENTICATED] answers 401 to %s", async (_what, token) => {
        expectUnauthenticated(await call(operation, await token()))
      })
    })

    it.each(operations.filter(({ scope }) => scope !== null).map((operation) => [operation.id, operation] as const))(
      "[proves:INSUFFICIENT_SCOPE] %s names the missing scope to a token that has every other",
      async (_id, operation) => {
        const scope = everyScope.split(" ").filter((one) => one !== operation.scope).join(" ")
        const answer = await call(operation, await mint({ scope }))
        expect(answer.status).toBe(403)
        expect(answer.json).toMatchObject({ code: "INSUFFICIENT_SCOPE", scope: operation.scope })
        expect(answer.headers.get("www-authenticate")).toContain(`error="insufficient_scope"`)
      }
    )

    it.each(operations.filter(({ needsEnvironment }) => needsEnvironment).map((operation) => [operation.id, operation] as const))(
      "%s refuses a token without an environment",
      async (_id, operation) => {
        const answer = await call(operation, await mint({ environment: null }))
        expect([answer.status, answer.json.code]).toEqual([403, "CREDENTIAL_ENVIRONMENT_REQUIRED"])
      }
    )
  })

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")

const unsigned = (token: string): string => `${base64({ alg: "none", typ: "JWT" })}.${token.split(".")[1] ?? ""}.`

const altered = (token: string): string => {
  const [header = "", claims = "", signature = ""] = token.split(".")
  const changed = { ...JSON.parse(Buffer.from(claims, "base64url").toString()) as object, org_id: randomUUID() }
  return `${header}.${base64(changed)}.${signature}`
}

/** The public key used as a shared secret: a verifier that trusts the token's own `alg` would accept it. */
const hs256 = (token: string, secret: string): Promise<string> => {
  const [header = "", claims = ""] = token.split(".")
  const { kid } = JSON.parse(Buffer.from(header, "base64url").toString()) as { readonly kid: string }
  return new SignJWT(JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<string, unknown>)
    .setProtectedHeader({ alg: "HS256", kid }).sign(new TextEncoder().encode(secret))
}

const publicKeyText = async (target: ApiTarget): Promise<string> => {
  const keys = await fetch(new URL("/oauth/jwks.json", target.baseUrl))
  return await keys.text()
}
