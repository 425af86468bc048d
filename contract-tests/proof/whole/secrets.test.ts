import { readPfx } from "@overa/adapter-vpfr"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type WholeInstallation, wholeInstallation } from "../../src/support/wholeInstallation.ts"

const buyerId = "10:100000081"
const buyersNumber = "100000081"
const email = "kupac.petrovic@example.rs"
const wrongSecret = "wrong-secret-0123456789abcdef"

let installation: WholeInstallation
let token: string
/** Everything that the services wrote for readers other than the caller and the V-PFR: logs, error bodies, metrics, readiness, traces. */
const written: Array<string> = []

const ask = async (path: string, options: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string } = {}) => {
  const answer = await fetch(installation.api.url + path, options)
  const text = await answer.text()
  if (answer.status >= 400 || path === "/metrics" || path.startsWith("/health")) written.push(text)
  return { status: answer.status, text }
}

const sale = (changes: Readonly<Record<string, unknown>> = {}) => ({
  taxpayerId: installation.shop.taxpayerId,
  businessPremiseId: installation.shop.businessPremiseId,
  clientReference: `order of ${email}`,
  invoiceType: "NORMAL",
  transactionType: "SALE",
  cashier: { id: "web" },
  buyer: { id: buyerId },
  items: [{ name: "Књига", unitOfMeasure: "ком", quantity: 1, unitPrice: 100, taxLabels: ["A"] }],
  payments: [{ type: "CARD", amount: 100 }],
  metadata: { email },
  ...changes
})

let keys = 0
const post = (body: unknown, bearer = token) =>
  ask("/v1/fiscal-documents", {
    method: "POST",
    headers: { Authorization: `Bearer ${bearer}`, "Content-Type": "application/json", "Idempotency-Key": `secrets-test-key-${keys += 1}` },
    body: typeof body === "string" ? body : JSON.stringify(body)
  })

const grant = (clientSecret: string) =>
  fetch(installation.api.authUrl, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials", client_id: installation.shop.clientId, client_secret: clientSecret })
  })

beforeAll(async () => {
  installation = await wholeInstallation()
  token = (await (await grant(installation.shop.clientSecret)).json() as { readonly access_token: string }).access_token
})
afterAll(() => installation.close())

/** Everything that could make a service reveal a secret: success, and every kind of failure, of the caller, of the V-PFR, of the store. */
const provoke = async () => {
  const { simulator } = installation.desk
  expect((await post(sale())).status).toBe(201)
  expect((await post(sale({ items: [] }))).status).toBe(422)
  expect((await post(sale({ surprise: { email, secret: wrongSecret } }))).status).toBe(422)
  expect((await post(`{"buyer":{"id":"${buyerId}"},`)).status).toBe(400)
  expect((await post(sale(), `${token.slice(0, -4)}AAAA`)).status).toBe(401)
  written.push(await (await grant(wrongSecret)).text())
  for (const fault of ["reset-mid-request", "html-page", "truncate-answer", "foreign-answer", "wrong-amount"] as const) {
    await simulator.addFault({ fault, times: 1 })
    await post(sale())
  }
  await simulator.addFault({ fault: "status", code: 401, times: 1 })
  await post(sale())
  await simulator.addFault({ fault: "reject", times: 1, modelState: [{ property: "buyerId", errors: ["2807"] }] })
  await post(sale())
  await ask(`/v1/fiscal-documents/${buyersNumber}`, { headers: { Authorization: `Bearer ${token}` } })
  await ask(`/${email}`)
  for (const path of ["/metrics", "/health/ready", "/health/live"]) expect((await ask(path)).status).toBe(200)
  const client = await installation.desk.database.client()
  await client.query("alter table operations rename to operations_away")
  expect((await post(sale())).status).toBeGreaterThanOrEqual(500)
  await client.query("alter table operations_away rename to operations")
}

describe("Secrets and personal data", () => {
  beforeAll(async () => {
    await provoke()
    await installation.stopHosts()
    written.push(...installation.log, installation.traces.received(), installation.desk.written().replaceAll(installation.shop.clientSecret, ""))
  }, 120_000)

  it("the suites made the services write enough to judge by", () => {
    expect(installation.log.length).toBeGreaterThan(15)
    expect(installation.traces.received()).toContain("submitReserved")
    expect(written.join("\n").length).toBeGreaterThan(20_000)
  })

  it("none of the secrets is in logs, error bodies, metrics, readiness, traces or the operator's output", async () => {
    const { element, settings, shop } = installation
    const { privateKeyPem } = await Effect.runPromise(readPfx(element.pfx, Redacted.make(element.password)))
    const [, keyLine = ""] = privateKeyPem.split("\n")
    const secrets = {
      "private key": keyLine,
      "PEM of a private key": "PRIVATE KEY",
      PAC: element.pac,
      "PFX password": element.password,
      "client secret": shop.clientSecret,
      "access token": token,
      "signature of the token": token.split(".")[2] ?? "",
      "encryption key": settings["OVERA_SECRET_KEYS"]?.slice(4) ?? "",
      "credential key": settings["OVERA_CREDENTIAL_KEY"] ?? "",
      "database password": new URL(settings["DATABASE_URL"] ?? "").password,
      "wrong secret somebody tried": wrongSecret
    }
    const everything = written.join("\n")
    const found = Object.entries(secrets).filter(([, secret]) => secret.length < 6 || everything.includes(secret)).map(([name]) => name)
    expect(found).toEqual([])
  })

  it("no buyer and no e-mail address is in logs, metrics or traces", () => {
    const kept = [...installation.log, installation.traces.received(), ...written.filter((text) => text.includes("# TYPE"))].join("\n")
    expect([buyersNumber, email, "kupac.petrovic"].filter((personal) => kept.includes(personal))).toEqual([])
  })
})
