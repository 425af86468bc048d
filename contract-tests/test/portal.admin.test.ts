import { commandNames, Desk } from "@overa/admin"
import { pageFolders } from "@overa/portal"
import { assert, beforeAll, describe, it, vi } from "vitest"
import { giveRole } from "../src/support/giveRole.ts"
import { adminInPortal } from "../src/portal/adminInPortal.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const desk = new Desk({ environment: {}, write: () => undefined, writeError: () => undefined, nextLine: () => Promise.resolve(null), ask: null, userName: "test" })
const routes = new Map(pageFolders.flatMap((folder) => folder.routes).map((route) => [`${route.method} ${route.path}`, route]))

describe("everything the operator's command can do, the portal can do", () => {
  it("each command has its page or act, or says why there is none", () => {
    assert.deepStrictEqual(Object.keys(adminInPortal).toSorted(), commandNames(desk).toSorted())
    assert.isAtLeast(commandNames(desk).length, 60)
  })

  it("those pages and acts are there, in the operators' area", () => {
    const missing = Object.entries(adminInPortal).filter(([command, it]) => {
      const route = "page" in it ? routes.get(`GET ${it.page}`) : "act" in it ? routes.get(`POST ${it.act}`) : null
      return route !== null && !(route?.access.area === "operator" || command.startsWith("sign-"))
    })
    assert.deepStrictEqual(missing, [])
  })
})

