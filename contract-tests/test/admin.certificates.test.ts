import { adminConfig, type AdminServices, adminServices } from "@overa/admin"
import { certificateWarning, type Environment, EventFeed, JournalSealer, type OrganizationId, warnOfCertificates } from "@overa/domain"
import { DateTime, Effect, ManagedRuntime } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type WholeInstallation, wholeInstallation } from "../src/support/wholeInstallation.ts"

const now = DateTime.makeUnsafe("2026-05-01T12:00:00Z")

describe("certificateWarning", () => {
  it.each([
    [60.1, null],
    [60, 60],
    [30.1, 60],
    [30, 30],
    [14, 14],
    [7.5, 14],
    [7, 7],
    [1.5, 7],
    [1, 1],
    [0.1, 1],
    [0, 0],
    [-3, 0]
  ])("%d days before the end is %s", (days, warning) => {
    expect(certificateWarning(DateTime.makeUnsafe(now.epochMilliseconds + days * 86_400_000), now)).toBe(warning)
  })
})

describe("warnings on a real store", () => {
  let installation: WholeInstallation
  let runtime: ManagedRuntime.ManagedRuntime<AdminServices, unknown>

  beforeAll(async () => {
    installation = await wholeInstallation()
    runtime = ManagedRuntime.make(adminServices(adminConfig(installation.desk.environment)))
  })
  afterAll(async () => {
    await runtime.dispose()
    await installation.close()
  })

  const endsIn = async (interval: string): Promise<void> => {
    const client = await installation.desk.database.client()
    await client.query("update security_elements set valid_to = now() + $1::interval", [interval])
  }

  const raised = () => runtime.runPromise(Effect.map(warnOfCertificates(), (all) => all.map((it) => it.days)))

  /** After two passes of the worker, so that a change that is taken twice shows. */
  const eventsOf = (environment: Environment) => {
    const tenant = { organizationId: installation.shop.organizationId as OrganizationId, environment }
    return runtime.runPromise(Effect.gen(function*() {
      const sealer = yield* JournalSealer
      yield* sealer.seal({ limit: 1_000 })
      yield* sealer.seal({ limit: 1_000 })
      return yield* (yield* EventFeed).page(tenant, { after: 0, limit: 100 })
    }))
  }

  it("a licence's changes and its end are events, each once, also where the same change is noted twice", async () => {
    const { organizationId } = installation.shop
    const licence = (...args: ReadonlyArray<string>) => installation.desk.admin(["licences", ...args, "--reason", "test", "--json"])
    await licence("grant", organizationId, "--from", "2026-01-01", "--until", "2026-02-01")
    await licence("suspend", organizationId, "--yes")
    const { items } = await eventsOf("production")
    expect(items.map(({ type }) => type).toSorted()).toEqual(["license.changed", "license.changed", "license.expired"])
    expect(items.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
    const ended = items.find(({ type }) => type === "license.expired")
    expect(ended?.resource).toEqual({ type: "LICENSE", id: organizationId, url: "/v1/license" })
    const client = await installation.desk.database.client()
    await client.query(`insert into noted_changes (organization_id, environment, source, type, at, subject_id)
      select organization_id, environment, source, type, at, subject_id from events where source is not null and environment = 'production'`)
    expect((await eventsOf("production")).items).toEqual(items)
    expect((await client.query("select from noted_changes")).rowCount).toBe(0)
  })

  it("are raised once for each of 60, 30, 14, 7 and 1 days, and once when it has expired", async () => {
    expect(await raised()).toEqual([])
    for (const [interval, expected] of [["59 days", 60], ["20 days", 30], ["13 days", 14], ["6 days", 7], ["12 hours", 1], ["-1 hour", 0]] as const) {
      await endsIn(interval)
      expect(await raised()).toEqual([expected])
      expect(await raised()).toEqual([])
    }
    const { json } = await installation.desk.admin(["attention", "list", "--json"])
    expect(json.items.map((it: { readonly kind: string }) => it.kind)).toEqual([
      "CERTIFICATE_ENDS_WITHIN_60_DAYS",
      "CERTIFICATE_ENDS_WITHIN_30_DAYS",
      "CERTIFICATE_ENDS_WITHIN_14_DAYS",
      "CERTIFICATE_ENDS_WITHIN_7_DAYS",
      "CERTIFICATE_ENDS_WITHIN_1_DAYS",
      "CERTIFICATE_EXPIRED"
    ])
    const { items } = await eventsOf("sandbox")
    expect(items.map(({ type }) => type)).toEqual(["security_element.activated", ...[60, 30, 14, 7, 1].map(() => "security_element.expiring"), "security_element.expired"])
    expect(items.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(json.items[0]).toMatchObject({ operationId: null, elementId: expect.any(String), organizationId: installation.shop.organizationId })
  })
})
