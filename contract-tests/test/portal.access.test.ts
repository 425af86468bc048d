import { type MemberRole, mayDo, PortalSessions } from "@overa/domain"
import { pageFolders, type Route } from "@overa/portal"
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { giveRole } from "../src/support/giveRole.ts"
import { accessTable } from "../src/portal/accessTable.ts"
import { callShop, issueProforma, issueSale } from "../src/portal/issueSale.ts"
import { digestOf, password } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, stage } = sharedPortal()

const routes = pageFolders.flatMap((folder) => folder.routes)
const nameOf = ({ method, path }: Pick<Route, "method" | "path">) => `${method} ${path}`
const accessOf = ({ access }: Route) => access.area === "organization" ? access.permission : access.area
const pathOf = (route: Route) => route.path.replaceAll(/:\w+/g, () => randomUUID())
const roles: ReadonlyArray<MemberRole> = ["OWNER", "ADMINISTRATOR", "ACCOUNTANT", "SUPPORT"]

/** How the portal may refuse a visitor. */
const isRefused = (status: number, location: string) => status === 403 || (status === 303 && location.startsWith("/sign-in"))

const isAllowed = (route: Route, who: MemberRole | "OTHER" | "OPERATOR" | "NOBODY"): boolean => {
  const { access } = route
  if (access.area === "organization") return who === "OTHER" ? true : (roles as ReadonlyArray<string>).includes(who) && mayDo(who as MemberRole, access.permission)
  return access.area === "operator" ? who === "OPERATOR" : true
}

const tryAs = async (route: Route, session: string, proof: string) =>
  route.method === "GET" ? client.get(pathOf(route), { session }) : client.ask("POST", pathOf(route), { session, form: { proof, form: randomUUID() } })

/** A session with the proof of its forms. */
const openFor = async (...of: Parameters<typeof stage.session>) => {
  const session = await stage.session(...of)
  return [session, await client.proof(session)] as const
}

/** Whether the act may end the session that sends it, so that the next request needs another one. */
const mayEndSession = ({ method, path }: Route) => method === "POST" && /^\/(sign-|account)/.test(path)

/** A session that had ended by another cause would be refused for it, and prove nothing. */
const assertStored = async (session: string) => {
  const database = await stage.desk.database.client()
  const { rows } = await database.query("select 1 from portal_sessions where digest = $1", [digestOf(session)])
  assert.lengthOf(rows, 1)
}

