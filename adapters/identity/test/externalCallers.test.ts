import { Effect, Exit } from "effect"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { randomUUID } from "node:crypto"
import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Callers } from "../src/Callers.ts"
import { externalCallers } from "../src/externalCallers.ts"

const organizationId = randomUUID()

/** An identity server of Keycloak's shape: several keys in its set, its own scopes and an audience list in its tokens. */
describe("callers of an external issuer", () => {
  let server: Server
  let url: string
  let answers: { status: number; fetched: number; instead: ((response: ServerResponse) => unknown) | null }
  let sign: (claims?: Readonly<Record<string, unknown>>, expiresIn?: number) => Promise<string>

  beforeAll(async () => {
    const key = await generateKeyPair("RS256", { extractable: true })
    const encryption = await generateKeyPair("RSA-OAEP", { extractable: true })
    const keys = [
      { ...await exportJWK(encryption.publicKey), kid: "enc", use: "enc", alg: "RSA-OAEP" },
      { ...await exportJWK(key.publicKey), kid: "sig-1", use: "sig", alg: "RS256" }
    ]
    answers = { status: 200, fetched: 0, instead: null }
    server = createServer((_request, response) => {
      answers.fetched++
      if (answers.instead !== null) return answers.instead(response)
      response.writeHead(answers.status, { "Content-Type": "application/json" }).end(JSON.stringify({ keys }))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    sign = (claims = {}, expiresIn = 300) => {
      const now = Math.floor(Date.now() / 1_000)
      return new SignJWT({
        org_id: organizationId,
        svc_env: "sandbox",
        scope: "profile email fiscal:read operations:read",
        azp: "svc-sbx-1",
        typ: "Bearer",
        iat: now,
        ...claims
      })
        .setProtectedHeader({ alg: "RS256", kid: "sig-1", typ: "JWT" })
        .setIssuer(url).setAudience(["account", "fiscal"]).setExpirationTime(now + expiresIn).sign(key.privateKey)
    }
  })
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))

  const callers = () => externalCallers({ issuer: url, audience: "fiscal", jwksUrl: new URL(`${url}/certs`) })
  const authenticate = (token: string) =>
    Effect.runPromiseExit(Effect.flatMap(Callers, (service) => service.authenticate(token)).pipe(Effect.provide(callers())))
  const errorOf = async (token: string): Promise<string> => {
    const exit = await authenticate(token)
    if (Exit.isSuccess(exit)) return "accepted"
    const [reason] = exit.cause.reasons
    return reason !== undefined && "error" in reason ? (reason.error as { readonly _tag: string })._tag : "defect"
  }

  it("reads organization, environment, client and our scopes from its tokens", async () => {
    const exit = await authenticate(await sign())
    if (Exit.isFailure(exit)) throw new Error(String(exit.cause))
    expect(exit.value).toEqual({
      organizationId,
      environment: "sandbox",
      clientId: "svc-sbx-1",
      scopes: new Set(["fiscal:read", "operations:read"]),
      premises: null
    })
  })

  it("accepts a token without an environment as one", async () => {
    const exit = await authenticate(await sign({ svc_env: undefined }))
    expect(Exit.isSuccess(exit) && exit.value.environment).toBeNull()
  })

  it.each([
    ["an unknown environment", { svc_env: "staging" }],
    ["no organization", { org_id: undefined }],
    ["an organization that is no UUID", { org_id: "prodavnica" }],
    ["no client", { azp: undefined }]
  ])("refuses a token with %s", async (_what, claims) => {
    expect(await errorOf(await sign(claims))).toBe("TokenRefused")
  })

  it("refuses an expired token", async () => {
    expect(await errorOf(await sign({}, -60))).toBe("TokenRefused")
  })

  it("refuses a token that lives longer than an hour, counted from its issue or from now", async () => {
    const now = Math.floor(Date.now() / 1_000)
    expect(await errorOf(await sign({}, 3_601))).toBe("TokenRefused")
    expect(await errorOf(await sign({ jti: randomUUID() }, 3_590))).toBe("accepted")
    expect(await errorOf(await sign({ iat: now + 86_400 }, 86_700))).toBe("TokenRefused")
    expect(await errorOf(await sign({ iat: undefined }))).toBe("TokenRefused")
  })

  it("asks for the keys once for many tokens", async () => {
    const before = answers.fetched
    const tokens = await Promise.all(Array.from({ length: 20 }, () => sign({ jti: randomUUID() })))
    await Effect.runPromise(
      Effect.flatMap(Callers, (service) => Effect.forEach(tokens, (token) => service.authenticate(token), { concurrency: "unbounded" }))
        .pipe(Effect.provide(callers()))
    )
    expect(answers.fetched - before).toBe(1)
  })

  it("calls itself unavailable, not the token wrong, while the keys cannot be fetched", async () => {
    answers.status = 500
    expect(await errorOf(await sign())).toBe("StoreUnavailable")
    answers.status = 200
  })

  it.each([
    ["is no key set", (response: ServerResponse) => response.end("[]")],
    ["is no JSON", (response: ServerResponse) => response.end("<html>")],
    ["leads elsewhere", (response: ServerResponse) => response.writeHead(302, { Location: "http://127.0.0.1:1/" }).end()],
    ["breaks off", (response: ServerResponse) => {
      response.writeHead(200, { "Content-Length": "1000" }).write("{")
      setTimeout(() => response.destroy(), 50)
    }],
    ["is larger than any key set", (response: ServerResponse) => response.end(" ".repeat(1_100_000))]
  ])("calls itself unavailable where the issuer's answer %s", async (_what, answer) => {
    answers.instead = answer
    expect(await errorOf(await sign())).toBe("StoreUnavailable")
    answers.instead = null
  })
})
