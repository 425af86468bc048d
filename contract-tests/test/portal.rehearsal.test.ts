import { afterWebhookAttempt, createWebhookEndpoint, OrganizationId, type WebhookEndpointId, WebhookOutbox } from "@overa/domain"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { activity, client, rowsOf, stage } = sharedPortal()

const actByTest = { actor: "test", reason: "made for a test" }
const tenant = () => ({ organizationId: OrganizationId.make(stage.shop.organizationId), environment: "sandbox" as const })
const ownPath = () => `/setup/rehearsal/${stage.shop.businessPremiseId}`
const operatorPath = () => `/operator/organizations/${stage.shop.organizationId}/premises/${stage.shop.businessPremiseId}/rehearsal`
/** At midnight the newest back-up is yesterday's. */
const yesterday = () => new Date(Date.now() - 24 * 3_600_000).toLocaleDateString("sv-SE", { timeZone: "Europe/Belgrade" })
/** The state of a step on the page, by the step's heading. */
const stateOf = (text: string, step: string): string => new RegExp(`<h2>${step} <span class="badge \\w+">([^<]+)</span>`).exec(text)?.[1] ?? `no step ${step}`
const addEndpoint = async () =>
  (await stage.run(createWebhookEndpoint(actByTest, tenant(), { url: `https://shop.example/${randomUUID()}`, description: null, eventTypes: null, signature: "v1" }))).id

/** Does the worker's work on messages until it is told to stop: each address answers with its status. */
const answeringWorker = (statusOf: (id: WebhookEndpointId) => number) => {
  const told = new AbortController()
  const work = (async () => {
    while (!told.signal.aborted) {
      await stage.run(Effect.gen(function*() {
        const outbox = yield* WebhookOutbox
        for (const claimed of yield* outbox.claimDue(100, 60_000)) {
          const outcome = { statusCode: statusOf(claimed.endpoint.id), answer: "", error: null, millis: 3 }
          yield* outbox.conclude(claimed, outcome, (health, now) => afterWebhookAttempt(health, { attempts: claimed.attempts + 1, now, outcome, random: 0 }))
        }
        yield* Effect.sleep(50)
      }))
    }
  })()
  return () => {
    told.abort()
    return work
  }
}

describe("a rehearsal of going live in the portal", () => {
  let signedBefore = 0
  const signed = () => stage.desk.simulator.receipts(null).slice(signedBefore)
  beforeEach(() => void (signedBefore = stage.desk.simulator.receipts(null).length))
  afterEach(() => rowsOf("update webhook_endpoints set status = 'REMOVED' where organization_id = $1", [stage.shop.organizationId]))

  it("an operator says why, and sees each step with what was found; one Training receipt is signed", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    assert.strictEqual((await client.get(operatorPath(), { session })).status, 200)
    assert.deepStrictEqual(signed(), [])
    const answer = await client.send(operatorPath(), session, { reason: "before the shop goes live", backedUpOn: yesterday() })
    assert.strictEqual(answer.status, 200)
    for (const step of ["Инсталација", "Пословни простор", "Сертификат", "Порекло сертификата", "В-ПФР", "Часовник", "Пореске стопе", "Акредитив", "Резервна копија", "Рачун обуке", "ПАК", "Поновно читање", "Папир"]) {
      assert.strictEqual(stateOf(answer.text, step), "Ради", step)
    }
    for (const step of ["Лиценца", "Е-пошта", "Догађаји"]) assert.strictEqual(stateOf(answer.text, step), "Не користи се", step)
    assert.deepStrictEqual(signed().map(({ invoiceType }) => invoiceType), ["Training"])
    assert.include((await activity()).at(-1) ?? "", `operator:${stage.people.OPERATOR.email} going live rehearsed ${stage.shop.businessPremiseId}`)
  })

  it("an owner sees what the shop must do, and of the installation only that the operator must", async () => {
    const session = await stage.session(stage.people.OWNER)
    assert.strictEqual((await client.get(ownPath(), { session })).status, 200)
    const form = randomUUID()
    const answer = await client.send(ownPath(), session, { form })
    assert.strictEqual(stateOf(answer.text, "Рачун обуке"), "Ради")
    assert.strictEqual(stateOf(answer.text, "Резервна копија"), "Не ради")
    assert.include(answer.text, "Ово решава оператер")
    assert.notInclude(answer.text, "archive_command")
    // A double click has one receipt signed.
    assert.strictEqual((await client.send(ownPath(), session, { form })).status, 303)
    assert.strictEqual(signed().length, 1)
  })

  it("an owner who cannot change the setup, or is of another organization, rehearses nothing", async () => {
    assert.strictEqual((await client.send(ownPath(), await stage.session(stage.people.SUPPORT), {})).status, 403)
    assert.strictEqual((await client.send(ownPath(), await stage.session(stage.people.OTHER), {})).status, 404)
    assert.deepStrictEqual(signed(), [])
  })

  it("every address for events gets a test event: it works where each has taken it", async () => {
    await addEndpoint()
    const stop = answeringWorker(() => 204)
    const answer = await client.send(ownPath(), await stage.session(stage.people.OWNER), {})
    await stop()
    assert.strictEqual(stateOf(answer.text, "Догађаји"), "Ради")
  })

  it("an address that refuses the test event is named with its answer, and the owner is told what to do", async () => {
    await addEndpoint()
    const broken = await addEndpoint()
    const stop = answeringWorker((id) => id === broken ? 500 : 204)
    const answer = await client.send(ownPath(), await stage.session(stage.people.OWNER), {})
    await stop()
    assert.strictEqual(stateOf(answer.text, "Догађаји"), "Не ради")
    assert.include(answer.text, "HTTP 500")
    assert.include(answer.text, "даје одговор програмеру")
  })
})