describe("who may open what", () => {
  it("is what the table says, page for page and act for act", () => {
    assert.deepStrictEqual(Object.fromEntries(routes.map((route) => [nameOf(route), accessOf(route)])), accessTable)
    assert.strictEqual(new Set(routes.map(nameOf)).size, routes.length)
  })

  const everybody = [...roles, "OTHER", "OPERATOR", "NOBODY"] as const
  it.each(everybody)("%s gets exactly what the role allows", async (who) => {
    const assertAnswered = async (route: Route, [session, proof]: readonly [string, string]) => {
      const answer = await tryAs(route, session, proof)
      // Signing in again and choosing among organizations refuse by the form's content, not by the person's role.
      const refused = route.path.startsWith("/sign-") || nameOf(route) === "POST /organization" ? false : isRefused(answer.status, answer.location)
      assert.strictEqual(!refused, isAllowed(route, who), `${who} ${nameOf(route)}: ${answer.status} ${answer.location}`)
      assert.notStrictEqual(answer.status, 500, `${who} ${nameOf(route)}\n${stage.log.filter((line) => line.includes("fault")).at(-1)}`)
    }
    const shared = await openFor(stage.people[who])
    for (const route of routes.filter((one) => !mayEndSession(one))) await assertAnswered(route, shared)
    await assertStored(shared[0])
    for (const route of routes.filter(mayEndSession)) await assertAnswered(route, await openFor(stage.people[who]))
  }, 120_000)

  it("nothing but signing in and the language is open without a session", async () => {
    for (const route of routes.filter(({ access }) => access.area !== "open")) {
      const answer = await client.ask(route.method, pathOf(route))
      assert.isTrue(isRefused(answer.status, answer.location), `${nameOf(route)}: ${answer.status}`)
    }
    assert.deepStrictEqual(routes.filter(({ access }) => access.area === "open").map(nameOf).toSorted(), accessTableOpen)
  })

  it("an Owner of another organization finds nothing of this one, whatever is named in the address or in the form", async () => {
    const sale = await issueSale(stage)
    const product = await callShop<{ readonly id: string }>(stage, "/v1/products", {
      taxpayerId: stage.shop.taxpayerId, sku: "A-1", gtin: null, name: "Књига", unitOfMeasure: "ком", grossUnitPrice: 10, taxLabels: ["A"]
    })
    const { businessPremiseId, clientId, organizationId, taxpayerId } = stage.shop
    const database = await stage.desk.database.client()
    const owner = await stage.session(stage.people.OWNER)
    await client.send("/webhooks/new", owner, { url: "https://shop.example/overa", reach: "all", signature: "v1", current: password })
    await client.send("/receipts/searches", owner, { query: "text=a", name: "Моја" })
    const { rows: [search] } = await database.query("select search_id as id from saved_searches where organization_id = $1", [organizationId])
    const { rows: [endpoint] } = await database.query("select endpoint_id as id from webhook_endpoints where organization_id = $1", [organizationId])
    const opened = await callShop<{ readonly id: string }>(stage, "/v1/advance-cases", { taxpayerId, businessPremiseId, clientReference: "ormar" })
    const names: Readonly<Record<string, string>> = { id: sale.id, case: opened.id, proforma: await issueProforma(stage, "ponuda"), product: product.id, taxpayer: taxpayerId, premise: businessPremiseId, client: clientId, format: "pdf-a4", endpoint: endpoint.id, search: search.id }
    // Fields of every act that names something by its form.
    const form = { taxpayer: taxpayerId, premise: businessPremiseId, client: clientId, person: stage.people.OWNER.email, role: "SUPPORT", format: "a4", organization: organizationId, environment: "sandbox", pu: "1", email: "kupac@primer.example", current: "x", next: "x", name: "x" }
    const own = routes.filter(({ access, path }) => access.area === "organization" && path.includes(":") && !/:number|:draft/.test(path))
    assert.isAtLeast(own.length, 20)
    for (const route of own) {
      const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => names[name] ?? assert.fail(`no ${name} for ${route.path}`))
      const session = await stage.session(stage.people.OTHER)
      const answer = route.method === "GET" ? await client.get(path, { session }) : await client.send(path, session, form)
      assert.strictEqual(answer.status, 404, `${nameOf(route)}: ${answer.status}`)
      assert.notInclude(answer.text, "Књижара Зора", nameOf(route))
      // The same address is there for whom it belongs to.
      if (route.method === "GET" && !path.includes("/paper/")) {
        const mine = await client.get(path, { session: await stage.session(stage.people.OWNER) })
        // A page that begins a draft, or has nothing to do, leads on to another one of the same thing.
        if (mine.status === 303) assert.isTrue(mine.location.startsWith(`${path}/`) || path.startsWith(`${mine.location}/`), `${nameOf(route)}: ${mine.location}`)
        else assert.strictEqual(mine.status, 200, nameOf(route))
      }
    }
    for (const route of routes.filter(({ access, method, path }) => access.area === "organization" && method === "POST" && !path.includes(":"))) {
      const answer = await client.send(route.path, await stage.session(stage.people.OTHER), form)
      assert.notStrictEqual(answer.status, 500, nameOf(route))
    }
    const { rows } = await database.query("select act from activity_log where organization_id = $1 and actor = $2", [organizationId, `portal:${stage.people.OTHER.email}`])
    assert.deepStrictEqual(rows, [])
    assert.deepStrictEqual((await database.query("select revoked_at from credentials where client_id = $1", [clientId])).rows, [{ revoked_at: null }])
  }, 120_000)

  it("a session that has ended by time opens nothing that needs one", async () => {
    const database = await stage.desk.database.client()
    const { OPERATOR, OWNER } = stage.people
    const ended = { half: await openFor(OWNER, "PASSWORD"), operator: await openFor(OPERATOR), other: await openFor(OWNER) }
    const sessions = Object.values(ended).map(([session]) => session)
    await database.query("update portal_sessions set seen_at = now() - interval '31 minutes' where digest = any($1)", [sessions.map(digestOf)])
    for (const route of routes.filter(({ access }) => access.area !== "open")) {
      const [session, proof] = ended[route.access.area === "half" || route.access.area === "operator" ? route.access.area : "other"]
      const answer = await client.ask(route.method, pathOf(route), { session, ...(route.method === "POST" ? { form: { proof } } : {}) })
      assert.isTrue(isRefused(answer.status, answer.location), `${nameOf(route)}: ${answer.status} ${answer.location}`)
    }
    for (const session of sessions) await assertStored(session)
  }, 60_000)

  it("a session that has only the password opens nothing but the page for the code", async () => {
    const session = await stage.session(stage.people.OPERATOR, "PASSWORD")
    for (const route of routes.filter(({ access }) => access.area !== "open" && access.area !== "half")) {
      const answer = await client.ask(route.method, pathOf(route), { session, form: { proof: "" } })
      assert.isTrue(isRefused(answer.status, answer.location), `${nameOf(route)}: ${answer.status} ${answer.location}`)
    }
    await assertStored(session)
  })

  it("a person with a password that an operator made gets no further than setting another one", async () => {
    const email = "given@primer.example"
    const added = await stage.desk.admin(["people", "add", email, "--name", "Нови", "--installation", "--reason", "test", "--json"])
    assert.strictEqual(added.code, 0, added.err)
    const person = { id: String(added.json.id), email }
    const given = String(added.json.password)
    const shared = await openFor(person)
    for (const route of routes.filter(({ access, path }) => access.area !== "open" && access.area !== "half" && path !== "/account/password")) {
      const answer = await tryAs(route, ...shared)
      assert.strictEqual(`${answer.status} ${answer.location}`, "303 /account/password", nameOf(route))
    }
    const session = await stage.session(person)
    const change = (next: string) => client.send("/account/password", session, { current: given, next })
    const same = await change(given)
    assert.strictEqual(`${same.status} ${same.location}`, "422 ")
    assert.include(same.text, "Изаберите другу")
    const changed = await change("sedam malih tigrova")
    assert.strictEqual(changed.location, "/account?done=password-changed")
    assert.strictEqual((await client.get("/operator", { session: changed.cookies.get("session") ?? "" })).location, "/account/second-factor")
    const again = await stage.desk.admin(["people", "reset-password", email, "--yes", "--reason", "test", "--json"])
    assert.strictEqual(again.code, 0, again.err)
    assert.strictEqual((await client.get("/operator", { session: await stage.session(person) })).location, "/account/password")
  }, 60_000)

  it("an operator without a second factor gets no further than setting one", async () => {
    const email = "fresh@primer.example"
    const added = await stage.desk.admin(["people", "add", email, "--name", "Нови", "--installation", "--reason", "test", "--json"], { environment: { OVERA_PORTAL_PASSWORD: password } })
    assert.strictEqual(added.code, 0, added.err)
    const person = { id: String(added.json.id), email }
    const shared = await openFor(person)
    for (const route of routes.filter(({ access, path }) => access.area === "operator" || path === "/")) {
      const answer = await tryAs(route, ...shared)
      assert.strictEqual(`${answer.status} ${answer.location}`, "303 /account/second-factor", nameOf(route))
    }
  }, 60_000)
})

