import { adminConfig, type AdminServices, adminServices } from "@overa/admin"
import { certificateWarning, warnOfCertificates } from "@overa/domain"
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
    expect(json.items[0]).toMatchObject({ operationId: null, elementId: expect.any(String), organizationId: installation.shop.organizationId })
  })
})