describe("every act of the operators' area", () => {
  const { client, rowsOf, stage } = sharedPortal()
  let session: string
  let base: string
  beforeAll(async () => {
    session = await stage.session(stage.people.OPERATOR)
    base = `/operator/organizations/${stage.shop.organizationId}`
  })

  const acts = [...routes.values()].filter(({ access, method, path }) => access.area === "operator" && method === "POST" && path !== "/operator/organizations/:id/open")
  const activity = () =>
    rowsOf<{ readonly act: string; readonly reason: string; readonly after: string | null }>("select act, reason, after from activity_log where actor like 'operator:%' order by at")

  it("does nothing without its reason, and keeps no other than it was told", async () => {
    const names: Readonly<Record<string, string>> = { id: stage.shop.organizationId, taxpayer: stage.shop.taxpayerId, premise: stage.shop.businessPremiseId, client: stage.shop.clientId, environment: "sandbox", kid: "none" }
    const before = (await activity()).length
    for (const { path } of acts) {
      const place = path.replaceAll(/:(\w+)/g, (_, name: string) => names[name] ?? crypto.randomUUID())
      for (const reason of ["", "   ", "x".repeat(501)]) {
        const answer = await client.send(place, session, { reason })
        // A missing resource is reported before the reason is checked.
        assert.include([422, 404], answer.status, path)
        if (answer.status === 422) assert.include(answer.text, "Напишите разлог", path)
      }
    }
    assert.strictEqual((await activity()).length, before)
  }, 120_000)

  it("an open restore stands above every page, for the operator with what to do, for the shop with what happens", async () => {
    const owner = await stage.session(stage.people.OWNER)
    const shown = async (path: string, as: string) => (await client.get(path, { session: as })).text.includes("База је враћена на раније стање")
    const set = (since: string) => rowsOf(`update environment_settings set restoring_since = ${since}`)
    assert.deepStrictEqual([await shown("/operator", session), await shown("/", owner)], [false, false])
    await set("now()")
    await vi.waitFor(async () => assert.deepStrictEqual([await shown("/operator", session), await shown("/", owner), await shown("/receipts", owner)], [true, true, true]), 5_000)
    assert.include((await client.get("/operator", { session })).text, "Преузмите потписане рачуне")
    assert.include((await client.get("/", { session: owner })).text, "ништа није изгубљено")
    assert.isFalse((await client.get("/sign-in", {})).text.includes("База је враћена"))
    await set("null")
    await vi.waitFor(async () => assert.deepStrictEqual([await shown("/operator", session), await shown("/", owner)], [false, false]), 5_000)
  }, 30_000)

  it("a tax id is confirmed and released", async () => {
    const reader = await stage.session(stage.people.OPERATOR)
    await client.send(`${base}/open`, reader, { reason: "тикет 4", back: base })
    for (const [act, name] of [["confirm", "taxpayer confirmed"], ["release", "taxpayer released"]] as const) {
      const shown = await client.get(`${base}/taxpayers/${stage.shop.taxpayerId}/${act}`, { session: reader })
      assert.include(shown.text, "100000049")
      const answer = await client.send(`${base}/taxpayers/${stage.shop.taxpayerId}/${act}`, session, { reason: `видео доказ ${act}` })
      assert.strictEqual(answer.location, `${base}?done=saved`)
      assert.deepInclude((await activity()).at(-1), { act: name, reason: `видео доказ ${act}` })
    }
  })

  it("personal data is erased on request; what is no term or no buyer is refused beside its field", async () => {
    const wrong = await client.send(`${base}/buyers/erase`, session, { reason: "захтев", buyer: "101883300", days: "10" })
    assert.include(wrong.text, "облик 10:101883300")
    assert.include((await client.send(`${base}/buyers/erase`, session, { reason: "захтев", buyer: "10:101883300", days: "-1" })).text, "број дана")
    assert.include((await client.send(`${base}/deliveries/erase`, session, { reason: "захтев", recipient: "нико", days: "0" })).text, "није адреса")
    for (const [path, form] of [["buyers", { buyer: "10:101883300" }], ["metadata", { reference: "порџбина-4711" }], ["deliveries", { recipient: "kupac@primer.example" }]] as const) {
      const answer = await client.send(`${base}/${path}/erase`, session, { reason: "захтев купца", days: "0", ...form })
      assert.strictEqual(answer.status, 200, answer.text)
      assert.include(answer.text, "Обрисано")
      const last = (await activity()).at(-1)
      assert.strictEqual(last?.reason, "захтев купца")
      for (const value of Object.values(form)) assert.notInclude(JSON.stringify(last), value)
      assert.strictEqual(last?.act, { buyers: "buyer's details erased", deliveries: "recipient's address erased", metadata: "metadata erased" }[path])
    }
  })

  it("a person without a role is erased; one with a role is not, and the page says so", async () => {
    const email = "brisanje@primer.example"
    const added = await client.send("/operator/people/add", session, { reason: "нова особа", email, name: "Брисана Особа", operator: "no" })
    assert.strictEqual(added.status, 200, added.text)
    const erase = () => client.send("/operator/people/erase", session, { reason: "захтев особе", email })
    const { organizationId } = stage.shop
    const role = (act: string, ...more: ReadonlyArray<string>) => stage.desk.admin(["organizations", act, organizationId, email, ...more, "--reason", "test"])
    await giveRole(await stage.desk.database.client(), organizationId, email, "SUPPORT")
    const refused = await erase()
    assert.include([409, 422], refused.status, refused.text)
    assert.include(refused.text, "још има улогу")
    await role("remove-member", "--yes")
    assert.strictEqual((await erase()).location, "/operator/installation?done=saved")
    assert.deepInclude((await activity()).at(-1), { act: "person erased", reason: "захтев особе" })
    assert.include((await erase()).text, "Нема такве особе")
  })

  it("the look of receipts and their delivery are changed for a shop, with every setting the command has", async () => {
    const place = `${base}/taxpayers/${stage.shop.taxpayerId}`
    const delivery = await client.send(`${place}/delivery`, session, { reason: "тражио власник", enabled: "on", sender: "Зора", replyTo: "zora@primer.example", locale: "en", format: "pdf-a4" })
    assert.strictEqual(delivery.location, `${base}?done=saved`)
    assert.deepStrictEqual(JSON.parse((await activity()).at(-1)?.after ?? ""), { enabled: true, senderName: "Зора", replyTo: "zora@primer.example", locale: "en", formats: ["pdf-a4"] })
    const refused = await client.send(`${place}/delivery`, session, { reason: "x", enabled: "on", locale: "sr-Cyrl", replyTo: "a b@c" })
    assert.include(refused.text, "није адреса")
    const branding = await client.send(`${place}/branding`, session, { reason: "нови изглед", keep: "yes", lines: "Зора\n011 123", note: "Хвала" })
    assert.strictEqual(branding.location, `${base}?done=branding-saved`)
    const shown = await client.get(`${place}/branding`, { session })
    assert.include(shown.text, "011 123")
    const tooLong = await client.send(`${place}/branding`, session, { reason: "x", keep: "yes", lines: "х".repeat(500), note: "" })
    assert.strictEqual(tooLong.status, 422)
    assert.include(tooLong.text, "field-lines-fault")
  })

  it("the journal is verified, its key replaced; the report and both keys are seen", async () => {
    const verified = await client.send("/operator/journal/verify", session, { reason: "месечна провера" })
    assert.strictEqual(verified.status, 200, verified.text)
    assert.include(verified.text, "Све је онако како је запечаћено")
    assert.deepInclude((await activity()).at(-1), { act: "journal verified", reason: "месечна провера" })
    const keys = async () => ((await client.get("/operator/installation", { session })).text.match(/class="secret">[^<]*\+[^<]*</g) ?? []).length
    const before = await keys()
    assert.strictEqual((await client.send("/operator/journal/key", session, { reason: "годишња замена" })).location, "/operator/installation?done=saved")
    assert.strictEqual(await keys(), before + 1)
  })

  it("an attention item shows what happened and its evidence once the organization's data was opened with a reason", async () => {
    const reader = await stage.session(stage.people.OPERATOR)
    const database = await stage.desk.database.client()
    const { rows: [element] } = await database.query("select element_id from security_elements where organization_id = $1 limit 1", [stage.shop.organizationId])
    const { rows: [item] } = await database.query(
      `insert into attention (organization_id, element_id, kind, detail, evidence, raised_at) values ($1, $2, 'CERTIFICATE_EXPIRES', 'soon', 'the whole <evidence>', now()) returning attention_id`,
      [stage.shop.organizationId, element.element_id]
    )
    const path = `/operator/attention/${item.attention_id}`
    const closed = await client.get(path, { session: reader })
    for (const told of ["soon", "the whole"]) assert.notInclude(closed.text, told)
    await client.send(`${base}/open`, reader, { reason: "тикет 5", back: base })
    assert.include((await client.get(path, { session: reader })).text, "the whole &lt;evidence>")
  })

  it("the activity log is searched by who and when", async () => {
    const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Belgrade" }).format(new Date())
    const rows = async (query: string) => ((await client.get(`/operator/activity?${query}`, { session })).text.match(/<tr[ >]/g) ?? []).length
    const mine = `actor=${encodeURIComponent(`operator:${stage.people.OPERATOR.email}`)}`
    assert.isAbove(await rows(`${mine}&from=${today}&to=${today}`), 1)
    assert.strictEqual(await rows(`${mine}&to=2020-01-01`), 0)
    assert.strictEqual(await rows("actor=operator%3Anobody"), 0)
  })
})
