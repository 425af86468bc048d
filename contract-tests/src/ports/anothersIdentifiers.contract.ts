import { OrganizationActs, TaxpayerActs } from "@overa/domain"
import { DateTime, Effect, type Layer } from "effect"
import { assert, describe, it } from "vitest"
import { act, administrationOf, type AdministrationPorts, newTaxpayer, tagOf } from "../support/administrationSuite.ts"
import { at } from "../support/atInstant.ts"

/** Nobody learns from the store which companies are customers of the installation. */
export const anothersIdentifiersContract = (name: string, layer: () => Layer.Layer<AdministrationPorts, unknown>): void => {
  const run = administrationOf(layer)

  describe(`${name}: identifiers of other organizations`, () => {
    it("an organization is told ten times a day which identifiers are another's, however many ask at once, and again a day later", () => run(() =>
      Effect.gen(function*() {
        const taxpayerActs = yield* TaxpayerActs
        // Premises would take elements of the pool that the file's other tests count.
        const without = (taxIdentifier = newTaxpayer().taxIdentifier) => newTaxpayer({ taxIdentifier, businessPremises: [] })
        const organizationActs = yield* OrganizationActs
        const { taxpayer } = yield* taxpayerActs.createTaxpayer(act, yield* organizationActs.createOrganization(act, "Poznata"), "sandbox", without())
        const curious = yield* organizationActs.createOrganization(act, "Radoznala")
        const quota = { taxpayers: 50, premises: 50 }
        const ask = Effect.suspend(() =>
          tagOf(taxpayerActs.createTaxpayer(act, curious, "sandbox", without(taxpayer.taxIdentifier), quota)))
        const tags = yield* Effect.forEach(Array.from({ length: 25 }), () => ask, { concurrency: "unbounded" })
        assert.strictEqual(tags.filter((tag) => tag === "TaxpayerAlreadyExists").length, 10)
        assert.strictEqual(tags.filter((tag) => tag === "RegistrationsPaused").length, 15)
        // An operator registers for it meanwhile.
        yield* taxpayerActs.createTaxpayer(act, curious, "sandbox", without())
        const now = yield* DateTime.now
        assert.strictEqual(yield* at(DateTime.formatIso(DateTime.add(now, { hours: 23 })), ask), "RegistrationsPaused")
        const tomorrow = DateTime.formatIso(DateTime.add(now, { hours: 25 }))
        yield* at(tomorrow, taxpayerActs.createTaxpayer(act, curious, "sandbox", without(), quota))
        assert.strictEqual(yield* at(tomorrow, ask), "TaxpayerAlreadyExists")
      })))
  })
}
