import { pageFolders, type Route } from "@overa/portal"
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"
import { sampleLogo } from "../proof/browser/sampleLogo.ts"
import { issueSale } from "../src/portal/issueSale.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()

const routes = pageFolders.flatMap((folder) => folder.routes)
const isInPlace = ({ access: { area } }: Route): boolean => area === "organization" || area === "person"
const test = () => `/o/${stage.shop.organizationId}/sandbox`
const production = () => `/o/${stage.shop.organizationId}/production`
const exactly = true

const firstSegment = (path: string): string => path.split("/")[1] ?? ""

/** Every address in a page: links, forms, pictures. */
const addressesIn = (html: string): ReadonlyArray<string> => [...html.matchAll(/ (?:href|action|src|formaction)="(\/[^"]*)"/gi)].map(([, address = ""]) => address)

describe("the place of a page", () => {
  it("decides by the first word of an address whether it is in a place, for every route", () => {
    const placed = new Set(routes.filter(isInPlace).map(({ path }) => firstSegment(path)))
    for (const { path } of routes.filter((route) => !isInPlace(route))) assert.isFalse(placed.has(firstSegment(path)), path)
    assert.isFalse(placed.has("o"))
  })

  it("is in every link and form of every page, and is never the session's", async () => {
    const sale = await issueSale(stage)
    const session = await stage.session(stage.people.OWNER)
    const fixed = routes.filter((route) => isInPlace(route) && route.method === "GET" && !route.path.includes(":") && !/csv|xlsx|pdf|passkeys|find|^\/issue$|elsewhere\/(?:receipt|copy)/.test(route.path)).map(({ path }) => path)
    const visited = [...fixed, `/receipts/${sale.id}`, `/receipts/${sale.id}/refund/${randomUUID()}`, `/receipts/${sale.id}/copy`, `/receipts/${sale.id}/send`, `/issue/${randomUUID()}`, `/setup/branding/${stage.shop.taxpayerId}`]
    assert.isAtLeast(visited.length, 15)
    for (const path of visited) {
      // The session is in production when each page of Test is asked for.
      assert.strictEqual((await client.get(`${production()}/receipts`, { session })).status, 200)
      const { status, text } = await client.get(test() + path, { session })
      assert.strictEqual(status, 200, path)
      assert.include(text, "environment sandbox", path)
      // The steps of going live lead into the environment that each of them is about.
      const steps = text.match(/<ol class="plain steps">[^]*?<\/ol>/)?.[0] ?? ""
      for (const address of addressesIn(steps)) assert.isTrue([`${test()}/`, `${production()}/`].some((place) => address.startsWith(place)), `${path}: ${address}`)
      for (const address of addressesIn(text.replace(steps, ""))) {
        const inNoPlace = routes.some((route) => !isInPlace(route) && firstSegment(route.path) === firstSegment(address)) || /^\/(assets|verify)/.test(address)
        assert.isTrue(inNoPlace || address.startsWith(`${test()}/`), `${path}: ${address}`)
      }
      const forms = text.match(/<form method="post"[^]*?<\/form>/g) ?? []
      for (const it of forms.filter((one) => one.includes(`action="${test()}`))) assert.include(it, `name="place" value="${test()}"`, path)
    }
  }, 60_000)

  it("is added to every old address, and a form sent to an old one does nothing", async () => {
    const session = await stage.session(stage.people.OWNER)
    const proof = await client.proof(session)
    for (const route of routes.filter(isInPlace)) {
      const path = route.path.replaceAll(/:\w+/g, () => randomUUID())
      if (route.method === "GET") {
        const answer = await client.get(`${path}?a=b%20c`, { session, exactly })
        assert.deepStrictEqual([answer.status, answer.place, answer.location], [303, test(), `${path}?a=b%20c`], route.path)
      } else if (route.access.area === "organization") {
        const answer = await client.ask("POST", path, { session, exactly, form: { proof, form: randomUUID() } })
        assert.strictEqual(answer.status, 409, route.path)
      }
    }
  }, 60_000)

  it("of somebody else is not found, whether it exists or not", async () => {
    const session = await stage.session(stage.people.OWNER)
    for (const organization of [stage.otherOrganizationId, randomUUID()]) {
      for (const path of ["/", "/receipts", "/account"]) assert.strictEqual((await client.get(`/o/${organization}/sandbox${path}`, { session })).status, 404, path)
    }
    const proof = await client.proof(session)
    assert.strictEqual((await client.ask("POST", `/o/${stage.otherOrganizationId}/sandbox/members/invite`, { session, form: { proof, email: "x@primer.example", role: "OWNER" } })).status, 404)
  })
})