const accessTableOpen = ["GET /invitation", "GET /invitation/:token", "GET /sign-in", "GET /sign-in/forgotten", "GET /sign-in/issuer", "GET /sign-in/issuer/back", "GET /sign-in/new-password", "POST /invitation", "POST /invitation/accept", "POST /language", "POST /sign-in", "POST /sign-in/forgotten", "POST /sign-in/new-password", "POST /sign-in/new-password/set", "POST /sign-out"]
  .filter((name) => name in accessTable)

describe("every request that changes something", () => {
  const unsafe = routes.filter(({ method }) => method === "POST")

  it("is refused from another origin, without one, and as a cross-site request", async () => {
    const [session, proof] = await openFor(stage.people.OWNER)
    const form = { proof }
    for (const route of unsafe) {
      for (const from of [{ origin: "https://evil.example" }, { origin: null }, { origin: "null" }, { fetchSite: "cross-site" }, { fetchSite: "same-site" }]) {
        const answer = await client.ask("POST", pathOf(route), { session, form, ...from })
        assert.strictEqual(answer.status, 403, `${nameOf(route)} ${JSON.stringify(from)}`)
      }
    }
    await assertStored(session)
  }, 60_000)

  it("is refused without the proof of its session, and with another session's", async () => {
    const other = await client.proof(await stage.session(stage.people.OWNER))
    const session = await stage.session(stage.people.OWNER)
    for (const route of unsafe) {
      for (const proof of ["", "x", other]) {
        const answer = await client.ask("POST", pathOf(route), { session, form: { proof } })
        assert.strictEqual(answer.status, 403, nameOf(route))
      }
    }
    await assertStored(session)
  }, 60_000)
})

