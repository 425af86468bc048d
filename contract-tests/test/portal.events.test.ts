import { CredentialActs, IssuerAccounts, OrganizationActs, OrganizationId, People, RecoveryCodes, WebhookOutbox } from "@overa/domain"
import type { PortalServices } from "@overa/portal"
import { Effect, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { takeMails } from "../src/portal/mailedLinks.ts"
import { password } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()

const act = { actor: "test", reason: "test" }
const own = { by: "OWNER", environment: null } as const

/** Takes a step, and answers who was told what by it, in English. */
const toldBy = async (step: () => Promise<unknown>): Promise<ReadonlyArray<string>> => {
  await takeMails(stage)
  await step()
  return (await takeMails(stage)).map(({ recipient, subject }) => `${recipient}: ${subject.split(" / ")[1] ?? ""}`).toSorted()
}

const running = <A, E>(step: Effect.Effect<A, E, PortalServices>) => () => stage.run(Effect.orDie(step))

describe("every event that concerns an account's security is told by e-mail, in its commit", () => {
  it("a sign-in on a new device, a new password", async () => {
    const person = stage.people.ACCOUNTANT
    assert.deepStrictEqual(await toldBy(() => client.ask("POST", "/sign-in", { form: { email: person.email, password } })), [`${person.email}: Sign-in on a new device`])
    assert.deepStrictEqual(await toldBy(running(Effect.flatMap(Effect.service(People), (it) => it.changePassword(act, person.id, Redacted.make("x"), null)))), [`${person.email}: The password was changed`])
  })

  it("recovery codes made and used, an account at the issuer linked, an account that begins anew", async () => {
    const person = stage.people.SUPPORT
    const codes = <A>(use: (it: RecoveryCodes["Service"]) => Effect.Effect<A, unknown>) => running(Effect.flatMap(Effect.service(RecoveryCodes), use))
    assert.deepStrictEqual(await toldBy(codes((it) => it.replace(act, person.id, ["a".repeat(64)]))), [`${person.email}: New recovery codes were made; earlier ones have ended`])
    assert.deepStrictEqual(await toldBy(codes((it) => it.use(act, person.id, "a".repeat(64)))), [`${person.email}: Sign-in with a recovery code instead of the second factor`])
    assert.deepStrictEqual(await toldBy(codes((it) => it.use(act, person.id, "a".repeat(64)))), [], "a used code says nothing")
    const link = running(Effect.flatMap(Effect.service(IssuerAccounts), (it) => it.link(act, person.id, { issuer: "https://id.example", subject: "7" })))
    assert.deepStrictEqual(await toldBy(link), [`${person.email}: Your account can be signed in to by an account at the sign-in issuer from now on`])
    await rowsOf("update people set email_proven_at = null where person_id = $1", [person.id])
    const prove = running(Effect.flatMap(Effect.service(People), (it) => it.proveAddress(act, person.id, null)))
    assert.deepStrictEqual(await toldBy(prove), [`${person.email}: The account's address was confirmed; a password and second factors that were set before have ended`])
  })

  it("to the owners: a new member, a new credential, a new secret of one, events that do not arrive", async () => {
    const organizationId = OrganizationId.make(stage.shop.organizationId)
    const owner = stage.people.OWNER.email
    const member = running(Effect.flatMap(Effect.service(OrganizationActs), (it) => it.addMember(act, organizationId, { person: stage.people.NOBODY.email, role: "SUPPORT" })))
    assert.deepStrictEqual(await toldBy(member), [`${owner}: The organization has a new member`])
    let clientId = ""
    const issue = async () => {
      const session = await stage.session(stage.people.OWNER)
      const { text } = await client.send("/credentials/new", session, { name: "Веб", scope: "fiscal:read", reach: "all", current: password })
      clientId = /<span class="secret">(svc-[a-z0-9-]+)<\/span>/.exec(text)?.[1] ?? ""
    }
    assert.deepStrictEqual(await toldBy(issue), [`${owner}: The organization has a new credential: a program can issue receipts in its name`])
    const rotate = running(Effect.flatMap(Effect.service(CredentialActs), (it) => it.rotateCredential(act, clientId, 0, { ...own, organizationId })))
    assert.deepStrictEqual(await toldBy(rotate), [`${owner}: A credential of the organization has a new secret`])
    const session = await stage.session(stage.people.OWNER)
    await client.send("/webhooks/new", session, { url: "https://shop.example/events", reach: "all", signature: "v1", description: "", current: password })
    const [endpoint] = await rowsOf<{ readonly id: string }>("select endpoint_id::text as id from webhook_endpoints where organization_id = $1", [organizationId])
    await client.send(`/webhooks/${endpoint?.id}/test`, session, {})
    const pause = running(Effect.gen(function*() {
      const outbox = yield* WebhookOutbox
      const [claimed] = yield* outbox.claimDue(100, 60_000)
      if (claimed === undefined) return yield* Effect.die(new Error("nothing is due"))
      yield* outbox.conclude(claimed, { statusCode: 503, answer: "", error: null, millis: 7 }, (health, now) => ({
        counts: true, status: "PENDING", dueAt: now + 60_000, health: { failures: health.failures + 1, failingSince: now }, tryAt: now, pause: "FAILING", recovered: false
      }))
    }))
    assert.deepStrictEqual(await toldBy(pause), [`${owner}: An address for events takes nothing and was paused; resume it when it works again`])
  })
})
