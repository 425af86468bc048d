import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { giveRole } from "../src/support/giveRole.ts"
import { type AdminAnswer, type OperatorDesk, operatorDesk } from "../src/support/operatorDesk.ts"

const because = ["--reason", "contract 17"]
const nobody = "00000000-0000-7000-8000-000000000000"
let desk: OperatorDesk
let organization: string
let taxpayer: string
let premise: string

const run = async (...args: ReadonlyArray<string>): Promise<AdminAnswer> => {
  const answer = await desk.admin([...args, "--json"])
  expect({ code: answer.code, err: answer.err }).toEqual({ code: 0, err: "" })
  return answer
}

const rows = async (table: string): Promise<ReadonlyArray<Record<string, unknown>>> =>
  (await (await desk.database.client()).query(`select * from ${table}`)).rows as ReadonlyArray<Record<string, unknown>>

beforeAll(async () => {
  desk = await operatorDesk()
  organization = (await run("organizations", "add", "Књижара Зора д.о.о.", ...because)).json.id
  const options = ["--environment", "sandbox", "--tax-id", "100000049", "--name", "Зора", "--vat", "IN_VAT", "--pu", "1000001", "--premise", "Веб"]
  const made = (await run("taxpayers", "add", organization, ...options, ...because)).json
  taxpayer = made.id
  premise = made.businessPremiseId
})
afterAll(() => desk.close())

describe("the operator's command", () => {
  it("every subcommand has help, and the groups teach with examples", async () => {
    const { out } = await desk.admin(["--help"])
    const groups = [...out.matchAll(/^ {2}([a-z-]+)[ |]/gm)].map(([, name = ""]) => name).filter((name) => name !== "help")
    expect(groups.length).toBeGreaterThan(12)
    for (const group of groups) {
      const help = await desk.admin([group, "--help"])
      expect(help).toMatchObject({ code: 0 })
      expect(help.out).toContain("Examples:\n  npm run admin -- ")
    }
  })

  it("shows tables to people and the same as JSON to programs", async () => {
    const table = await desk.admin(["organizations", "list"])
    expect(table.out).toMatch(new RegExp(`^ID +NAME +CREATED\n${organization} +Књижара Зора д.о.о. `))
    expect((await run("organizations", "list")).json.items).toMatchObject([{ id: organization, name: "Књижара Зора д.о.о." }])
  })

  it.each<readonly [name: string, args: () => ReadonlyArray<string>, sentence: RegExp]>([
    ["an unknown command", () => ["organisations", "list"], /unknown command 'organisations'/],
    ["an unknown option", () => ["organizations", "list", "--colour"], /unknown option '--colour'/],
    ["a missing argument", () => ["credentials", "revoke"], /missing required argument 'client-id'/],
    ["an id that is none", () => ["organizations", "members", "zora"], /"zora" is no organization id/],
    ["an act without a reason", () => ["organizations", "add", "Nova"], /Say why with --reason/],
    ["an empty name", () => ["organizations", "add", " ", ...because], /1 to 200 characters/],
    ["an organization that is not there", () => ["credentials", "issue", nobody, "--environment", "sandbox", ...because], /There is no organization/],
    ["a scope that is none", () => ["credentials", "issue", organization, "--environment", "sandbox", "--scope", "all", ...because], /"all" is no scope/],
    ["a credential that is not there", () => ["credentials", "revoke", "svc-sbx-0", ...because, "--yes"], /There is no credential/],
    ["a revocation nobody confirmed", () => ["credentials", "revoke", "svc-sbx-0", ...because], /--yes/],
    ["a tax identifier with letters", () => ["taxpayers", "add", organization, "--environment", "sandbox", "--tax-id", "RS1", "--name", "x", "--vat", "IN_VAT", "--pu", "1", "--premise", "x", ...because], /nine digits/],
    ["a tax identifier that is taken", () => ["taxpayers", "add", organization, "--environment", "sandbox", "--tax-id", "100000049", "--name", "x", "--vat", "IN_VAT", "--pu", "1", "--premise", "x", ...because], /already exists/],
    ["a VAT status without its day", () => ["taxpayers", "change", taxpayer, "--vat", "OUTSIDE_VAT", ...because], /needs --since/],
    ["a VAT status of tomorrow", () => ["taxpayers", "change", taxpayer, "--vat", "OUTSIDE_VAT", "--since", "2999-01-01", ...because], /on the day it begins/],
    ["a day that does not exist", () => ["taxpayers", "change", taxpayer, "--vat", "OUTSIDE_VAT", "--since", "2026-02-30", ...because], /must be a date/],
    ["a payment mode that is none", () => ["premises", "change", premise, "--payments", "some", ...because], /one of all, restricted/],
    ["nothing to change", () => ["premises", "change", premise, ...because], /Say what to change/],
    ["a licence that ends before it begins", () => ["licences", "grant", organization, "--from", "2026-05-02", "--until", "2026-05-01", ...because], /after --from/],
    ["a licence that is not there", () => ["licences", "suspend", organization, ...because, "--yes"], /no licence/],
    ["an environment that is none", () => ["environment", "traffic", "test", "on", ...because], /one of sandbox, production/],
    ["a file that is not there", () => ["pool", "add", "--pfx", "/nowhere/element.pfx", ...because], /cannot be read/],
    ["a logo of another kind", () => ["shops", "branding", taxpayer, "--logo", "logo.gif", ...because], /\.png, \.jpg or \.svg/],
    ["an operation that is not there", () => ["unknown", "show", nobody], /There is no operation/],
    ["an item that is not there", () => ["attention", "acknowledge", nobody, ...because], /There is no open item/],
    ["a root that is none", () => ["reference", "add-root", "sandbox", "--pem", desk.file("no.pem", "hello"), ...because], /no PEM certificate/]
  ])("answers %s with one sentence and exit code 2, and changes nothing", async (_name, args, sentence) => {
    const before = (await rows("activity_log")).length
    const answer = await desk.admin(args())
    expect(answer.code).toBe(2)
    expect(answer.err).toMatch(sentence)
    expect(answer.out).toBe("")
    expect(await rows("activity_log")).toHaveLength(before)
  })

  it("says what is missing where nothing is set, and where the database is not there", async () => {
    const unset = { DATABASE_URL: "", OVERA_HOME: desk.file("not-a-home", "") }
    expect(await desk.admin(["organizations", "list"], { environment: unset })).toMatchObject({ code: 1 })
    const nowhere = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" }
    const answer = await desk.admin(["organizations", "list"], { environment: nowhere })
    expect(answer).toMatchObject({ code: 1, err: "The database does not answer; nothing was changed.\n" })
  })
})

