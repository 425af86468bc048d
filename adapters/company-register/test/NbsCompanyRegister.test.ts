import { CompanyRegister } from "@overa/domain"
import { Effect, Option, Redacted } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { NbsCompanyRegister, startStandIn, type RunningStandIn } from "../src/index.ts"

const login = { userName: "overa", password: "pa<ss>&word", licenceId: "5d1f0c2e-0000-4000-8000-000000000001" }
const company = {
  taxIdentifier: "100000008",
  registrationNumber: "07000001",
  name: "КЊИЖАРА & СИНОВИ <ДОО>",
  address: "Кнез Михаилова 1",
  city: "Београд"
}

let running: Array<{ readonly stop: () => Promise<void> }> = []
afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()))
  running = []
})

const standIn = async (options?: { readonly delayMillis?: number }): Promise<RunningStandIn> => {
  const server = await startStandIn(login, [company], options)
  running.push(server)
  return server
}

const answering = async (status: number, body: string): Promise<string> => {
  const server = createServer((_, outgoing) => outgoing.writeHead(status).end(body))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  running.push({ stop: () => new Promise((resolve) => server.close(() => resolve())) })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const lookups = (url: string, asked: ReadonlyArray<string>, config: { readonly password?: string; readonly timeoutMillis?: number } = {}) =>
  Effect.runPromise(
    Effect.gen(function*() {
      const register = yield* CompanyRegister
      return yield* Effect.forEach(asked, (taxIdentifier) => register.lookup(taxIdentifier), { concurrency: 8 })
    }).pipe(Effect.provide(NbsCompanyRegister.layer({
      url,
      userName: login.userName,
      password: Redacted.make(config.password ?? login.password),
      licenceId: login.licenceId,
      ...(config.timeoutMillis === undefined ? {} : { timeoutMillis: config.timeoutMillis })
    })))
  )

describe("the company register", () => {
  it("finds a company by its tax identifier, once for all its accounts", async () => {
    const server = await standIn()
    const [found] = await lookups(server.url, ["100000008"])
    expect(Option.getOrThrow(found ?? Option.none())).toMatchObject({
      legalName: "КЊИЖАРА & СИНОВИ <ДОО>",
      taxIdentifier: "100000008",
      registrationNumber: "07000001",
      address: "Кнез Михаилова 1",
      city: "Београд",
      source: "NBS"
    })
  })

  it("asks once for questions that come together, and keeps the answer", async () => {
    const server = await standIn({ delayMillis: 50 })
    const found = await lookups(server.url, ["100000008", "100000008", "100000008"])
    expect(found.every(Option.isSome)).toBe(true)
    expect(server.questions()).toBe(1)
  })

  it("knows of no company that the register does not know", async () => {
    const server = await standIn()
    expect(await lookups(server.url, ["101883300"])).toEqual([Option.none()])
  })

  it("is stood in for by a server that outlives a question that is no XML", async () => {
    const { url } = await standIn()
    for (const body of ["<", "<!--", ""]) expect((await fetch(url, { method: "POST", body })).status).toBe(500)
    expect((await lookups(url, ["100000008"])).every(Option.isSome)).toBe(true)
  })

  const silences: ReadonlyArray<readonly [string, () => Promise<string>, { password?: string; timeoutMillis?: number }]> = [
    ["a wrong login", async () => (await standIn()).url, { password: "wrong" }],
    ["a fault", () => answering(500, "<html>error</html>"), {}],
    ["an error page with status 200", () => answering(200, "<!DOCTYPE html><h3>down</h3>"), {}],
    ["broken XML", () => answering(200, "<soap:Envelope><soap:Body>"), {}],
    ["nothing", () => answering(200, ""), {}],
    ["a huge answer", () => answering(200, "x".repeat(1_100_000)), {}],
    ["nobody there", async () => "http://127.0.0.1:1/", {}],
    ["silence", async () => (await standIn({ delayMillis: 5_000 })).url, { timeoutMillis: 50 }]
  ]

  it.each(silences)("is silent, not failing, for %s", async (_what, start, config) => {
    expect(await lookups(await start(), ["100000008"], config)).toEqual([Option.none()])
  })
})
