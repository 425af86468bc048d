import { ElementActs, type OrganizationId, SecurityElements, TaxpayerActs, TenancyDirectory } from "@overa/domain"
import { DateTime, Effect, type Layer, Option, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { act, administrationOf, type AdministrationPorts, arranged, tagOf } from "../support/administrationSuite.ts"
import { mintUuid } from "../support/mintIdentity.ts"
import { sampleElement } from "../support/sampleElements.ts"

/** The contract of a vault of security elements, and of the pool for sandbox premises. */
export const securityElementsContract = (name: string, layer: () => Layer.Layer<AdministrationPorts, unknown>): void => {
  const run = administrationOf(layer)

  describe(`${name}: security elements`, () => {
    it("an uploaded element is active only after its activation, and opens with what was uploaded", () => run(() =>
      Effect.gen(function*() {
        const elementActs = yield* ElementActs
        const directory = yield* TenancyDirectory
        const vault = yield* SecurityElements
        const { organizationId, tenant, taxpayer, premise } = yield* arranged()
        const element = sampleElement({ tin: taxpayer.taxIdentifier })
        const id = yield* elementActs.upload(act, organizationId, premise.id, element)
        assert.deepStrictEqual((yield* directory.securityElements(tenant)).map(({ status }) => status), ["UPLOADED"])
        yield* elementActs.activate(act, organizationId, id)
        const seen = Option.getOrThrow(yield* directory.premiseForIssuing(tenant, taxpayer.id, premise.id))
        assert.strictEqual(seen.activeElement?.id, id)
        assert.strictEqual(seen.activeElement?.jid, element.jid)
        const opened = yield* vault.open(organizationId, id)
        assert.strictEqual(Redacted.value(opened.privateKey), Redacted.value(element.privateKey))
        assert.strictEqual(Redacted.value(opened.pac), Redacted.value(element.pac))
        assert.strictEqual(opened.certificateChain, element.certificateChain)
        assert.strictEqual(yield* tagOf(vault.open(mintUuid() as OrganizationId, id)), "SecurityElementUnavailable")
      })))

    it("a replaced element still opens, because what it sent may have to be searched", () => run(() =>
      Effect.gen(function*() {
        const elementActs = yield* ElementActs
        const directory = yield* TenancyDirectory
        const vault = yield* SecurityElements
        const { organizationId, tenant, taxpayer, premise } = yield* arranged()
        const upload = () => elementActs.upload(act, organizationId, premise.id, sampleElement({ tin: taxpayer.taxIdentifier }))
        const [first, second] = [yield* upload(), yield* upload()]
        yield* elementActs.activate(act, organizationId, first)
        yield* elementActs.activate(act, organizationId, second)
        const statuses = new Map((yield* directory.securityElements(tenant)).map((element) => [element.id, element.status]))
        assert.strictEqual(statuses.get(first), "REPLACED")
        assert.strictEqual(statuses.get(second), "ACTIVE")
        assert.strictEqual((yield* vault.open(organizationId, first)).environment, "production")
        assert.strictEqual(yield* tagOf(elementActs.activate(act, organizationId, first)), "ActRefused")
      })))

    it("a production element must be the taxpayer's, and a JID serves one organization", () => run(() =>
      Effect.gen(function*() {
        const elementActs = yield* ElementActs
        const mine = yield* arranged()
        const theirs = yield* arranged()
        const element = sampleElement({ tin: mine.taxpayer.taxIdentifier })
        yield* elementActs.upload(act, mine.organizationId, mine.premise.id, element)
        // A renewed certificate keeps its JID.
        yield* elementActs.upload(act, mine.organizationId, mine.premise.id, { ...element, fingerprintSha256: "f".repeat(64) })
        const stolen = { ...element, tin: theirs.taxpayer.taxIdentifier }
        const refused = yield* Effect.flip(elementActs.upload(act, theirs.organizationId, theirs.premise.id, stolen))
        assert.strictEqual(refused._tag === "ActRefused" ? refused.reason : refused._tag, "JID_ALREADY_EXISTS")
        const wrong = yield* Effect.flip(elementActs.upload(act, theirs.organizationId, theirs.premise.id, element))
        assert.strictEqual(wrong._tag === "ActRefused" ? wrong.reason : wrong._tag, "TAX_IDENTIFIER_DIFFERS")
      })))

    it("a certificate is stored once, however often and wherever it is uploaded, and its JID belongs to one premise", () => run(() =>
      Effect.gen(function*() {
        const elementActs = yield* ElementActs
        const { organizationId, premise, taxpayer, tenant } = yield* arranged()
        const element = sampleElement({ tin: taxpayer.taxIdentifier })
        const upload = (facts = element, premiseId = premise.id) => Effect.result(elementActs.upload(act, organizationId, premiseId, facts))
        const tries = yield* Effect.forEach([1, 2, 3, 4], () => upload(), { concurrency: "unbounded" })
        assert.strictEqual(tries.filter(({ _tag }) => _tag === "Success").length, 1)
        assert.strictEqual((yield* upload())._tag, "Failure")
        const other = yield* (yield* TaxpayerActs).addPremise(act, organizationId, taxpayer.id, { puIdentifier: "2", name: "Друга", address: null, city: null })
        assert.strictEqual((yield* upload({ ...element, fingerprintSha256: "e".repeat(64) }, other.premise.id))._tag, "Failure")
        assert.lengthOf(yield* (yield* TenancyDirectory).securityElements(tenant), 1)
      })))

    it("an expired element is shown as expired and does not open", () => run(() =>
      Effect.gen(function*() {
        const elementActs = yield* ElementActs
        const directory = yield* TenancyDirectory
        const vault = yield* SecurityElements
        const { organizationId, tenant, taxpayer, premise } = yield* arranged()
        const validTo = DateTime.toUtc(DateTime.makeUnsafe("2026-01-02T00:00:00.000Z"))
        const id = yield* elementActs.upload(act, organizationId, premise.id, sampleElement({ tin: taxpayer.taxIdentifier, validTo }))
        assert.deepStrictEqual((yield* directory.securityElements(tenant)).map(({ status }) => status), ["EXPIRED"])
        assert.strictEqual(yield* tagOf(vault.open(organizationId, id)), "SecurityElementUnavailable")
      })))

    it("sandbox premises get pool elements at once, or the next one that comes; never the same twice", () => run(() =>
      Effect.gen(function*() {
        const elementActs = yield* ElementActs
        const vault = yield* SecurityElements
        const directory = yield* TenancyDirectory
        // Other cases left premises that have waited longer than this one; each new element goes to the oldest.
        const waiting = yield* arranged("sandbox")
        assert.isNull(waiting.elementId)
        const served = () => Effect.map(directory.securityElements(waiting.tenant), (found) => found.map(({ status }) => status))
        for (let added = 0; added < 50 && (yield* served()).length === 0; added += 1) yield* elementActs.addToPool(act, sampleElement())
        assert.deepStrictEqual(yield* served(), ["ACTIVE"])
        const added = [sampleElement(), sampleElement(), sampleElement()]
        for (const element of added) yield* elementActs.addToPool(act, element)
        const places = yield* Effect.all([arranged("sandbox"), arranged("sandbox"), arranged("sandbox")], { concurrency: 3 })
        const jids: Array<string> = []
        for (const place of places) {
          if (place.elementId === null) assert.fail("a premise without an element")
          const opened = yield* vault.open(place.organizationId, place.elementId)
          assert.include(Redacted.value(opened.privateKey), opened.jid)
          jids.push(opened.jid)
        }
        assert.strictEqual(new Set(jids).size, 3)
        assert.strictEqual(yield* tagOf(elementActs.addToPool(act, added[0] ?? sampleElement())), "ActRefused")
      })))
  })
}
