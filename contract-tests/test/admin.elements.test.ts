import type { Element } from "@overa/vpfr-simulator"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type AdminAnswer, type OperatorDesk, operatorDesk } from "../src/support/operatorDesk.ts"

const because = ["--reason", "contract 17"]
const taxIdentifier = "100000049"
let desk: OperatorDesk
let organization: string
let premise: string
let taxpayer: string

const done = (answer: AdminAnswer): AdminAnswer => {
  expect({ code: answer.code, err: answer.err }).toEqual({ code: 0, err: "" })
  return answer
}

const run = async (...args: ReadonlyArray<string>): Promise<AdminAnswer> => done(await desk.admin([...args, "--json"]))

const issued = (changes: { readonly environment?: "sandbox" | "production"; readonly tin?: string } = {}): Promise<Element> =>
  desk.simulator.issueElement({
    environment: "production",
    businessName: "Књижара Зора",
    tin: taxIdentifier,
    locationName: "Веб продавница",
    address: "Његошева 12",
    city: "Београд",
    ...changes
  })

/** The options that name an element's file and its secrets. */
const fileOptions = (element: Element, secrets: { readonly password?: string; readonly pac?: string } = {}) => [
  "--pfx",
  desk.file(`${element.jid}.pfx`, element.pfx),
  "--password-file",
  desk.file(`${element.jid}.password`, `${secrets.password ?? element.password}\n`),
  "--pac-file",
  desk.file(`${element.jid}.pac`, `${secrets.pac ?? element.pac}\n`)
]

const upload = (element: Element, secrets: { readonly password?: string; readonly pac?: string } = {}) =>
  desk.admin(["elements", "upload", premise, ...fileOptions(element, secrets), ...because, "--json"])

const statusOf = async (id: string): Promise<string> => {
  const { json } = await run("elements", "list")
  return json.items.find((it: { readonly element: { readonly id: string } }) => it.element.id === id).element.status
}

beforeAll(async () => {
  desk = await operatorDesk()
  organization = (await run("organizations", "add", "Књижара Зора д.о.о.", ...because)).json.id
  const options = ["--environment", "production", "--tax-id", taxIdentifier, "--name", "Књижара Зора", "--vat", "IN_VAT", "--pu", "1000001", "--premise", "Веб"]
  const made = (await run("taxpayers", "add", organization, ...options, ...because)).json
  premise = made.businessPremiseId
  taxpayer = made.id
  await run("environment", "set", "production", "--esir", "999/0.1", ...because)
  await run("environment", "traffic", "production", "on", ...because)
})
afterAll(() => desk.close())