describe("sessions", () => {
  const opens = async (session: string) => (await client.get("/account", { session })).status === 200
  const age = async (session: string, column: "created_at" | "seen_at", minutes: number) => {
    const database = await stage.desk.database.client()
    await database.query(`update portal_sessions set ${column} = now() - $2::interval where digest = $1`, [digestOf(session), `${minutes} minutes`])
  }

  it("end after half an hour without use, and after twelve hours in any case", async () => {
    const [idle, old, young] = [await stage.session(stage.people.OWNER), await stage.session(stage.people.OWNER), await stage.session(stage.people.OWNER)]
    await age(idle, "seen_at", 31)
    await age(old, "created_at", 12 * 60 + 1)
    await age(young, "seen_at", 29)
    assert.deepStrictEqual([await opens(idle), await opens(old), await opens(young)], [false, false, true])
    // Use keeps it valid.
    const database = await stage.desk.database.client()
    const { rows } = await database.query("select seen_at > now() - interval '1 minute' as fresh from portal_sessions where digest = $1", [digestOf(young)])
    assert.isTrue(rows[0].fresh)
  })

  it("a stolen cookie is worth nothing after signing out", async () => {
    const session = await stage.session(stage.people.OWNER)
    assert.isTrue(await opens(session))
    await client.send("/sign-out", session)
    assert.isFalse(await opens(session))
  })

  it("are ended one by one by their own person alone", async () => {
    const [here, there, strange] = [await stage.session(stage.people.OWNER), await stage.session(stage.people.OWNER), await stage.session(stage.people.OTHER)]
    assert.include((await client.get("/account", { session: here })).text, digestOf(there))
    await client.send("/account/sessions/end-one", here, { session: digestOf(strange) })
    assert.isTrue(await opens(strange))
    const ended = await client.send("/account/sessions/end-one", here, { session: digestOf(there) })
    assert.strictEqual(ended.location, "/account?done=session-ended")
    assert.deepStrictEqual([await opens(here), await opens(there)], [true, false])
  })

  it("all end when a person signs out everywhere, and no device is known any more", async () => {
    const [here, there, strange] = [await stage.session(stage.people.ACCOUNTANT), await stage.session(stage.people.ACCOUNTANT), await stage.session(stage.people.OTHER)]
    const database = await stage.desk.database.client()
    const since = async () => (await database.query("select devices_since from people where person_id = $1", [stage.people.ACCOUNTANT.id])).rows[0].devices_since as Date | null
    const before = await since()
    const ended = await client.send("/account/sessions/end-all", here)
    assert.deepStrictEqual([ended.status, ended.location, ended.cookies.get("session")], [303, "/", ""])
    assert.deepStrictEqual([await opens(here), await opens(there), await opens(strange)], [false, false, true])
    assert.isAbove((await since())?.getTime() ?? 0, before?.getTime() ?? 0)
  })

  it("a cookie fixed before signing in is not the session afterwards", async () => {
    const before = await stage.session(stage.people.NOBODY)
    const answer = await client.send("/sign-in", before, { email: stage.people.OWNER.email, password })
    assert.strictEqual(answer.status, 303)
    const after = answer.cookies.get("session") ?? ""
    assert.notStrictEqual(after, before)
    assert.deepStrictEqual([await opens(before), await opens(after)], [false, true])
  })

  it("a removed member's session shows nothing of the organization any more", async () => {
    const { run } = stage
    const session = await stage.session(stage.people.SUPPORT)
    await run(Effect.flatMap(Effect.service(PortalSessions), (it) => it.lookAt(digestOf(session), stage.shop.organizationId as never, "sandbox")))
    assert.isTrue(await opens(session))
    const removed = await stage.desk.admin(["organizations", "remove-member", stage.shop.organizationId, stage.people.SUPPORT.email, "--reason", "left", "--yes"])
    assert.strictEqual(removed.code, 0, removed.err)
    const answer = await client.get("/account", { session })
    assert.notInclude(answer.text, "Књижара Зора")
    await giveRole(await stage.desk.database.client(), stage.shop.organizationId, stage.people.SUPPORT.email, "SUPPORT")
  })

  it("private pages are never kept, framed, or told to others", async () => {
    const session = await stage.session(stage.people.OWNER)
    for (const path of ["/", "/account", "/nothing", "/sign-in"]) {
      const { headers } = await client.get(path, { session })
      assert.strictEqual(headers["cache-control"], "no-store")
      assert.match(String(headers["content-security-policy"]), /default-src 'none'.*frame-ancestors 'none'/)
      assert.notMatch(String(headers["content-security-policy"]), /unsafe|script-src/)
      assert.strictEqual(headers["referrer-policy"], "same-origin")
    }
  })

  it("no redirect leads out of the portal", async () => {
    for (const next of ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/%0d%0aSet-Cookie:x", "/\t/evil.example"]) {
      const answer = await client.ask("POST", "/sign-in", { form: { email: stage.people.OWNER.email, password, next } })
      assert.match(answer.location, /^\/(?![/\\])[^\r\n]*$/, next)
      const back = await client.ask("POST", "/language", { form: { language: "en", back: next } })
      assert.match(back.location, /^\/(?![/\\])[^\r\n]*$/, next)
    }
  })
})

