import { pageFolders } from "@overa/portal"
import { assert, beforeAll, describe, it } from "vitest"
import { issueSale } from "../src/portal/issueSale.ts"
import { password } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"
import { giveRole } from "../src/support/giveRole.ts"
import { totpCode } from "../src/support/totpCode.ts"

const { client, rowsOf, stage } = sharedPortal()

const routes = pageFolders.flatMap((folder) => folder.routes).filter(({ access }) => access.area === "operator")
const asks = "Подаци организације се читају само са разлогом"

/** Pages that are about the installation and its operators. Every other one of the area is about an organization. */
const ofInstallation: ReadonlyArray<string> = [
  "/operator", "/operator/activity", "/operator/attention", "/operator/billing", "/operator/billing/close", "/operator/billing/invoices/:number",
  "/operator/billing/invoices/:number/not-paid", "/operator/billing/invoices/:number/paid", "/operator/billing/issuer", "/operator/billing/prices", "/operator/elements",
  "/operator/environments/:environment", "/operator/installation", "/operator/installation/pool", "/operator/installation/reseal", "/operator/installation/roots/add",
  "/operator/installation/signers/add", "/operator/installation/token-keys/:kid/revoke", "/operator/installation/token-keys/add", "/operator/journal/key", "/operator/journal/verify",
  "/operator/organizations/onboard", "/operator/organizations", "/operator/organizations/add", "/operator/people/add", "/operator/people/erase", "/operator/people/password", "/operator/people/second-factor",
  "/operator/restore/begin", "/operator/restore/end", "/operator/unknown"
]

let names: Readonly<Record<string, string>>
/** What only the organization's own people, and operators with a reason, may read. */
let secrets: ReadonlyArray<string>
beforeAll(async () => {
  const { businessPremiseId, clientId, organizationId, taxpayerId } = stage.shop
  const sale = await issueSale(stage, { reference: "порџбина-закључана", item: "Закључани артикал" })
  const [element] = await rowsOf<{ readonly id: string }>("select element_id::text as id from security_elements where organization_id = $1 limit 1", [organizationId])
  await rowsOf("insert into members (organization_id, person, role, added_at) values ($1, 'ceka@zakljucano.example', 'OWNER', now())", [organizationId])
  const [item] = await rowsOf<{ readonly id: string }>(
    `insert into attention (organization_id, operation_id, kind, detail, evidence, raised_at) values ($1, $2, 'SECOND_RECEIPT', 'закључан опис: 1.250,50', 'закључани докази', now()) returning attention_id::text as id`,
    [organizationId, sale.id]
  )
  await rowsOf(
    "insert into attention (organization_id, person_id, kind, detail, raised_at) values ('00000000-0000-0000-0000-000000000000', $1, 'SECOND_FACTOR_GUESSED', 'закључана особа', now())",
    [stage.people.ACCOUNTANT.id]
  )
  names = { id: organizationId, taxpayer: taxpayerId, premise: businessPremiseId, client: clientId, element: element?.id ?? "", operation: sale.id, item: item?.id ?? "", environment: "sandbox", number: "1", kid: "none" }
  secrets = ["ceka@zakljucano.example", stage.people.OWNER.email, stage.people.ACCOUNTANT.email, "порџбина-закључана", "Закључани артикал", "закључани докази", "закључан опис", "закључана особа", "100000049"]
})

const addressOf = (path: string): string => path.replaceAll(/:(\w+)/g, (_, name: string) => names[name] ?? assert.fail(`no ${name} for ${path}`))
const isOfInstallation = ({ path }: { readonly path: string }): boolean => ofInstallation.includes(path)
const openedLines = () => rowsOf<{ readonly reason: string }>("select reason from activity_log where act = 'data opened by an operator' and organization_id = $1 order by at", [stage.shop.organizationId])

