import { AttentionOversight, type OrganizationId, RecordActs, takenIdentifiers } from "@overa/domain"
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { sharedPortal } from "../src/portal/sharedPortal.ts"
import { accessToken } from "../src/support/accessToken.ts"
import { registerShop } from "../src/support/registerShop.ts"
import { withRightDigit } from "../src/support/rightDigits.ts"

const { activity, client, rowsOf, stage } = sharedPortal()

const registration = (taxIdentifier: string) => ({
  taxIdentifier, name: "Продавница", vatStatus: "IN_VAT", businessPremises: [{ puIdentifier: randomUUID().slice(0, 12), name: "Интернет" }]
})

const register = async (taxIdentifier: string) => {
  const headers = { Authorization: `Bearer ${await accessToken(stage.api, stage.shop)}`, "Content-Type": "application/json" }
  const answer = await fetch(`${stage.api.url}/v1/taxpayers`, { method: "POST", headers, body: JSON.stringify(registration(taxIdentifier)) })
  return { status: answer.status, wait: Number(answer.headers.get("Retry-After")), text: await answer.text() }
}

/** A tax identifier that another organization has in the test environment. */
const anothers = async (): Promise<string> => {
  const [taxpayerId, organizationId] = [randomUUID(), randomUUID() as OrganizationId]
  await registerShop(stage.desk.database, { taxpayerId, tenant: { environment: "sandbox", organizationId } } as Parameters<typeof registerShop>[1])
  const taxIdentifier = String(Math.floor(Math.random() * 800_000_000) + 100_000_000)
  await rowsOf("insert into directory_taxpayers (environment, tax_identifier, organization_id, taxpayer_id) values ('sandbox', $1, $2, $3)", [taxIdentifier, organizationId, taxpayerId])
  return taxIdentifier
}

const free = (): string => withRightDigit(String(Math.floor(Math.random() * 9_900_000)).padStart(8, "0"))
const items = () => stage.run(Effect.gen(function*() {
  return (yield* (yield* AttentionOversight).openAttention(null, 500)).filter(({ kind }) => kind === "IDENTIFIERS_TRIED")
}))
const refusals = async () => (await activity()).filter((line) => line.includes("taxpayer registration refused"))

describe("which tax identifiers other shops have", () => {
  it("is told ten times a day, noted each time, and then not even for a free identifier", async () => {
    const own = free()
    assert.strictEqual((await register(own)).status, 201)
    for (let tries = 0; tries < 12; tries++) assert.strictEqual((await register(own)).status, 409, "an own identifier tells nothing of others")
    assert.deepStrictEqual(await refusals(), [])
    const taken = await anothers()
    for (let tries = 1; tries <= takenIdentifiers.most; tries++) {
      assert.deepStrictEqual(await items(), [], `before try ${tries}`)
      const answer = await register(taken)
      assert.deepStrictEqual([answer.status, JSON.parse(answer.text).code], [409, "TAXPAYER_ALREADY_EXISTS"])
    }
    assert.strictEqual((await refusals()).length, 10)
    const [item] = await items()
    assert.deepInclude(item, { organizationId: stage.shop.organizationId as OrganizationId, operationId: null, elementId: null, personId: null })
    // Taken, free and own are answered alike: nothing is looked up.
    const after = await Promise.all([taken, free(), own].map(register))
    for (const answer of after) {
      assert.strictEqual(answer.status, 429)
      assert.isTrue(answer.wait > 86_000 && answer.wait <= 86_400, `${answer.wait}`)
      assert.strictEqual(JSON.parse(answer.text).code, "RATE_LIMITED")
    }
    assert.strictEqual(new Set(after.map(({ text }) => text)).size, 1)
    assert.strictEqual((await refusals()).length, 10)
  })

  it("is told no more often by the portal's form, which says what to do", async () => {
    const session = await stage.session(stage.people.OWNER)
    const form = { taxId: free(), name: "Фирма", address: "", city: "", vat: "IN_VAT", pu: "77", premise: "Радња", premiseAddress: "", premiseCity: "" }
    const answer = await client.send("/setup/taxpayers/new", session, form)
    assert.strictEqual(answer.status, 422)
    assert.include(answer.text, "или се обратите оператеру")
  })

  it("is seen by the operator, who marks it as dealt with", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    const [item] = await items()
    if (item === undefined) return assert.fail("no item")
    assert.include((await client.get("/operator/attention", { session })).text, "испробавање туђих ПИБ-ова")
    assert.strictEqual((await client.get(`/operator/attention/${item.id}`, { session })).status, 200)
    await stage.run(Effect.gen(function*() {
      yield* (yield* RecordActs).acknowledge({ actor: "operator:ana", reason: "called the shop" }, item.id)
    }))
    assert.deepStrictEqual(await items(), [])
  })
})