describe("guessing", () => {
  const guess = (address: string, options: { readonly password?: string; readonly device?: string } = {}) =>
    client.ask("POST", "/sign-in", {
      address,
      form: { email: stage.people.ADMINISTRATOR.email, password: options.password ?? "wrong wrong wrong" },
      ...(options.device === undefined ? {} : { device: options.device })
    })

  it("is slowed down without locking the rightful person out of a known device", async () => {
    const known = (await guess("127.0.0.1", { password })).cookies.get("device") ?? ""
    for (let round = 0; round < 5; round += 1) assert.include((await guess("127.0.0.1")).text, "није тачна")
    // The pause of a second is over too soon for a slow machine: here the last guess was made ten minutes from now.
    const database = await stage.desk.database.client()
    await database.query("update portal_guesses set last_at = now() + interval '10 minutes'")
    assert.include((await guess("127.0.0.1")).text, "Превише")
    assert.include((await guess("127.0.0.1", { password })).text, "Превише")
    assert.strictEqual((await guess("127.0.0.1", { password, device: known })).status, 303)
    // A mark made for another person, or changed, is not accepted.
    const other = (await client.ask("POST", "/sign-in", { form: { email: stage.people.ACCOUNTANT.email, password } })).cookies.get("device") ?? ""
    assert.include((await guess("127.0.0.1", { password, device: other })).text, "Превише")
    assert.include((await guess("127.0.0.1", { password, device: `${known}x` })).text, "Превише")
  })

  it("in parallel gets no more tries than one after another", async () => {
    const startedAt = performance.now()
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.ask("POST", "/sign-in", { form: { email: "no-such-person@primer.example", password: "x" } })))
    // After the fifth one more is judged when a second has passed, another two seconds later, and so on.
    const pausesOver = Math.floor(Math.log2((performance.now() - startedAt) / 1_000 + 1))
    const judged = answers.filter(({ text }) => text.includes("није тачна")).length
    assert.isTrue(judged >= 5 && judged <= 5 + pausesOver, `${judged} of 20 with ${pausesOver} pauses over`)
  })
})
