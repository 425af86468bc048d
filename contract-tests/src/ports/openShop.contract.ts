import { InstallationOversight, type NewShop, OrganizationActs, OrganizationId, TenancyOversight } from "@overa/domain"
import { DateTime, Effect, type Layer } from "effect"
import { assert, describe, it } from "vitest"
import { act, administrationOf, type AdministrationPorts, newTaxpayer, tagOf } from "../support/administrationSuite.ts"
import { mintUuid } from "../support/mintIdentity.ts"

const newShop = Effect.fnUntraced(function*(changes: Partial<NewShop> = {}) {
  const at = yield* DateTime.now
  const shop: NewShop = {
    organizationId: OrganizationId.make(mintUuid()),
    name: "Нова радња",
    invitation: { email: `${mintUuid()}@primer.example`, role: "OWNER", tokenDigest: mintUuid(), at, expiresAt: DateTime.add(at, { hours: 72 }) },
    mail: null,
    environment: "production",
    taxpayer: newTaxpayer(),
    ...changes
  }
  return shop
})

/** What there is of a shop: its taxpayers, and the acts that its log has. */
const foundOf = Effect.fnUntraced(function*({ organizationId }: NewShop) {
  const oversight = yield* TenancyOversight
  const lines = yield* (yield* InstallationOversight).searchActivity({ organizationId, limit: 100 })
  return {
    organizations: (yield* oversight.organizations).filter(({ id }) => id === organizationId).map(({ name }) => name),
    taxIdentifiers: (yield* oversight.taxpayers(organizationId)).map(({ taxpayer }) => taxpayer.taxIdentifier),
    acts: lines.map((line) => line.act).toSorted()
  }
})

const everything = ["member invited", "organization created", "taxpayer created"]

/** A shop is opened whole, once. */
export const openShopContract = (name: string, layer: () => Layer.Layer<AdministrationPorts, unknown>): void => {
  const run = administrationOf(layer)

  describe(`${name}: a shop that an operator opens`, () => {
    it("is there once with its invitation, taxpayer and premise, however many open it under one id at once, and whatever else a later one says", () => run(() =>
      Effect.gen(function*() {
        const { openShop } = yield* OrganizationActs
        const shop = yield* newShop()
        const opened = yield* Effect.forEach(Array.from({ length: 8 }), () => openShop(act, shop), { concurrency: "unbounded" })
        assert.deepStrictEqual(opened.filter((it) => it), [true])
        assert.isFalse(yield* openShop(act, { ...(yield* newShop()), organizationId: shop.organizationId, name: "Друга" }))
        assert.deepStrictEqual(yield* foundOf(shop), { organizations: ["Нова радња"], taxIdentifiers: [shop.taxpayer.taxIdentifier], acts: everything })
      })))

    it("is not there at all where its tax identifier is another's, and is opened under the same id with the right one", () => run(() =>
      Effect.gen(function*() {
        const { openShop } = yield* OrganizationActs
        const other = yield* newShop()
        yield* openShop(act, other)
        const shop = yield* newShop({ taxpayer: newTaxpayer({ taxIdentifier: other.taxpayer.taxIdentifier }) })
        assert.strictEqual(yield* tagOf(openShop(act, shop)), "TaxpayerAlreadyExists")
        assert.deepStrictEqual(yield* foundOf(shop), { organizations: [], taxIdentifiers: [], acts: [] })
        const right = { ...shop, taxpayer: newTaxpayer() }
        assert.isTrue(yield* openShop(act, right))
        assert.deepStrictEqual((yield* foundOf(right)).acts, everything)
      })))
  })
}