describe("Spec, Authentication 9: a production element is held to its taxpayer, its place and its authority", () => {
  it.each<readonly [name: string, order: Parameters<typeof issued>[0], secrets: Parameters<typeof upload>[1], sentence: RegExp]>([
    ["another taxpayer's", { tin: "100000065" }, {}, /issued to 100000065, the taxpayer is 100000049/],
    ["the other environment's", { environment: "sandbox" }, {}, /an element of sandbox, the premise is in production/],
    ["one with a wrong password", {}, { password: "wrong" }, /no usable security element/],
    ["one with a PAC of another length", {}, { pac: "123" }, /PAC has six/]
  ])("refuses %s with one sentence, exit code 2 and no trace", async (_name, order, secrets, sentence) => {
    const answer = await upload(await issued(order), secrets)
    expect(answer).toMatchObject({ code: 2, out: "" })
    expect(answer.err).toMatch(sentence)
    expect(answer.err.trim().split("\n")).toHaveLength(1)
    expect((await run("elements", "list")).json.items).toEqual([])
  })

  it("activates an element by one Training document that is journaled, and refuses to do it twice", async () => {
    const element = await issued()
    const { json } = done(await upload(element))
    expect(await statusOf(json.id)).toBe("UPLOADED")
    const activated = await run("elements", "activate", json.id, ...because)
    expect(activated.json).toMatchObject({ status: "ACTIVE", replaced: null })
    expect(activated.json.invoiceNumber.startsWith(`${element.jid}-`)).toBe(true)
    expect(await statusOf(json.id)).toBe("ACTIVE")
    const [receipt, ...others] = desk.simulator.receipts(null).filter((it) => it.element === element.jid)
    expect(receipt?.invoiceType).toBe("Training")
    expect(others).toEqual([])
    const again = await desk.admin(["elements", "activate", json.id, ...because])
    expect(again).toMatchObject({ code: 2, err: "The element is ACTIVE; only an UPLOADED one can be activated.\n" })
    const { json: log } = await run("activity", "search", json.id)
    expect(log.items.map((it: { readonly act: string }) => it.act)).toEqual(["security element activated", "security element uploaded"])
  })

  it("leaves it UPLOADED when the outcome is unknown, and sends no second document until that is decided", async () => {
    const element = await issued()
    const { json } = done(await upload(element))
    await desk.simulator.addFault({ fault: "sign-then-reset", times: 1 })
    const activation = ["elements", "activate", json.id, ...because, "--yes"]
    const first = await desk.admin(activation)
    expect(first.err).toMatch(/not known yet.*stays UPLOADED/)
    expect(await statusOf(json.id)).toBe("UPLOADED")
    const again = await desk.admin(activation)
    expect(again.err).toBe(first.err)
    const receipts = desk.simulator.receipts(null).filter((it) => it.element === element.jid)
    expect(receipts).toHaveLength(1)
  })

  it("the operator decides it with the receipt found by hand, and then the element can be activated", async () => {
    const { json: open } = await run("unknown", "list")
    expect(open.items).toHaveLength(1)
    const [operation] = open.items
    const { json: file } = await run("unknown", "show", operation.id)
    expect(file.attempts[0]).toMatchObject({ mayHaveArrived: true })
    const [signed] = desk.simulator.receipts(file.attempts[0].requestId)
    const found = await (await fetch(`${desk.simulator.controlUrl}/receipts/${signed?.invoiceNumber}`)).json() as { readonly answer: string }
    const receipt = JSON.parse(found.answer) as { readonly verificationUrl: string; readonly journal: string }
    const decide = ["unknown", "decide", operation.id]
    const proof = (journal: string, url = receipt.verificationUrl) => ["--url", url, "--journal-file", desk.file("journal.txt", journal)]

    const early = await desk.admin([...decide, "not-issued", ...because, "--yes"])
    expect(early).toMatchObject({ code: 2 })
    expect(early.err).toMatch(/too early/)
    const unasked = await desk.admin([...decide, "issued", ...proof(receipt.journal), ...because])
    expect(unasked).toMatchObject({ code: 2 })
    expect(unasked.err).toMatch(/--yes/)
    const strange = await desk.admin([...decide, "issued", ...proof("another receipt"), ...because, "--yes"])
    expect(strange.err).toMatch(/journal does not print/)
    const damaged = await desk.admin([...decide, "issued", ...proof(receipt.journal, "http://127.0.0.1/v/?vl=AAAA"), ...because, "--yes"])
    expect(damaged.err).toMatch(/link cannot be read/)
    const [another] = desk.simulator.receipts(null).filter((it) => it.element !== file.attempts[0].jid)
    const foreign = await (await fetch(`${desk.simulator.controlUrl}/receipts/${another?.invoiceNumber}`)).json() as { readonly answer: string }
    const { journal, verificationUrl } = JSON.parse(foreign.answer) as { readonly verificationUrl: string; readonly journal: string }
    const notOurs = await desk.admin([...decide, "issued", ...proof(journal, verificationUrl), ...because, "--yes"])
    expect(notOurs.err).toMatch(/That receipt is not accepted: requestedBy .*--despite-differences/)
    expect((await run("unknown", "list")).json.items).toHaveLength(1)

    const decided = await run(...decide, "issued", ...proof(receipt.journal), ...because, "--yes")
    expect(decided.json.status).toBe("FISCALIZED")
    expect((await run("unknown", "list")).json.items).toEqual([])
    const { json: log } = await run("activity", "search", "unknown outcome decided")
    expect(log.items).toMatchObject([{ actor: "operator:ana (not signed in)", reason: "contract 17", subject: operation.id }])
  })

  it("replaces the former element only with --yes, and only once the new one is proven", async () => {
    const { json } = await run("elements", "list", "--status", "UPLOADED")
    const [uploaded] = json.items
    const unasked = await desk.admin(["elements", "activate", uploaded.element.id, ...because])
    expect(unasked).toMatchObject({ code: 2 })
    expect(unasked.err).toMatch(/replaced for good.*--yes/)
    const activated = await run("elements", "activate", uploaded.element.id, ...because, "--yes")
    expect(await statusOf(activated.json.replaced)).toBe("REPLACED")
    expect(await statusOf(uploaded.element.id)).toBe("ACTIVE")
    // The document was signed before; activating sent nothing more.
    expect(desk.simulator.receipts(null).filter((it) => it.element === uploaded.element.jid)).toHaveLength(1)
  })

  it("a rejected Training document leaves it UPLOADED, and the next try is a new document", async () => {
    const element = await issued()
    const { json } = done(await upload(element))
    await desk.simulator.addFault({ fault: "reject", times: 1, modelState: [{ property: "items[0].labels", errors: ["2310"] }] })
    const rejected = await desk.admin(["elements", "activate", json.id, ...because, "--yes"])
    expect(rejected).toMatchObject({ code: 2 })
    expect(rejected.err).toMatch(/rejected the Training document \(2310\).*stays UPLOADED/)
    await run("elements", "activate", json.id, ...because, "--yes")
    expect(await statusOf(json.id)).toBe("ACTIVE")
  })

  it("refuses a certificate uploaded before, a premise that is not there, and traffic switched off", async () => {
    const element = await issued()
    const { json } = done(await upload(element))
    expect((await upload(element)).err).toMatch(/uploaded before/)
    const nowhere = ["elements", "upload", "00000000-0000-7000-8000-000000000000", ...fileOptions(element), ...because]
    expect(await desk.admin(nowhere)).toMatchObject({ code: 2, err: "There is no business premise 00000000-0000-7000-8000-000000000000.\n" })
    await run("environment", "traffic", "production", "off", ...because, "--yes")
    expect((await desk.admin(["elements", "activate", json.id, ...because, "--yes"])).err).toMatch(/switched off/)
    await run("environment", "traffic", "production", "on", ...because)
  })
})

