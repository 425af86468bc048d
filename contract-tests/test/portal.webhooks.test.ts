import { OrganizationId, WebhookEndpointId, WebhookOutbox, WebhookStore } from "@overa/domain"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"
import { issueSale } from "../src/portal/issueSale.ts"
import { password } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { activity, client, rowsOf, stage } = sharedPortal()

const secretIn = (text: string): string => /<span class="secret">(wh(?:sec|pk)_[^<]+)<\/span>/.exec(text)?.[1] ?? ""
const tenant = () => ({ organizationId: OrganizationId.make(stage.shop.organizationId), environment: "sandbox" as const })
const endpoints = () => stage.run(Effect.gen(function*() {
  return yield* (yield* WebhookStore).list(tenant())
}))
const queued = (id: string) =>
  rowsOf<{ readonly event_id: string; readonly sequence: string | null }>("select event_id, sequence from webhook_messages where endpoint_id = $1 order by position", [id])
const form = (change: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  url: `https://shop.example/${randomUUID()}`, description: "Веб продавница", reach: "all", signature: "v1", current: password, ...change
})

/** Adds an endpoint; answers its id and the page with its secret. */
const add = async (session: string, change: Readonly<Record<string, string>> = {}) => {
  const answer = await client.send("/webhooks/new", session, form(change))
  const id = /href="[^"]*\/webhooks\/([0-9a-f-]{36})"/.exec(answer.text)?.[1] ?? ""
  return { answer, id, path: `/webhooks/${id}` }
}