describe("acts", () => {
  it("write who, what, before, after and why; the log is searched by each", async () => {
    await run("taxpayers", "change", taxpayer, "--vat", "OUTSIDE_VAT", "--since", "2026-01-01", "--reason", "decision 5", "--operator", "mira")
    await run("premises", "change", premise, "--payments", "restricted", "--commerce", "in_person", ...because)
    const { json } = await run("activity", "search", "--actor", "operator:mira (not signed in)")
    expect(json.items).toMatchObject([{ act: "taxpayer changed", subject: taxpayer, reason: "decision 5" }])
    expect(JSON.parse(json.items[0].before)).toEqual({ vatStatus: "IN_VAT", vatStatusSince: null })
    expect(JSON.parse(json.items[0].after)).toEqual({ vatStatus: "OUTSIDE_VAT", vatStatusSince: "2026-01-01" })
    expect((await run("taxpayers", "list")).json.items[0]).toMatchObject({ vatStatusSince: "2026-01-01", premises: [{ paymentMode: "restricted", commerceMode: "in_person" }] })
    expect((await run("activity", "search", "DECISION 5")).json.items).toHaveLength(1)
    expect((await run("activity", "search", "--to", "2020-01-01")).json.items).toEqual([])
  })

  it("Owners and Administrators are invited, listed and removed; without a mail server the operator hands the link over", async () => {
    const invite = ["organizations", "add-member", organization, "ana@example.rs", "--role", "OWNER", ...because]
    expect(await desk.admin(invite)).toMatchObject({ code: 2, err: expect.stringContaining("OVERA_PORTAL_URL") })
    expect(await desk.admin([...invite, "--portal", "http://portal.example.rs"])).toMatchObject({ code: 2 })
    const invited = await desk.admin([...invite, "--portal", "https://portal.example.rs/"])
    expect(invited.out).toContain("Hand this link over to ana@example.rs yourself")
    expect(invited.out).toMatch(/^https:\/\/portal\.example\.rs\/invitation#[\w-]{43}$/m)
    expect((await run("organizations", "members", organization)).json.items).toEqual([])
    const stranger = ["organizations", "add-member", randomUUID(), "ana@example.rs", "--role", "OWNER", "--portal", "https://portal.example.rs", ...because]
    expect(await desk.admin(stranger)).toMatchObject({ code: 2, err: expect.stringContaining("There is no organization") })
    await run("people", "add", "ana@example.rs", "--name", "Ana", ...because)
    await giveRole(await desk.database.client(), organization, "ana@example.rs", "OWNER")
    expect(await desk.admin([...invite, "--portal", "https://portal.example.rs"])).toMatchObject({ code: 2, err: expect.stringContaining("already has a role") })
    expect((await run("organizations", "members", organization)).json.items).toMatchObject([{ person: "ana@example.rs", role: "OWNER" }])
    await run("organizations", "remove-member", organization, "ana@example.rs", ...because, "--yes")
    expect((await run("organizations", "members", organization)).json.items).toEqual([])
  })

  it("roles that an earlier release gave to an address are listed; they open nothing", async () => {
    expect((await run("organizations", "doubtful")).json.items).toEqual([])
    const client = await desk.database.client()
    await client.query("insert into members (organization_id, person, role, added_at) values ($1, 'old@example.rs', 'OWNER', now())", [organization])
    await giveRole(client, organization, "ana@example.rs", "OWNER")
    expect((await run("organizations", "doubtful")).json.items).toMatchObject([{ organizationId: organization, person: "old@example.rs", role: "OWNER" }])
    expect((await run("organizations", "doubtful")).out).toContain("old@example.rs")
    for (const person of ["old@example.rs", "ana@example.rs"]) await run("organizations", "remove-member", organization, person, ...because, "--yes")
  })

  it("a credential's secret is shown once, and is in neither list, log nor database", async () => {
    const { json } = await run("credentials", "issue", organization, "--environment", "sandbox", "--scope", "fiscal:read", ...because)
    expect(json.clientId).toMatch(/^svc-sbx-/)
    const elsewhere = JSON.stringify([await rows("credentials"), await rows("activity_log"), (await run("credentials", "list")).json])
    expect(elsewhere).not.toContain(json.clientSecret)
    await run("credentials", "revoke", json.clientId, ...because, "--yes")
    expect((await run("credentials", "list")).json.items[0]).toMatchObject({ clientId: json.clientId, scopes: ["fiscal:read"], revokedAt: expect.any(String) })
  })

  it("licences are granted, suspended and resumed", async () => {
    await run("licences", "grant", organization, "--from", "2026-01-01", "--until", "2027-01-01", "--module", "advance", "email", ...because)
    await run("licences", "suspend", organization, ...because, "--yes")
    const shown = { startsAt: "2026-01-01T00:00:00.000Z", expiresAt: "2027-01-01T00:00:00.000Z", suspended: true, modules: ["advance", "email"] }
    expect((await run("licences", "show", organization)).json).toMatchObject(shown)
    await run("licences", "resume", organization, ...because)
    expect((await run("licences", "show", organization)).json).toMatchObject({ suspended: false })
  })

  it("a sandbox premise that waited gets the next pool element; branding and delivery are kept", async () => {
    const element = await desk.simulator.issueElement({
      environment: "sandbox",
      businessName: "Проба",
      tin: "100000081",
      locationName: "Веб",
      address: "Његошева 12",
      city: "Београд"
    })
    const secrets = { OVERA_PFX_PASSWORD: element.password, OVERA_PFX_PAC: element.pac }
    const added = await desk.admin(["pool", "add", "--pfx", desk.file("pool.pfx", element.pfx), ...because], { environment: secrets })
    expect(added).toMatchObject({ code: 0, err: "" })
    expect((await run("elements", "list")).json.items).toMatchObject([{ element: { jid: element.jid, status: "ACTIVE", businessPremiseId: premise } }])
    expect((await run("elements", "expiring", "--days", "3650")).json.items).toHaveLength(1)
    expect((await run("elements", "expiring")).json.items).toEqual([])
    const logo = readFileSync(new URL("../src/support/sampleLogo.svg", import.meta.url))
    await run("shops", "branding", taxpayer, "--logo", desk.file("logo.svg", logo), "--line", "Књижара Зора", ...because)
    await run("shops", "delivery", taxpayer, "on", "--sender", "Зора", "--reply-to", "kontakt@example.rs", "--locale", "en", "--format", "pdf-80mm", ...because)
    expect((await run("taxpayers", "list")).json.items[0].delivery).toEqual({ enabled: true, senderName: "Зора", replyTo: "kontakt@example.rs", locale: "en", formats: ["pdf-80mm"] })
  })

  it("a buyer's address is erased from what is over, and the log says that it was, not whose", async () => {
    const client = await desk.database.client()
    const insert = (key: string, status: string) =>
      client.query(
        `insert into receipt_deliveries (organization_id, delivery_id, environment, taxpayer_id, fiscal_document_id, client_id, idempotency_key, target,
           request_body, fingerprint_version, fingerprint, recipient, formats, locale, status, attempts, maybe_taken, last_error, failure, created_at, updated_at,
           due_at, waiting_since)
         values ($1, gen_random_uuid(), 'sandbox', gen_random_uuid(), gen_random_uuid(), 'c', $2, 't', '{"recipient":"Kupac@example.rs"}', 1, 'd', 'Kupac@example.rs',
           '{pdf-a4}', 'en', $3, 1, 0, null, null, now(), now(), now(), now())`,
        [organization, key, status]
      )
    await insert("sent", "SENT")
    await insert("queued", "QUEUED")
    expect((await run("deliveries", "erase", organization, "kupac@EXAMPLE.rs", "--older-than", "30", ...because)).json).toEqual({ erased: 0 })
    expect((await run("deliveries", "erase", organization, "kupac@EXAMPLE.rs", ...because)).json).toEqual({ erased: 1 })
    const kept = await rows("receipt_deliveries")
    expect(kept.find((row) => row["status"] === "SENT")).toMatchObject({ recipient: null, request_body: "" })
    expect(kept.find((row) => row["status"] === "QUEUED")).toMatchObject({ recipient: "Kupac@example.rs" })
    expect(JSON.stringify(await rows("activity_log"))).not.toMatch(/kupac@/i)
  })

  it("keys of reference are added once and listed; roots of the configuration are shown with them", async () => {
    const { publicKeyPem, uid } = await signerOf(desk)
    const add = ["reference", "add-signer", "sandbox", uid, "--pem", desk.file("signer.pem", publicKeyPem), ...because]
    await run(...add)
    expect(await desk.admin(add)).toMatchObject({ code: 2 })
    expect((await run("reference", "signers")).json.items).toMatchObject([{ environment: "sandbox", name: uid }])
    expect((await run("reference", "roots")).json.items).toMatchObject([{ environment: "sandbox", source: "configuration" }, { environment: "production" }])
    await run("token-keys", "add", ...because)
    expect((await run("token-keys", "list")).json.items).toMatchObject([{ retired: false }])
    expect((await run("schema", "status")).json).toEqual({ pending: [] })
  })

  it("secrets are sealed again under a new key, after which the old one is not needed", async () => {
    const old = desk.environment["OVERA_SECRET_KEYS"] ?? ""
    const fresh = `two:${Buffer.alloc(32, 9).toString("base64")}`
    const reseal = ["secret-keys", "reseal", ...because, "--json"]
    const lost = await desk.admin(reseal, { environment: { OVERA_SECRET_KEYS: fresh } })
    expect(lost).toMatchObject({ code: 2, err: expect.stringMatching(/sealed under key one, which is not configured/) })
    const sealed = (await run("secret-keys", "list")).json.items
    expect(sealed).toMatchObject([{ keyId: "one" }])
    const done = await desk.admin(reseal, { environment: { OVERA_SECRET_KEYS: `${fresh},${old}` } })
    expect(done.json).toEqual({ resealed: sealed[0].envelopes })
    expect((await run("secret-keys", "list")).json.items).toEqual([{ keyId: "two", envelopes: sealed[0].envelopes }])
    const withoutOld = await desk.admin(["token-keys", "list", "--json"], { environment: { OVERA_SECRET_KEYS: fresh } })
    expect(withoutOld.json.items).toHaveLength(1)
  })

  it("attention is listed with its evidence and acknowledged with a note, once", async () => {
    const client = await desk.database.client()
    const id = "00000000-0000-4000-8000-0000000000aa"
    await client.query(
      `insert into attention (organization_id, attention_id, operation_id, kind, detail, evidence, raised_at)
       values ($1, $2, $3, 'TAX_DIFFERS', 'label A', 'the answer', now())`,
      [organization, id, nobody]
    )
    expect((await run("attention", "list")).json.items).toMatchObject([{ id, kind: "TAX_DIFFERS" }])
    expect((await desk.admin(["attention", "show", id])).out).toContain("Evidence:\nthe answer")
    await run("attention", "acknowledge", id, "--reason", "compared by hand")
    expect((await run("attention", "list")).json.items).toEqual([])
    expect((await run("attention", "show", id)).json).toMatchObject({ acknowledgedBy: "operator:ana (not signed in)", acknowledgement: "compared by hand" })
    expect(await desk.admin(["attention", "acknowledge", id, ...because])).toMatchObject({ code: 2 })
  })
})

interface Signer {
  readonly uid: string
  readonly publicKeyPem: string
}

const signerOf = async ({ simulator }: OperatorDesk): Promise<Signer> => {
  const { sandbox } = await (await fetch(`${simulator.controlUrl}/signers`)).json() as { readonly sandbox: readonly [Signer] }
  return sandbox[0]
}
