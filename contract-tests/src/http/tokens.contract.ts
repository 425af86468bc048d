import { randomUUID } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import type { ApiTarget } from "./ApiTarget.ts"

type Form = Readonly<Record<string, string>>

/** The token endpoint. Source: Spec, Authentication 1, 2, 4; RFC 6749; Decisions §7, §10. */
export const tokensContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: tokens`, () => {
    let target: ApiTarget
    beforeAll(async () => {
      target = await start()
    })
    const ask = async (form: Form | string, headers: Form = {}) => {
      const response = await fetch(target.authUrl, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
        body: typeof form === "string" ? form : new URLSearchParams(form).toString()
      })
      // oxlint-disable-next-line typescript/no-explicit-any
      return { status: response.status, headers: response.headers, json: await response.json() as any }
    }
    const form = () => ({ grant_type: "client_credentials", client_id: target.clientId, client_secret: target.clientSecret })
    const basic = (id: string, secret: string) => ({ Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` })

    it("grants a token with exactly the fields of the specification, in its order, never to be cached", async () => {
      const answer = await ask(form())
      expect(answer.status).toBe(200)
      expect(Object.keys(answer.json)).toEqual([
        "access_token",
        "expires_in",
        "refresh_expires_in",
        "token_type",
        "not-before-policy",
        "scope"
      ])
      expect(answer.json).toMatchObject({ expires_in: 300, refresh_expires_in: 0, token_type: "Bearer", "not-before-policy": 0 })
      expect(answer.json.scope.split(" ")).toHaveLength(12)
      expect(answer.headers.get("cache-control")).toBe("no-store")
    })

    it("puts organization and environment into the token", async () => {
      const { json } = await ask(form())
      const claims = JSON.parse(Buffer.from(json.access_token.split(".")[1], "base64url").toString())
      expect(claims).toMatchObject({ org_id: target.organizationId, svc_env: "sandbox", azp: target.clientId })
      expect(claims.exp - claims.iat).toBe(300)
    })

    it("leaves the environment out for a credential that has none", async () => {
      const { json } = await ask({
        grant_type: "client_credentials",
        client_id: target.noEnvironment.clientId,
        client_secret: target.noEnvironment.clientSecret
      })
      const claims = JSON.parse(Buffer.from(json.access_token.split(".")[1], "base64url").toString())
      expect(claims).not.toHaveProperty("svc_env")
    })

    it("takes HTTP Basic too", async () => {
      const answer = await ask({ grant_type: "client_credentials" }, basic(target.clientId, target.clientSecret))
      expect(answer.status).toBe(200)
    })

    it("narrows the token to the scopes asked for", async () => {
      const answer = await ask({ ...form(), scope: "fiscal:read operations:read" })
      expect(answer.json.scope).toBe("fiscal:read operations:read")
    })

    it("refuses a scope the credential does not have", async () => {
      const answer = await ask({ ...form(), scope: "fiscal:read everything" })
      expect([answer.status, answer.json.error]).toEqual([400, "invalid_scope"])
    })

    it("answers a wrong secret and an unknown client alike", async () => {
      const wrong = await ask({ ...form(), client_secret: "wrong" })
      const unknown = await ask({ ...form(), client_id: `svc-sbx-${randomUUID()}` })
      expect([wrong.status, wrong.json.error]).toEqual([401, "invalid_client"])
      expect(unknown.json).toEqual(wrong.json)
      expect(unknown.status).toBe(401)
    })

    it("names the scheme with every 401, however the client authenticated", async () => {
      expect((await ask({ ...form(), client_secret: "wrong-secret" })).headers.get("www-authenticate")).toMatch(/^Basic realm="[^"]+"$/)
    })

    it("says where tokens and their keys are to who knows the address alone (RFC 8414)", async () => {
      const answer = await fetch(`${target.baseUrl}/.well-known/oauth-authorization-server`)
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"])
      const metadata = await answer.json() as { readonly [member: string]: unknown }
      expect(metadata).toMatchObject({ token_endpoint: target.authUrl, grant_types_supported: ["client_credentials"] })
      const keys = await (await fetch(metadata["jwks_uri"] as string)).json() as { readonly keys: ReadonlyArray<object> }
      expect(keys.keys.length).toBeGreaterThan(0)
      for (const key of keys.keys) expect(Object.keys(key)).not.toContain("d")
    })

    it("names the scheme to a client that used Basic", async () => {
      const answer = await ask({ grant_type: "client_credentials" }, basic(target.clientId, "wrong"))
      expect(answer.status).toBe(401)
      expect(answer.headers.get("www-authenticate")).toMatch(/^Basic/)
    })

    it.each([
      ["no grant type", "client_id=a&client_secret=b", "invalid_request"],
      ["another grant type", "grant_type=password", "unsupported_grant_type"],
      ["a repeated parameter", "grant_type=client_credentials&grant_type=client_credentials", "invalid_request"]
    ])("refuses %s", async (_what, body, error) => {
      const answer = await ask(body)
      expect([answer.status, answer.json.error]).toEqual([400, error])
    })

    it("refuses two ways of authentication at once", async () => {
      const answer = await ask(form(), basic(target.clientId, target.clientSecret))
      expect([answer.status, answer.json.error]).toEqual([400, "invalid_request"])
    })

    it("refuses a body that is no form", async () => {
      const answer = await ask("{}", { "Content-Type": "application/json" })
      expect([answer.status, answer.json.error]).toEqual([400, "invalid_request"])
    })

    it("slows down who guesses, for that client from that address alone", async () => {
      const victim = `svc-sbx-${randomUUID()}`
      const guess = () => ask({ ...form(), client_id: victim, client_secret: "guess" })
      for (let round = 0; round < 5; round++) expect((await guess()).status).toBe(401)
      const slowed = await guess()
      expect([slowed.status, slowed.json.error]).toEqual([429, "invalid_client"])
      expect(Number(slowed.headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
      expect((await ask(form())).status).toBe(200)
    })
  })