describe("an operator reads an organization's data for a reason alone", () => {
  it("on every page that is about one, until the reason was given in this session", async () => {
    const pages = routes.filter((route) => route.method === "GET" && !isOfInstallation(route))
    assert.isAtLeast(pages.length, 25)
    for (const { path } of pages) {
      const session = await stage.session(stage.people.OPERATOR)
      const { status, text } = await client.get(addressOf(path), { session })
      assert.strictEqual(status, 200, path)
      assert.include(text, asks, path)
      for (const secret of secrets) assert.notInclude(text, secret, path)
    }
    const session = await stage.session(stage.people.OPERATOR)
    assert.include((await client.get(`/operator/activity?organization=${stage.shop.organizationId}`, { session })).text, asks)
    const before = (await openedLines()).length
    await client.send(addressOf("/operator/organizations/:id/open"), session, { reason: "тикет 17", back: "/operator" })
    assert.deepStrictEqual((await openedLines()).slice(before).map(({ reason }) => reason), ["тикет 17"])
    for (const { path } of pages) assert.notInclude((await client.get(addressOf(path), { session })).text, asks, path)
  }, 60_000)

  it("and no list of the installation says it", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    for (const { path } of routes.filter((route) => route.method === "GET" && isOfInstallation(route))) {
      const { text } = await client.get(addressOf(path), { session })
      // The log of the installation names people whose accounts an operator has made.
      const told = path === "/operator/activity" ? secrets.filter((secret) => !secret.endsWith("@primer.example")) : secrets
      for (const secret of told) assert.notInclude(text, secret, `${path} says ${secret}`)
    }
    assert.deepStrictEqual(ofInstallation.filter((path) => !routes.some((route) => route.path === path)), [])
  }, 60_000)

  it("and an act that shows its form again does so for the reason that it was sent with", async () => {
    const remove = addressOf("/operator/organizations/:id/members/remove")
    for (const reason of ["", " ", "x".repeat(501)]) {
      const { status, text } = await client.send(remove, await stage.session(stage.people.OPERATOR), { reason, person: "niko@primer.example" })
      assert.strictEqual(status, 422)
      assert.include(text, asks)
    }
    const before = (await openedLines()).length
    const refused = await client.send(remove, await stage.session(stage.people.OPERATOR), { reason: "тикет 18", person: "niko@primer.example" })
    assert.strictEqual(refused.status, 422)
    assert.notInclude(refused.text, asks)
    assert.deepStrictEqual((await openedLines()).slice(before).map(({ reason }) => reason), ["тикет 18"])
  })

  it("and the address to which the reason leads keeps its query", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    const address = `/operator/activity?organization=${stage.shop.organizationId}&text=open`
    const { text } = await client.get(address, { session })
    const back = (/name="back" value="([^"]*)"/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&")
    assert.strictEqual((await client.send(addressOf("/operator/organizations/:id/open"), session, { reason: "тикет 19", back })).location, address)
  })

  it("and an item about a person says whom it is about for a reason, too; one about the installation needs none", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    const itemOf = async (kind: string) => (await rowsOf<{ readonly id: string }>("select attention_id::text as id from attention where kind = $1", [kind]))[0]?.id ?? ""
    const path = `/operator/attention/${await itemOf("SECOND_FACTOR_GUESSED")}`
    const closed = await client.get(path, { session })
    assert.include(closed.text, asks)
    for (const secret of [stage.people.ACCOUNTANT.email, "закључана особа"]) assert.notInclude(closed.text, secret)
    const refused = await client.send(path, session, { reason: "" })
    assert.deepStrictEqual([refused.status, refused.text.includes(stage.people.ACCOUNTANT.email)], [422, false])
    await client.send(addressOf("/operator/organizations/:id/open"), session, { reason: "тикет 20", back: path })
    assert.include((await client.get(path, { session })).text, stage.people.ACCOUNTANT.email)
    assert.include((await client.get("/operator/attention", { session })).text, "закључан опис", "of the opened organization the list says what happened")
    await rowsOf(
      "insert into attention (organization_id, person_id, kind, detail, raised_at) values ('00000000-0000-0000-0000-000000000000', $1, 'SECOND_FACTOR_GUESSED', 'код оператера', now())",
      [stage.people.OPERATOR.id]
    )
    const [own] = await rowsOf<{ readonly id: string }>("select attention_id::text as id from attention where person_id = $1", [stage.people.OPERATOR.id])
    const shown = await client.get(`/operator/attention/${own?.id}`, { session: await stage.session(stage.people.OPERATOR) })
    assert.include(shown.text, "код оператера")
    assert.include(shown.text, stage.people.OPERATOR.email)
  })

  it("and so does one who is also a member: where the member was last opens nothing", async () => {
    const { email } = stage.people.OPERATOR
    const database = await stage.desk.database.client()
    for (const organization of [stage.shop.organizationId, stage.otherOrganizationId]) await giveRole(database, organization, email, "SUPPORT")
    const half = (await client.ask("POST", "/sign-in", { form: { email, password } })).cookies.get("session") ?? ""
    const proof = /name="proof" value="([^"]*)"/.exec((await client.get("/sign-in/code", { session: half })).text)?.[1] ?? ""
    const session = (await client.ask("POST", "/sign-in/code", { session: half, form: { proof, code: totpCode(stage.operatorSecret) } })).cookies.get("session") ?? ""
    const before = (await openedLines()).length
    const page = addressOf("/operator/organizations/:id")
    const closed = async (when: string) => {
      const { text } = await client.get(page, { session })
      assert.include(text, asks, when)
      for (const secret of secrets) assert.notInclude(text, secret, when)
    }
    await closed("after signing in")
    assert.strictEqual((await client.get(`/o/${stage.shop.organizationId}/sandbox/receipts`, { session })).status, 200)
    await closed("on a page of the member")
    assert.strictEqual((await client.send("/organization", session, { organization: stage.shop.organizationId, environment: "sandbox" })).status, 303)
    await closed("after choosing the organization")
    assert.lengthOf(await openedLines(), before)
    await client.send(`${page}/open`, session, { reason: "тикет 21", back: page })
    assert.strictEqual((await client.get(`/o/${stage.otherOrganizationId}/sandbox/receipts`, { session })).status, 200)
    assert.notInclude((await client.get(page, { session })).text, asks, "the reason holds for the session, wherever the member goes")
    await client.send(`/operator/organizations/${stage.otherOrganizationId}/open`, session, { reason: "тикет 22", back: "/operator" })
    await closed("another organization was opened since")
    assert.deepStrictEqual((await openedLines()).slice(before).map(({ reason }) => reason), ["тикет 21"])
  })
})