describe("secrets on their way in", () => {
  it("come from standard input or the environment as well, and never from an argument", async () => {
    const [piped, set] = [await issued(), await issued()]
    const pfx = (element: Element) => ["--pfx", desk.file(`${element.jid}.pfx`, element.pfx)]
    const byLines = ["elements", "upload", premise, ...pfx(piped), "--password-file", "-", "--pac-file", "-", ...because]
    done(await desk.admin(byLines, { lines: [piped.password, piped.pac] }))
    const byVariables = { OVERA_PFX_PASSWORD: set.password, OVERA_PFX_PAC: set.pac }
    done(await desk.admin(["elements", "upload", premise, ...pfx(set), ...because], { environment: byVariables }))
    const missing = await desk.admin(["elements", "upload", premise, ...pfx(set), ...because])
    expect(missing).toMatchObject({ code: 2 })
    expect(missing.err).toMatch(/PFX password is missing.*--password-file.*OVERA_PFX_PASSWORD/)
  })

  it("leave nothing behind in what the command writes, nor in the clear in the database", async () => {
    const client = await desk.database.client()
    const { rows: elements } = await client.query<{ readonly secrets: string }>("select secrets from security_elements")
    const { rows: log } = await client.query("select * from activity_log")
    const everything = desk.written() + JSON.stringify(elements) + JSON.stringify(log)
    expect(elements.length).toBeGreaterThan(3)
    expect(everything).not.toMatch(/PRIVATE KEY|BEGIN RSA|"pac"|password":/)
    expect(taxpayer).not.toBe("")
  })
})