describe("two tabs in two environments", () => {
  const company = { taxIdentifier: "101883300", legalName: "Нова књижара", address: "Ул. 1", city: "Ниш" }

  it("each save where they are, whatever the other one looked at; a form of the other place is refused with both named", async () => {
    const session = await stage.session(stage.people.OWNER)
    const taxpayers = async () => (await rowsOf<{ readonly environment: string }>("select environment from taxpayers where organization_id = $1 and environment = 'production'", [stage.shop.organizationId])).length
    const before = await taxpayers()
    await client.get(`${production()}/setup`, { session })
    const form = { ...company, proof: await client.proof(session), form: randomUUID(), place: test() }
    const refused = await client.ask("POST", `${production()}/setup/taxpayers/new`, { session, form })
    assert.strictEqual(refused.status, 409)
    assert.match(refused.text, /Образац је за: <strong>Књижара Зора, Тестно окружење<\/strong>\. Послат је на: <strong>Књижара Зора, Продукција<\/strong>/)
    for (const place of ["", "/", `${test()}x`, `/o/${stage.otherOrganizationId}/sandbox`]) {
      assert.strictEqual((await client.ask("POST", `${test()}/setup/taxpayers/new`, { session, form: { ...form, form: randomUUID(), place } })).status, 409, place)
    }
    assert.strictEqual(await taxpayers(), before)
  })

  it("a link to a Test receipt works after signing in, and in an old address; under production it says where the receipt is", async () => {
    const sale = await issueSale(stage)
    const session = await stage.session(stage.people.OWNER)
    await client.get(`${production()}/`, { session })
    assert.strictEqual((await client.get(`${test()}/receipts/${sale.id}`, { session })).status, 200)
    await client.get(`${production()}/`, { session })
    const old = await client.get(`/receipts/${sale.id}`, { session, exactly })
    assert.deepStrictEqual([old.place, old.location], [test(), `/receipts/${sale.id}`])
    const wrong = await client.get(`${production()}/receipts/${sale.id}`, { session })
    assert.strictEqual(wrong.status, 404)
    assert.match(wrong.text, /Адреса је за: <strong>Књижара Зора, Продукција<\/strong>\. Документ је у: <strong>Књижара Зора, Тестно окружење<\/strong>/)
    assert.include(wrong.text, `href="${test()}/receipts/${sale.id}"`)
    const asked = await client.get(`${test()}/receipts/${sale.id}`)
    assert.strictEqual(asked.location, `/sign-in?next=${encodeURIComponent(`${test()}/receipts/${sale.id}`)}`)
    // Somebody else learns nothing of it.
    const other = await client.get(`/o/${stage.otherOrganizationId}/sandbox/receipts/${sale.id}`, { session: await stage.session(stage.people.OTHER) })
    assert.strictEqual(other.status, 404)
    assert.notInclude(other.text, "Књижара Зора")
  })

  it("switching stays on the page, and a notice names the place of the act", async () => {
    const session = await stage.session(stage.people.OWNER)
    const page = await client.get(`${test()}/setup/going-live`, { session })
    assert.include(page.text, `href="${test()}/organization?back=%2Fsetup%2Fgoing-live"`)
    const there = await client.send("/organization", session, { organization: stage.shop.organizationId, environment: "production", back: "/setup/going-live" })
    assert.deepStrictEqual([there.place, there.location], [production(), "/setup/going-live"])
    const ended = await client.send(`${test()}/account/sessions/end`, session, { place: test() })
    assert.deepStrictEqual([ended.place, ended.location], [test(), "/account?done=sessions-ended"])
    assert.match((await client.get(test() + ended.location, { session })).text, /Све остале пријаве су завршене\.<span class="hint"> Књижара Зора, Тестно окружење/)
  })
})

describe("what waits for a person", () => {
  it("is of the page's own environment, each document once", async () => {
    const sale = await issueSale(stage)
    const insert = "insert into attention (organization_id, operation_id, kind, detail, raised_at) values ($1, $2, $3, 'x', now())"
    for (const kind of ["SECOND_RECEIPT", "CONFIRMED_DESPITE_CHECKS"]) await rowsOf(insert, [stage.shop.organizationId, sale.id, kind])
    const session = await stage.session(stage.people.OWNER)
    const linksIn = async (place: string) => (await client.get(`${place}/`, { session })).text.split(`/receipts/${sale.id}"`).length - 1
    assert.strictEqual(await linksIn(test()), 1)
    assert.strictEqual(await linksIn(production()), 0)
  })
})

describe("a form that was sent from elsewhere", () => {
  it("is refused with a page of the portal, in the reader's language", async () => {
    for (const origin of ["https://evil.example", null]) {
      const answer = await client.ask("POST", "/sign-in", { origin, form: {} })
      assert.strictEqual(answer.status, 403)
      assert.include(String(answer.headers["content-type"]), "text/html")
      assert.include(answer.text, "Образац није са овог портала")
      assert.match(answer.text, /rel="stylesheet"/)
    }
  })
})

describe("a logo", () => {
  it("stays between the look and the save, for its own session", async () => {
    const session = await stage.session(stage.people.OWNER)
    const path = `${test()}/setup/branding/${stage.shop.taxpayerId}`
    const proof = await client.proof(session)
    const send = async (fields: Readonly<Record<string, string | Blob>>) => {
      const form = new FormData()
      for (const [name, value] of Object.entries({ proof, place: test(), form: randomUUID(), ...fields })) {
        if (typeof value === "string") form.set(name, value)
        else form.set(name, value, "logo.svg")
      }
      const answer = await fetch(client.origin + path, { method: "POST", redirect: "manual", body: form, headers: { cookie: `overa-session=${session}`, origin: client.origin } })
      return { status: answer.status, text: await answer.text() }
    }
    const logo = new Blob([sampleLogo])
    const looked = await send({ logo, lines: "Зора", note: "", look: "yes" })
    const chosen = /name="chosen" value="([\w-]+)"/.exec(looked.text)?.[1] ?? ""
    assert.isNotEmpty(chosen, looked.text)
    // A fault of another field does not lose it either.
    const faulty = await send({ chosen, lines: "a".repeat(2_000), note: "" })
    assert.strictEqual(faulty.status, 422)
    assert.include(faulty.text, "name=\"chosen\"")
    const elsewhere = await client.send(path, await stage.session(stage.people.ADMINISTRATOR), { chosen, lines: "a".repeat(2_000) })
    assert.notInclude(elsewhere.text, "name=\"chosen\"")
    assert.strictEqual((await send({ chosen, lines: "Зора", note: "" })).status, 303)
    const saved = await client.get(path, { session })
    assert.include(saved.text, "name=\"keep\"")
  }, 60_000)
})
