import { AccessOversight, BusinessPremiseId, OrganizationId } from "@overa/domain"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"
import { password } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { activity, client, stage } = sharedPortal()

const secretIn = (text: string): string => /<span class="secret">([A-Za-z0-9_-]{43})<\/span>/.exec(text)?.[1] ?? ""
const clientIn = (text: string): string => /<span class="secret">(svc-[a-z0-9-]+)<\/span>/.exec(text)?.[1] ?? ""

const tokenOf = async (clientId: string, clientSecret: string) => {
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret })
  const answer = await fetch(stage.api.authUrl, { method: "POST", body: form })
  return { status: answer.status, token: answer.ok ? (await answer.json() as { readonly access_token: string }).access_token : "" }
}
const credentialsNow = () => stage.run(Effect.gen(function*() {
  return yield* (yield* AccessOversight).credentials(OrganizationId.make(stage.shop.organizationId))
}))
const form = (change: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({ name: "Веб продавница", scope: "fiscal:read", reach: "some", premise: stage.shop.businessPremiseId, current: password, ...change })

describe("an owner's credentials", () => {
  it("are issued with name, scopes and premises after the password, and the secret is shown once", async () => {
    const session = await stage.session(stage.people.OWNER)
    const before = (await credentialsNow()).length
    const wrong = await client.send("/credentials/new", session, form({ current: "not the password" }))
    assert.strictEqual(wrong.status, 422)
    assert.strictEqual((await credentialsNow()).length, before)
    const issued = await client.send("/credentials/new", session, form())
    assert.strictEqual(issued.status, 200)
    const [clientId, secret] = [clientIn(issued.text), secretIn(issued.text)]
    const { status, token } = await tokenOf(clientId, secret)
    assert.strictEqual(status, 200)
    const entry = (await credentialsNow()).find((it) => it.clientId === clientId)
    assert.deepInclude(entry, { name: "Веб продавница", scopes: ["fiscal:read"], premises: [BusinessPremiseId.make(stage.shop.businessPremiseId)], environment: "sandbox" })
    // The API keeps it to its premise.
    const whole = await fetch(`${stage.api.url}/v1/journal`, { headers: { Authorization: `Bearer ${token}` } })
    assert.strictEqual(whole.status, 403)
    const list = await client.get("/credentials", { session })
    assert.include(list.text, "Веб продавница")
    assert.notInclude(list.text, secret)
    assert.include((await activity()).join("\n"), `portal:${stage.people.OWNER.email} credential issued ${clientId}`)
  })

  it("have two secrets after a rotation for the chosen time", async () => {
    const session = await stage.session(stage.people.OWNER)
    const issued = await client.send("/credentials/new", session, form({ name: "Мења тајну" }))
    const [clientId, first] = [clientIn(issued.text), secretIn(issued.text)]
    const path = `/credentials/rotate/${clientId}`
    assert.strictEqual((await client.send(path, session, { keep: "24", current: "wrong wrong wrong" })).status, 422)
    const second = secretIn((await client.send(path, session, { keep: "24", current: password })).text)
    assert.notStrictEqual(second, first)
    assert.deepStrictEqual([(await tokenOf(clientId, first)).status, (await tokenOf(clientId, second)).status], [200, 200])
    assert.include((await client.get("/credentials", { session })).text, "Стара тајна важи до")
    const third = secretIn((await client.send(path, session, { keep: "0", current: password })).text)
    assert.deepStrictEqual([(await tokenOf(clientId, second)).status, (await tokenOf(clientId, third)).status], [401, 200])
  })

  it("say what a form lacks, and restrict to nothing that is not marked", async () => {
    const session = await stage.session(stage.people.OWNER)
    const before = (await credentialsNow()).length
    for (const change of [{ name: "" }, { name: "x".repeat(101) }, { scope: "" }, { scope: "credentials:manage" }, { premise: "" }, { premise: randomUUID() }, { reach: "", premise: "" }]) {
      assert.strictEqual((await client.send("/credentials/new", session, form(change))).status, 422, JSON.stringify(change))
    }
    assert.strictEqual((await credentialsNow()).length, before)
  })

  it("are nobody else's: administrators revoke and do not issue, another organization's owner does not find them, one that manages is only revoked", async () => {
    const owner = await stage.session(stage.people.OWNER)
    const issued = await client.send("/credentials/new", owner, form({ name: "Циљ" }))
    const clientId = clientIn(issued.text)
    const administrator = await stage.session(stage.people.ADMINISTRATOR)
    assert.strictEqual((await client.send("/credentials/new", administrator, form())).status, 403)
    assert.strictEqual((await client.send(`/credentials/rotate/${clientId}`, administrator, { keep: "0", current: password })).status, 403)
    const other = await stage.session(stage.people.OTHER)
    assert.strictEqual((await client.send(`/credentials/rotate/${clientId}`, other, { keep: "0", current: password })).status, 404)
    assert.strictEqual((await client.send("/credentials/revoke", other, { client: clientId })).status, 404)
    const manager = JSON.parse((await stage.desk.admin(["credentials", "issue", stage.shop.organizationId, "--environment", "sandbox", "--scope", "credentials:manage", "--reason", "a platform", "--json"])).out) as { readonly clientId: string }
    assert.strictEqual((await client.send(`/credentials/rotate/${manager.clientId}`, owner, { keep: "0", current: password })).status, 404)
    assert.strictEqual((await client.send("/credentials/revoke", owner, { client: manager.clientId })).status, 303)
    assert.strictEqual((await client.send("/credentials/revoke", administrator, { client: clientId })).status, 303)
  })

  it("are the operator's alone where the operator forbids it", async () => {
    const session = await stage.session(stage.people.OWNER)
    const clientId = clientIn((await client.send("/credentials/new", session, form({ name: "Пре забране" }))).text)
    const operator = await stage.session(stage.people.OPERATOR)
    const own = `/operator/organizations/${stage.shop.organizationId}/credentials/own`
    await client.send(`/operator/organizations/${stage.shop.organizationId}/open`, operator, { reason: "asked for by the owner", back: own })
    const page = await client.get(own, { session: operator })
    const state = /name="state" value="([^"]*)"/.exec(page.text)?.[1] ?? ""
    assert.strictEqual((await client.send(own, operator, { own: "forbid", state, reason: "asked for by the owner" })).status, 303)
    assert.strictEqual((await client.get("/credentials/new", { session })).status, 404)
    assert.strictEqual((await client.send("/credentials/new", session, form())).status, 404)
    assert.strictEqual((await client.send(`/credentials/rotate/${clientId}`, session, { keep: "0", current: password })).status, 404)
    assert.notInclude((await client.get("/credentials", { session })).text, "/credentials/new")
    assert.strictEqual((await client.send("/credentials/revoke", session, { client: clientId })).status, 303)
  })
})