describe("an owner's webhooks", () => {
  it("are added after the password, the secret is shown once, and each write is in the activity log", async () => {
    const session = await stage.session(stage.people.OWNER)
    assert.strictEqual((await client.send("/webhooks/new", session, form({ current: "not the password" }))).status, 422)
    assert.deepStrictEqual(await endpoints(), [])
    const { answer, id, path } = await add(session, { reach: "some", type: "document.fiscalized" })
    assert.strictEqual(answer.status, 200)
    const secret = secretIn(answer.text)
    assert.match(secret, /^whsec_/)
    const [kept] = await endpoints()
    assert.deepInclude(kept, { id: WebhookEndpointId.make(id), eventTypes: ["document.fiscalized"], status: "ACTIVE" })
    for (const page of [path, "/webhooks"]) assert.notInclude((await client.get(page, { session })).text, secret)
    const another = secretIn((await client.send(`${path}/secret`, session, { current: password })).text)
    assert.match(another, /^whsec_/)
    assert.notStrictEqual(another, secret)
    // Both sign for a day.
    assert.strictEqual((await endpoints())[0]?.secrets.length, 2)
    for (const [status, done] of [["PAUSED", "webhook-paused"], ["ACTIVE", "webhook-resumed"], ["REMOVED", "webhook-removed"]] as const) {
      const changed = await client.send(`${path}/status`, session, { status })
      assert.strictEqual(changed.status, 303)
      assert.include(changed.location ?? "", done)
    }
    assert.deepStrictEqual(await endpoints(), [])
    assert.strictEqual((await client.get(path, { session })).status, 404)
    const lines = (await activity()).filter((line) => line.includes(id))
    const by = `portal:${stage.people.OWNER.email}`
    assert.deepStrictEqual(lines, [
      `${by} webhook endpoint added ${id}`, `${by} webhook secret rotated ${id}`,
      ...["PAUSED", "ACTIVE", "REMOVED"].map(() => `${by} webhook endpoint changed ${id}`)
    ])
    assert.notInclude(JSON.stringify(await rowsOf("select before, after from activity_log where subject = $1", [id])), "whsec_")
  })

  it("get a test message and events again, and their log says how each attempt ended", async () => {
    const session = await stage.session(stage.people.OWNER)
    const { id, path } = await add(session)
    assert.include((await client.send(`${path}/test`, session, {})).location ?? "", "webhook-tested")
    const [message] = await queued(id)
    assert.match(message?.event_id ?? "", /^evt_test_/)
    await issueSale(stage, {})
    const range = { from: "1", to: "1" }
    assert.strictEqual((await client.send(`${path}/resend`, session, range)).status, 303)
    for (const wrong of [{ from: "", to: "1" }, { from: "2", to: "1" }, { from: "1", to: "1001" }, { from: "x", to: "y" }]) {
      assert.strictEqual((await client.send(`${path}/resend`, session, wrong)).status, 422, JSON.stringify(wrong))
    }
    await stage.run(Effect.gen(function*() {
      const outbox = yield* WebhookOutbox
      const claimed = (yield* outbox.claimDue(100, 60_000)).find(({ endpoint }) => endpoint.id === id)
      if (claimed === undefined) return yield* Effect.die(new Error("nothing is due"))
      yield* outbox.conclude(claimed, { statusCode: 503, answer: "<b>сутра</b>", error: null, millis: 7 }, (health, now) => ({
        counts: true, status: "PENDING", dueAt: now + 60_000, health: { failures: health.failures + 1, failingSince: now }, tryAt: now, pause: "FAILING", recovered: false
      }))
    }))
    const { text } = await client.get(path, { session })
    assert.include(text, "&lt;b>сутра&lt;/b>")
    assert.include(text, "503")
    // Paused by the worker: the page says why, and resuming makes everything due.
    assert.include(text, "три дана није примио ниједну поруку")
    await client.send(`${path}/status`, session, { status: "ACTIVE" })
    assert.deepInclude((await endpoints()).find((it) => it.id === id), { status: "ACTIVE", failingSince: null })
  })

  it("say what a form lacks", async () => {
    const session = await stage.session(stage.people.OWNER)
    const before = (await endpoints()).length
    for (const change of [{ url: "" }, { url: "ftp://shop.example" }, { url: "https://user:secret@shop.example" }, { url: "https://shop.example/#a" }, { description: "x".repeat(201) }, { reach: "some" }, { reach: "some", type: "no.such.event" }, { signature: "v2" }]) {
      assert.strictEqual((await client.send("/webhooks/new", session, form(change))).status, 422, JSON.stringify(change))
    }
    const url = `https://shop.example/${randomUUID()}`
    await add(session, { url })
    const twice = await client.send("/webhooks/new", session, form({ url }))
    assert.strictEqual(twice.status, 422)
    assert.include(twice.text, "Други вебхук већ има ову адресу.")
    assert.strictEqual((await endpoints()).length, before + 1)
  })

  it("get another address after the password; the secret stays, and the activity log has both addresses", async () => {
    const session = await stage.session(stage.people.OWNER)
    const former = `https://shop.example/${randomUUID()}`
    const { answer, id, path } = await add(session, { url: former, reach: "some", type: "document.found" })
    const kept = async () => (await endpoints()).find((it) => it.id === id)
    const secrets = (await kept())?.secrets
    const shown = (await client.get(`${path}/change`, { session })).text
    assert.include(shown, former)
    assert.include(shown, "Веб продавница")
    assert.match(shown, /value="document\.found"[^>]* checked/)
    assert.match(shown, /<option value="some" selected/)
    const url = `https://shop.example/${randomUUID()}`
    const change = (more: Readonly<Record<string, string>> = {}) => client.send(`${path}/change`, session, { url, description: "ERP", reach: "all", current: password, ...more })
    for (const wrong of [{ current: "not the password" }, { url: "" }, { url: "https://user:secret@shop.example" }, { url: "ftp://shop.example" }, { reach: "some" }, { description: "x".repeat(201) }]) {
      assert.strictEqual((await change(wrong)).status, 422, JSON.stringify(wrong))
    }
    assert.deepInclude(await kept(), { url: former, description: "Веб продавница" })
    const done = await change()
    assert.deepStrictEqual([done.status, done.location?.includes("webhook-changed")], [303, true])
    assert.deepInclude(await kept(), { url, description: "ERP", eventTypes: null, status: "ACTIVE" })
    assert.deepStrictEqual((await kept())?.secrets, secrets)
    assert.notInclude((await client.get(path, { session })).text, secretIn(answer.text))
    const lines = await rowsOf("select actor, before::json ->> 'url' as before, after::json ->> 'url' as after from activity_log where subject = $1 and act = 'webhook endpoint changed'", [id])
    assert.deepStrictEqual(lines, [{ actor: `portal:${stage.people.OWNER.email}`, before: former, after: url }])
  })

  it("keep their address where another webhook has the new one, and stay paused where they were", async () => {
    const session = await stage.session(stage.people.OWNER)
    const taken = `https://shop.example/${randomUUID()}`
    await add(session, { url: taken })
    const { id, path } = await add(session)
    await client.send(`${path}/status`, session, { status: "PAUSED" })
    const twice = await client.send(`${path}/change`, session, { url: taken, description: "", reach: "all", current: password })
    assert.strictEqual(twice.status, 422)
    assert.include(twice.text, "Други вебхук већ има ову адресу.")
    const url = `https://shop.example/${randomUUID()}`
    const changed = await client.send(`${path}/change`, session, { url, description: "", reach: "all", current: password })
    assert.include(changed.location ?? "", "webhook-changed-paused")
    assert.deepInclude((await endpoints()).find((it) => it.id === id), { url, description: null, status: "PAUSED", pausedBecause: "REQUESTED" })
  })

  it("are nobody else's: an administrator reads, another organization's owner does not find them", async () => {
    const { path } = await add(await stage.session(stage.people.OWNER))
    const administrator = await stage.session(stage.people.ADMINISTRATOR)
    const seen = await client.get(path, { session: administrator })
    assert.strictEqual(seen.status, 200)
    for (const act of ["test", "change"]) assert.notInclude(seen.text, `${path}/${act}`)
    const other = await stage.session(stage.people.OTHER)
    for (const act of ["test", "resend", "status", "secret", "change"]) {
      assert.strictEqual((await client.send(`${path}/${act}`, administrator, { from: "1", to: "1", status: "REMOVED", current: password })).status, 403)
      assert.strictEqual((await client.send(`${path}/${act}`, other, { from: "1", to: "1", status: "REMOVED", current: password })).status, 404)
    }
    assert.strictEqual((await client.get(path, { session: other })).status, 404)
  })
})
