import { type Environment, Installation, type InstallationFigures, InstallationOversight, StoreUnavailable } from "@overa/domain"
import { VpfrContacts } from "@overa/adapter-vpfr"
import { Effect, type Exit, Layer, ManagedRuntime } from "effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { operationalAnswers } from "../src/operational/operationalAnswers.ts"
import { serveOperational } from "../src/operational/serveOperational.ts"

const figures: InstallationFigures = {
  elements: [],
  certificates: [],
  unresolved: [],
  searchesDue: 4,
  atRest: 0,
  openAttention: 0,
  counterGaps: 0,
  unreadable: 0,
  poolElements: 0,
  deliveries: { queued: 0, waitingSince: null, sent: 0, failed: [] }
}

/** A store and a V-PFR that the test takes away. */
const world = { storeUp: true, failing: [] as VpfrContacts["Service"]["failing"] }

const storeAnswer = <A>(value: A) => Effect.suspend(() => world.storeUp ? Effect.succeed(value) : new StoreUnavailable({ committed: "no", cause: "away" }))

const runtime = ManagedRuntime.make(Layer.mergeAll(
  Layer.mock(InstallationOversight, { figures: storeAnswer(figures), pendingMigrations: storeAnswer([]) }),
  Layer.mock(Installation, {
    hostId: "host",
    bootId: "boot",
    settings: (environment: Environment) =>
      Effect.succeed({ adapterConfigured: environment === "sandbox", trafficEnabled: true, esirNumber: "1/1", restoring: false } as never)
  }),
  Layer.succeed(VpfrContacts, {
    get counts() {
      return [{ environment: "sandbox" as const, result: "certificate" as const, count: 3 }]
    },
    get failing() {
      return world.failing
    }
  })
))

const answersOf = (reasons: ReadonlyArray<string> = []) =>
  operationalAnswers({
    run: <A, E>(effect: Effect.Effect<A, E, Installation>) => runtime.runPromiseExit(effect) as Promise<Exit.Exit<A, E>>,
    isStopping: () => false,
    metrics: () => "own 1\n",
    reasons: () => reasons
  })

beforeEach(() => {
  Object.assign(world, { storeUp: true, failing: [] })
  vi.useFakeTimers({ toFake: ["Date", "performance"] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe("metrics", () => {
  it("are 0 and not absent while there is nothing to count", async () => {
    const { body } = await answersOf()["/metrics"]()
    for (const series of [
      "overa_store_up 1",
      "overa_searches_due 4",
      "overa_unresolved_operations{environment=\"production\",status=\"OUTCOME_UNKNOWN\"} 0",
      "overa_oldest_unresolved_seconds{environment=\"sandbox\",status=\"RECONCILING\"} 0",
      "overa_security_elements{environment=\"sandbox\",status=\"ACTIVE\"} 0",
      "overa_certificates_ending{environment=\"production\"} 0",
      "overa_vpfr_contacts_total{environment=\"sandbox\",result=\"certificate\"} 3",
      "own 1"
    ]) expect(body.split("\n")).toContain(series)
  })

  it("keep the installation's last figures while the store does not answer, and say how old they are", async () => {
    const answers = answersOf()
    await answers["/metrics"]()
    world.storeUp = false
    vi.advanceTimersByTime(30_000)
    const { body } = await answers["/metrics"]()
    expect(body.split("\n")).toEqual(expect.arrayContaining(["overa_store_up 0", "overa_searches_due 4", "overa_figures_age_seconds 30"]))
  })

  it("claim nothing of a store that never answered", async () => {
    world.storeUp = false
    const { body } = await answersOf()["/metrics"]()
    expect(body).toContain("overa_store_up 0")
    expect(body).not.toContain("overa_searches_due")
  })
})

describe("readiness", () => {
  it("notes a V-PFR that does not answer, with the cause, and stays ready", async () => {
    world.failing = [{ environment: "sandbox", failures: 7, sinceMillis: Date.now() - 125_000, detail: "the V-PFR's certificate is not trusted (X)" }]
    const { body, status } = await answersOf()["/health/ready"]()
    expect(status).toBe(200)
    expect((JSON.parse(body) as { readonly notes: ReadonlyArray<string> }).notes)
      .toContain("sandbox: the last 7 contact(s) with the V-PFR failed, the first 2 minute(s) ago: the V-PFR's certificate is not trusted (X)")
  })

  it("ends with the host's own reasons", async () => {
    const { body, status } = await answersOf(["the job x has not finished a pass for two hours"])["/health/ready"]()
    expect([status, JSON.parse(body)]).toMatchObject([503, { ready: false, reasons: ["the job x has not finished a pass for two hours"] }])
  })
})

describe("a process without other addresses", () => {
  it("serves the three, and nothing else", async () => {
    vi.useRealTimers()
    const served = await serveOperational(answersOf(), { host: "127.0.0.1", port: 0 }, "OVERA_WORKER_PORT")
    const get = (path: string, method = "GET") => fetch(`http://127.0.0.1:${served.port}${path}`, { method })
    try {
      expect(await (await get("/health/live")).json()).toEqual({ live: true })
      expect((await get("/health/ready?x=1")).status).toBe(200)
      expect((await get("/metrics")).headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
      for (const path of ["/", "/metrics/", "/toString", "/__proto__"]) expect((await get(path)).status, path).toBe(404)
      expect((await get("/metrics", "POST")).status).toBe(404)
      await expect(serveOperational(answersOf(), { host: "127.0.0.1", port: served.port }, "OVERA_WORKER_PORT"))
        .rejects.toThrow(`OVERA_WORKER_PORT: ${served.port} is taken by another program.`)
    } finally {
      await served.stop()
    }
  })
})
