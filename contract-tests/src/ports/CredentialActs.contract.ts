import { AccessOversight, CredentialActs, Credentials } from "@overa/domain"
import { DateTime, Effect, type Layer, Option } from "effect"
import { assert, describe, it } from "vitest"
import { act, administrationOf, type AdministrationPorts, arranged, tagOf } from "../support/administrationSuite.ts"

/** What an organization may do with its credentials itself. Source: docs/adr/0180. */
export const credentialActsContract = (name: string, layer: () => Layer.Layer<AdministrationPorts, unknown>): void => {
  const run = administrationOf(layer)

  describe(`${name}: credentials`, () => {
    it("a rotated credential has two secrets until the former one's time, and keeps its restriction and name", () => run(() =>
      Effect.gen(function*() {
        const credentials = yield* Credentials
        const credentialActs = yield* CredentialActs
        const { premise: { id: premiseId }, tenant: { organizationId } } = yield* arranged("sandbox")
        const issued = yield* credentialActs.issueCredential(act, organizationId, "sandbox", ["fiscal:read"], { name: "kasa", premises: [premiseId] })
        const first = Option.getOrThrow(yield* credentials.find(issued.clientId))
        assert.deepStrictEqual(first.premises, [premiseId])
        yield* credentialActs.rotateCredential(act, issued.clientId, 3_600)
        const second = Option.getOrThrow(yield* credentials.find(issued.clientId))
        assert.strictEqual(second.formerSecret?.digest, first.secretDigest)
        assert.notStrictEqual(second.secretDigest, first.secretDigest)
        assert.closeTo(DateTime.toEpochMillis(second.formerSecret?.until ?? DateTime.makeUnsafe(0)) - Date.now(), 3_600_000, 600_000)
        yield* credentialActs.rotateCredential(act, issued.clientId, 0)
        assert.isNull(Option.getOrThrow(yield* credentials.find(issued.clientId)).formerSecret)
        const [seen] = (yield* (yield* AccessOversight).credentials(organizationId)).filter(({ clientId }) => clientId === issued.clientId)
        assert.deepInclude(seen, { name: "kasa", premises: [premiseId], formerSecretUntil: null })
        yield* credentialActs.revokeCredential(act, issued.clientId)
        assert.strictEqual(yield* tagOf(credentialActs.rotateCredential(act, issued.clientId, 0)), "ActRefused")
      })
    ))

    it("an organization's own act names its own premises and credentials only, up to its number, and none where the operator forbids it", () => run(() =>
      Effect.gen(function*() {
        const credentialActs = yield* CredentialActs
        const { premise: { id: premiseId }, tenant: { organizationId } } = yield* arranged("sandbox")
        const { tenant: { organizationId: stranger } } = yield* arranged("sandbox")
        const own = { by: "OWNER", most: 2 } as const
        const mine = { by: "OWNER", organizationId, environment: null } as const
        const reasonOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
          Effect.match(effect, { onFailure: (error) => (error as unknown as { readonly reason?: string }).reason ?? String(error), onSuccess: () => "done" })
        assert.strictEqual(yield* reasonOf(credentialActs.issueCredential(act, stranger, "sandbox", [], { premises: [premiseId], own })), "BUSINESS_PREMISE_NOT_FOUND")
        assert.strictEqual(yield* reasonOf(credentialActs.issueCredential(act, organizationId, "production", [], { premises: [premiseId], own })), "BUSINESS_PREMISE_NOT_FOUND")
        assert.strictEqual(yield* reasonOf(credentialActs.issueCredential(act, organizationId, "sandbox", ["credentials:manage"], { own })), "CREDENTIALS_NOT_ALLOWED")
        const theirs = yield* credentialActs.issueCredential(act, stranger, "sandbox", [], { own })
        const manager = yield* credentialActs.issueCredential(act, organizationId, "sandbox", ["credentials:manage"])
        for (const { clientId } of [theirs, manager]) {
          assert.strictEqual(yield* reasonOf(credentialActs.rotateCredential(act, clientId, 0, mine)), "CREDENTIAL_NOT_FOUND")
          assert.strictEqual(yield* reasonOf(credentialActs.revokeCredential(act, clientId, { ...mine, by: "PROGRAM" })), "CREDENTIAL_NOT_FOUND")
        }
        const made = yield* credentialActs.issueCredential(act, organizationId, "sandbox", [], { own })
        assert.strictEqual(yield* reasonOf(credentialActs.rotateCredential(act, made.clientId, 0, { ...mine, environment: "production" })), "CREDENTIAL_NOT_FOUND")
        // The manager and this one are two; a revoked one is none.
        assert.strictEqual(yield* reasonOf(credentialActs.issueCredential(act, organizationId, "sandbox", [], { own })), "QUOTA_REACHED")
        yield* credentialActs.revokeCredential(act, made.clientId, mine)
        const next = yield* credentialActs.issueCredential(act, organizationId, "sandbox", [], { own })
        yield* credentialActs.allowOwnCredentials(act, organizationId, false)
        assert.isFalse(yield* (yield* AccessOversight).ownCredentials(organizationId))
        assert.strictEqual(yield* reasonOf(credentialActs.issueCredential(act, organizationId, "production", [], { own })), "CREDENTIALS_NOT_ALLOWED")
        assert.strictEqual(yield* reasonOf(credentialActs.rotateCredential(act, next.clientId, 0, mine)), "CREDENTIALS_NOT_ALLOWED")
        assert.strictEqual(yield* reasonOf(credentialActs.revokeCredential(act, next.clientId, mine)), "done")
        yield* credentialActs.allowOwnCredentials(act, organizationId, true)
        assert.isTrue(yield* (yield* AccessOversight).ownCredentials(organizationId))
      })
    ))
  })
}
