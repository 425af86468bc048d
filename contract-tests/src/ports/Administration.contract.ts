import { AccessActs, CredentialActs, AccessOversight, credentialKeyId, Credentials, Installation, InstallationActs, InstallationOversight, LicenseRegister, OrganizationActs, type OrganizationId, RecordActs, Scope, TaxpayerActs, TenancyDirectory, type Tenant } from "@overa/domain"
import { createHmac } from "node:crypto"
import { DateTime, Effect, type Layer, Option, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { act, administrationOf, type AdministrationPorts, arranged, newTaxpayer, tagOf } from "../support/administrationSuite.ts"
import { at } from "../support/atInstant.ts"
import { mintUuid } from "../support/mintIdentity.ts"
import { plain } from "../support/plain.ts"

// Later than everything that other tests have logged for the installation they share.
const instant = "2099-10-25T00:59:59.500Z"

/** The most difficult clock for the order of acts: it stands still. */
const stoppedClock = <A, E, R>(acts: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => at(instant, acts)

/** The effects of an operator's acts, read through the reading ports. `credentialKey` is the one the layer was built with. */
export const administrationContract = (
  name: string,
  layer: () => Layer.Layer<AdministrationPorts, unknown>,
  credentialKey: Redacted.Redacted<Uint8Array>
): void => {
  const run = administrationOf(layer)

  describe(`${name}: tenancy`, () => {
    it("a taxpayer and its premises are read back as they were created", () => run(() =>
      Effect.gen(function*() {
        const directory = yield* TenancyDirectory
        const { tenant, taxpayer, premise } = yield* arranged()
        assert.deepStrictEqual(plain(yield* directory.taxpayers(tenant)), plain([taxpayer]))
        assert.deepStrictEqual(plain(yield* directory.businessPremises(tenant, taxpayer.id)), plain([premise]))
        assert.strictEqual(taxpayer.status, "active")
        assert.strictEqual(premise.commerceMode, "distance")
        assert.strictEqual(premise.paymentMode, "all")
      })))

    it("a tax identifier exists once per environment, over all organizations, and an attempt leaves nothing behind", () => run(() =>
      Effect.gen(function*() {
        const organizationActs = yield* OrganizationActs
        const taxpayerActs = yield* TaxpayerActs
        const directory = yield* TenancyDirectory
        const { taxpayer } = yield* arranged("production")
        const again = newTaxpayer({ taxIdentifier: taxpayer.taxIdentifier })
        const organizationId = yield* organizationActs.createOrganization(act, "Druga")
        const tag = yield* tagOf(taxpayerActs.createTaxpayer(act, organizationId, "production", again))
        assert.strictEqual(tag, "TaxpayerAlreadyExists")
        assert.deepStrictEqual(yield* directory.taxpayers({ organizationId, environment: "production" }), [])
        const sandbox = yield* taxpayerActs.createTaxpayer(act, organizationId, "sandbox", again)
        assert.strictEqual(sandbox.taxpayer.taxIdentifier, taxpayer.taxIdentifier)
      })))

    it("of many simultaneous registrations of a company one succeeds", () => run(() =>
      Effect.gen(function*() {
        const organizationActs = yield* OrganizationActs
        const taxpayerActs = yield* TaxpayerActs
        const organizationId = yield* organizationActs.createOrganization(act, "Brza")
        const same = newTaxpayer()
        const tries = yield* Effect.forEach(
          Array.from({ length: 12 }),
          () => Effect.result(taxpayerActs.createTaxpayer(act, organizationId, "production", same)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(tries.filter((attempt) => attempt._tag === "Success").length, 1)
      })))

    it("a production tax identifier that an organization registers by itself blocks nobody until it is confirmed", () => run(() =>
      Effect.gen(function*() {
        const organizationActs = yield* OrganizationActs
        const taxpayerActs = yield* TaxpayerActs
        const quota = { taxpayers: 10, premises: 10 }
        const squatter = yield* organizationActs.createOrganization(act, "Prva")
        const rightful = yield* organizationActs.createOrganization(act, "Druga")
        const company = newTaxpayer()
        const claimed = yield* taxpayerActs.createTaxpayer(act, squatter, "production", company, quota)
        assert.strictEqual(yield* tagOf(taxpayerActs.createTaxpayer(act, squatter, "production", company, quota)), "TaxpayerAlreadyExists")
        const owned = yield* taxpayerActs.createTaxpayer(act, rightful, "production", company, quota)
        yield* taxpayerActs.confirmTaxpayer(act, rightful, owned.taxpayer.id)
        yield* taxpayerActs.confirmTaxpayer(act, rightful, owned.taxpayer.id)
        assert.strictEqual(yield* tagOf(taxpayerActs.confirmTaxpayer(act, squatter, claimed.taxpayer.id)), "TaxpayerAlreadyExists")
        yield* taxpayerActs.releaseTaxpayer(act, rightful, owned.taxpayer.id)
        yield* taxpayerActs.confirmTaxpayer(act, squatter, claimed.taxpayer.id)
        assert.strictEqual(yield* tagOf(taxpayerActs.confirmTaxpayer(act, rightful, owned.taxpayer.id)), "TaxpayerAlreadyExists")
      })))

    it("an organization registers no more by itself than its quota, however many requests come at once", () => run(() =>
      Effect.gen(function*() {
        const organizationActs = yield* OrganizationActs
        const taxpayerActs = yield* TaxpayerActs
        const organizationId = yield* organizationActs.createOrganization(act, "Gramziva")
        const quota = { taxpayers: 3, premises: 100 }
        const tries = yield* Effect.forEach(
          Array.from({ length: 10 }),
          () => Effect.result(taxpayerActs.createTaxpayer(act, organizationId, "production", newTaxpayer(), quota)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(tries.filter((attempt) => attempt._tag === "Success").length, 3)
        assert.strictEqual(yield* tagOf(taxpayerActs.createTaxpayer(act, organizationId, "sandbox", newTaxpayer(), { taxpayers: 3, premises: 0 })), "ActRefused")
        assert.strictEqual((yield* taxpayerActs.createTaxpayer(act, organizationId, "production", newTaxpayer())).premises.length > 0, true)
      })))

    it("another tenant's taxpayer and premise are simply not there", () => run(() =>
      Effect.gen(function*() {
        const directory = yield* TenancyDirectory
        const mine = yield* arranged()
        const theirs = yield* arranged()
        assert.isTrue(Option.isNone(yield* directory.businessPremises(theirs.tenant, mine.taxpayer.id)))
        assert.isTrue(Option.isNone(yield* directory.premiseForIssuing(theirs.tenant, mine.taxpayer.id, mine.premise.id)))
        const otherWorld: Tenant = { ...mine.tenant, environment: "sandbox" }
        assert.isTrue(Option.isNone(yield* directory.premiseForIssuing(otherWorld, mine.taxpayer.id, mine.premise.id)))
        const crossed = yield* directory.premiseForIssuing(mine.tenant, mine.taxpayer.id, theirs.premise.id)
        assert.isNull(Option.getOrThrow(crossed).premise)
      })))

    it("an inactive taxpayer is not found, and changes are named acts", () => run(() =>
      Effect.gen(function*() {
        const taxpayerActs = yield* TaxpayerActs
        const directory = yield* TenancyDirectory
        const { organizationId, tenant, taxpayer, premise } = yield* arranged()
        yield* taxpayerActs.changePremise(act, organizationId, premise.id, { paymentMode: "restricted", status: "suspended" })
        yield* taxpayerActs.changeTaxpayer(act, organizationId, taxpayer.id, { vatStatus: "OUTSIDE_VAT", preferredPaperFormat: "58mm" })
        const seen = Option.getOrThrow(yield* directory.premiseForIssuing(tenant, taxpayer.id, premise.id))
        assert.strictEqual(seen.premise?.paymentMode, "restricted")
        assert.strictEqual(seen.premise?.status, "suspended")
        assert.strictEqual(seen.taxpayer.vatStatus, "OUTSIDE_VAT")
        assert.strictEqual(seen.preferredPaperFormat, "58mm")
        yield* taxpayerActs.changeTaxpayer(act, organizationId, taxpayer.id, { status: "inactive" })
        assert.isTrue(Option.isNone(yield* directory.businessPremises(tenant, taxpayer.id)))
        const missing = taxpayerActs.changePremise(act, organizationId, mintUuid() as typeof premise.id, { status: "closed" })
        assert.strictEqual(yield* tagOf(missing), "ActRefused")
      })))

    it("a premise is added once per identifier", () => run(() =>
      Effect.gen(function*() {
        const taxpayerActs = yield* TaxpayerActs
        const { organizationId, taxpayer } = yield* arranged()
        const premise = { puIdentifier: "1000002", name: "Друга", address: null, city: null }
        yield* taxpayerActs.addPremise(act, organizationId, taxpayer.id, premise)
        assert.strictEqual(yield* tagOf(taxpayerActs.addPremise(act, organizationId, taxpayer.id, premise)), "ActRefused")
      })))
  })

  describe(`${name}: what an organization registers by itself`, () => {
    it("premises stay within the quota, also when asked for at once; taxpayers already there do not count against a premise", () => run(() =>
      Effect.gen(function*() {
        const taxpayerActs = yield* TaxpayerActs
        const { organizationId, taxpayer } = yield* arranged()
        const ask = (at: number) =>
          Effect.result(taxpayerActs.addPremise(act, organizationId, taxpayer.id, { puIdentifier: `9${at}`, name: "Трка", address: null, city: null }, { taxpayers: 1, premises: 3 }))
        const tries = yield* Effect.forEach([1, 2, 3, 4, 5, 6], ask, { concurrency: "unbounded" })
        assert.strictEqual(tries.filter(({ _tag }) => _tag === "Success").length, 2)
      })))
  })

  describe(`${name}: access`, () => {
    it("a credential's secret is shown once and known only by its digest", () => run(() =>
      Effect.gen(function*() {
        const credentialActs = yield* CredentialActs
        const credentials = yield* Credentials
        const { organizationId } = yield* arranged()
        const issued = yield* credentialActs.issueCredential(act, organizationId, "sandbox", Scope.literals)
        assert.match(issued.clientId, /^svc-sbx-/)
        const found = Option.getOrThrow(yield* credentials.find(issued.clientId))
        const digest = createHmac("sha256", Redacted.value(credentialKey)).update(Redacted.value(issued.clientSecret)).digest("hex")
        assert.deepStrictEqual(found, {
          clientId: issued.clientId,
          organizationId,
          environment: "sandbox",
          scopes: [...Scope.literals],
          premises: null,
          formerSecret: null,
          secretDigest: digest,
          revoked: false
        })
        yield* credentialActs.revokeCredential(act, issued.clientId)
        assert.isTrue(Option.getOrThrow(yield* credentials.find(issued.clientId)).revoked)
        for (const stranger of ["svc-sbx-nobody", "", "\0", "\ud800", "' or true --", "x".repeat(10_000)]) {
          assert.isTrue(Option.isNone(yield* credentials.find(stranger)))
        }
        assert.strictEqual(yield* tagOf(credentialActs.revokeCredential(act, "svc-sbx-nobody")), "ActRefused")
      })))

    it("a digest gives way to one under another key, unless another one has come meanwhile", () => run(() =>
      Effect.gen(function*() {
        const credentials = yield* Credentials
        const { organizationId } = yield* arranged()
        const { clientId } = yield* (yield* CredentialActs).issueCredential(act, organizationId, null, [])
        const found = Option.getOrThrow(yield* credentials.find(clientId))
        const held = (yield* (yield* AccessOversight).digestKeys).find(({ keyId }) => keyId === credentialKeyId(Redacted.value(credentialKey)))
        assert.isAtLeast(held?.credentials ?? 0, 1)
        const keyId = mintUuid().slice(0, 16)
        yield* credentials.replaceDigest(found, { digest: "a".repeat(64), keyId })
        assert.strictEqual(Option.getOrThrow(yield* credentials.find(clientId)).secretDigest, "a".repeat(64))
        yield* credentials.replaceDigest(found, { digest: "b".repeat(64), keyId })
        assert.strictEqual(Option.getOrThrow(yield* credentials.find(clientId)).secretDigest, "a".repeat(64))
        const keys = yield* (yield* AccessOversight).digestKeys
        assert.deepStrictEqual(keys.filter((one) => one.keyId === keyId), [{ keyId, credentials: 1 }])
      })))

    it("a credential's last use is the latest that was noted, and its own alone", () => run(() =>
      Effect.gen(function*() {
        const credentialActs = yield* CredentialActs
        const credentials = yield* Credentials
        const { organizationId } = yield* arranged()
        const used = yield* credentialActs.issueCredential(act, organizationId, "sandbox", [])
        const unused = yield* credentialActs.issueCredential(act, organizationId, "sandbox", [])
        const at = (text: string) => DateTime.toUtc(DateTime.makeUnsafe(text))
        for (const time of ["2026-11-22T10:00:00Z", "2026-11-22T11:00:00Z", "2026-11-22T10:30:00Z"]) {
          yield* credentials.noteUse({ organizationId, clientId: used.clientId }, at(time))
        }
        yield* credentials.noteUse({ organizationId: mintUuid() as OrganizationId, clientId: unused.clientId }, at("2026-11-22T12:00:00Z"))
        const seen = yield* (yield* AccessOversight).credentials(organizationId)
        const lastUse = (clientId: string) => seen.find((entry) => entry.clientId === clientId)?.lastUsedAt
        assert.strictEqual(String(lastUse(used.clientId)), String(at("2026-11-22T11:00:00Z")))
        assert.isNull(lastUse(unused.clientId))
      })))

    it("credentials name their environment, or none", () => run(() =>
      Effect.gen(function*() {
        const credentialActs = yield* CredentialActs
        const credentials = yield* Credentials
        const { organizationId } = yield* arranged()
        const production = yield* credentialActs.issueCredential(act, organizationId, "production", ["fiscal:read"])
        assert.match(production.clientId, /^svc-prod-/)
        const without = yield* credentialActs.issueCredential(act, organizationId, null, ["tenant:read"])
        assert.isNull(Option.getOrThrow(yield* credentials.find(without.clientId)).environment)
        const nobody = credentialActs.issueCredential(act, mintUuid() as OrganizationId, "sandbox", [])
        assert.strictEqual(yield* tagOf(nobody), "ActRefused")
      })))

    it("a new token key signs; the ones before it retire but stay", () => run(() =>
      Effect.gen(function*() {
        const accessActs = yield* AccessActs
        const credentials = yield* Credentials
        const keys = [mintUuid(), mintUuid()].map((kid) => ({ kid, privateKey: Redacted.make(`pem ${kid}`), publicJwk: { kty: "RSA", kid } }))
        for (const key of keys) yield* accessActs.addTokenKey(act, key)
        const stored = yield* credentials.tokenKeys
        assert.strictEqual(stored[0]?.kid, keys[1]?.kid)
        assert.deepStrictEqual(stored.filter((key) => key.retiredAt === null).map((key) => key.kid), [keys[1]?.kid])
        const earlier = stored.find((key) => key.kid === keys[0]?.kid)
        assert.strictEqual(earlier === undefined ? "" : Redacted.value(earlier.privateKey), `pem ${keys[0]?.kid}`)
      })))

    it("a licence is granted, suspended and resumed", () => run(() =>
      Effect.gen(function*() {
        const accessActs = yield* AccessActs
        const register = yield* LicenseRegister
        const { organizationId } = yield* arranged()
        assert.strictEqual(yield* tagOf(accessActs.suspendLicense(act, organizationId, true)), "ActRefused")
        const license = {
          startsAt: DateTime.toUtc(DateTime.makeUnsafe("2026-02-01T00:00:00.000Z")),
          expiresAt: null,
          modules: ["advance"] as const
        }
        yield* accessActs.grantLicense(act, organizationId, license)
        yield* accessActs.suspendLicense(act, organizationId, true)
        assert.deepStrictEqual(plain(yield* register.license(organizationId)), plain({ ...license, suspended: true }))
        assert.isNull(yield* register.license(mintUuid() as OrganizationId))
      })))
  })

  describe(`${name}: records`, () => {
    it("acts are listed newest first, the installation's own apart", () => run(() =>
      stoppedClock(Effect.gen(function*() {
        const recordActs = yield* RecordActs
        const installationActs = yield* InstallationActs
        const installationOversight = yield* InstallationOversight
        const { organizationId, taxpayer } = yield* arranged()
        const done = { organizationId, act: "unknown outcome decided", subject: taxpayer.id, after: "CONFIRMED_NOT_ISSUED" }
        yield* recordActs.record({ actor: "operator:mira", reason: "called the tax office" }, done)
        const lines = yield* installationOversight.searchActivity({ organizationId, limit: 10 })
        assert.deepStrictEqual(lines.map((line) => line.act), ["unknown outcome decided", "taxpayer created", "organization created"])
        assert.strictEqual(lines[0]?.reason, "called the tax office")
        yield* installationActs.changeEnvironment(act, "sandbox", { trafficEnabled: true })
        const [own] = yield* installationOversight.searchActivity({ organizationId: null, limit: 1 })
        assert.strictEqual(own?.act, "environment changed")
        assert.isNull(own?.organizationId)
      }))))

    it("acts of one millisecond keep the order they were done in, and their millisecond", () => run(() =>
      stoppedClock(Effect.gen(function*() {
        const organizationActs = yield* OrganizationActs
        const recordActs = yield* RecordActs
        const installationOversight = yield* InstallationOversight
        const organizationId = yield* organizationActs.createOrganization(act, "Treća")
        const subjects = Array.from({ length: 40 }, (_, index) => `act ${index}`)
        yield* Effect.forEach(subjects, (subject) => recordActs.record(act, { organizationId, act: "noted", subject, after: "" }))
        const lines = yield* installationOversight.searchActivity({ organizationId, limit: subjects.length })
        assert.deepStrictEqual(lines.map((line) => line.subject), subjects.toReversed())
        assert.deepStrictEqual(new Set(lines.map((line) => DateTime.formatIso(line.at))), new Set([instant]))
      }))))
  })

  describe(`${name}: installation`, () => {
    it("environments keep their own settings", () => run(() =>
      Effect.gen(function*() {
        const installationActs = yield* InstallationActs
        const reader = yield* Installation
        yield* installationActs.changeEnvironment(act, "production", { trafficEnabled: true, esirNumber: "1234/1.0", proformaReferences: true })
        const settings = yield* reader.settings("production")
        assert.isTrue(settings.trafficEnabled)
        assert.strictEqual(settings.esirNumber, "1234/1.0")
        assert.isTrue(settings.proformaReferences)
        assert.isFalse((yield* reader.settings("sandbox")).proformaReferences)
        assert.deepStrictEqual([...settings.vatCategories], ["О-ПДВ", "П-ПДВ", "Без ПДВ"])
        assert.deepStrictEqual([...(yield* reader.settings("sandbox")).vatCategories], ["VAT"])
      })))
  })
}
