import { type RunningStandIn, startStandIn } from "@overa/adapter-company-register"
import { randomUUID } from "node:crypto"
import { afterAll, assert, describe, it } from "vitest"
import { fieldsOf } from "../src/portal/filledForm.ts"
import { mailedToken, takeMails } from "../src/portal/mailedLinks.ts"
import { sendFile } from "../src/portal/sendFile.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"
import { withRightDigit } from "../src/support/rightDigits.ts"

const company = { taxIdentifier: withRightDigit("10000431"), registrationNumber: "07000001", name: "PEKARA ZORA DOO", address: "Обреновићева 5", city: "Ниш" }
const login = { userName: "overa", password: "tajna", licenceId: randomUUID() }
let nbs: RunningStandIn | null = null
afterAll(() => nbs?.stop())

const { client, rowsOf, stage } = sharedPortal(async () => {
  nbs = await startStandIn(login, [company])
  return { OVERA_NBS_URL: nbs.url, OVERA_NBS_USER_NAME: login.userName, OVERA_NBS_PASSWORD: login.password, OVERA_NBS_LICENCE_ID: login.licenceId }
})

let minted = 500
/** What an operator types of a shop that nobody knows yet. */
const typedShop = (changes: Readonly<Record<string, string>> = {}) => {
  minted += 1
  return {
    organization: `Нова радња ${minted}`, email: `vlasnik-${minted}@primer.example`, environment: "sandbox", taxId: withRightDigit(`10000${minted}`), name: "Нова д.о.о.", address: "Ул. 1", city: "Ниш",
    vat: "IN_VAT", registered: "", pu: "1", premise: "Веб", premiseAddress: "", premiseCity: "", password: "", pac: "", reason: "уговор 17", ...changes
  }
}

const elementFor = (tin: string, environment: "production" | "sandbox" = "sandbox") =>
  stage.desk.simulator.issueElement({ environment, businessName: "Нова д.о.о.", tin, locationName: "Веб", address: "Ул. 1", city: "Ниш" })

/** The address of a new shop's form. */
const newAddress = async (session: string): Promise<string> => (await client.get("/operator/organizations/onboard", { session })).location
const idIn = (address: string): string => address.slice(address.lastIndexOf("/") + 1)

/** Everything that there is of the shop of an address. */
const storedOf = async (address: string) => {
  const id = idIn(address)
  const count = async (table: string) => (await rowsOf<{ readonly n: number }>(`select count(*)::int as n from ${table} where organization_id = $1`, [id]))[0]?.n ?? -1
  return {
    organizations: await count("organizations"), invitations: await count("invitations"), taxpayers: await count("taxpayers"), premises: await count("business_premises"),
    uploaded: (await rowsOf("select 1 from security_elements where organization_id = $1 and status = 'UPLOADED'", [id])).length
  }
}
const nothing = { organizations: 0, invitations: 0, taxpayers: 0, premises: 0, uploaded: 0 }
const whole = { organizations: 1, invitations: 1, taxpayers: 1, premises: 1, uploaded: 0 }

/** The step's state and what it leads to, in the table of the shop's page. */
const stepIn = (text: string, name: string): string => text.match(/<tr[^>]*>.*?<\/tr>/gs)?.find((row) => row.includes(`<span>${name}</span>`)) ?? assert.fail(`no step ${name}`)

describe("a shop is onboarded by one form", () => {
  it("begins in the sandbox, and makes organization, invitation, taxpayer, premise and element, each with its line by name", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    const address = await newAddress(session)
    const fields = fieldsOf((await client.get(address, { session })).text, address)
    assert.deepStrictEqual([fields?.["environment"], fields?.["real"]], ["sandbox", undefined])
    const typed = typedShop()
    const element = await elementFor(typed.taxId)
    const sent = await sendFile(client, session, address, { typed: { ...typed, password: element.password, pac: element.pac }, file: element.pfx })
    assert.deepStrictEqual([sent.status, sent.location], [303, `${address}?done=shop-opened`])
    assert.deepStrictEqual(await storedOf(address), { ...whole, uploaded: 1 })
    const { text } = await client.get(sent.location, { session })
    for (const said of ["Радња је отворена", typed.organization, typed.email, typed.taxId, element.jid]) assert.include(text, said)
    for (const [step, state] of [["Организација", "Урађено"], ["Позив власнику", "Чека"], ["Обвезник", "Урађено"], ["Пословни простор", "Урађено"], ["Безбедносни елемент", "Чека"]] as const) assert.include(stepIn(text, step), state, step)
    assert.match(stepIn(text, "Безбедносни елемент"), /href="\/operator\/organizations\/[^"]+\/activate"/)
    for (const secret of [element.password, element.pac]) assert.notInclude(text, secret)
    const lines = await rowsOf<{ readonly act: string; readonly actor: string; readonly reason: string; readonly named: string | null }>(
      "select act, actor, reason, subject_name as named from activity_log where organization_id = $1 order by at", [idIn(address)])
    assert.deepStrictEqual(lines.map(({ act, named }) => [act, named]), [
      ["organization created", typed.organization], ["member invited", null], ["taxpayer created", typed.name], ["data opened by an operator", typed.organization], ["security element uploaded", element.jid]
    ])
    assert.isTrue(lines.every(({ actor, reason }) => actor === `operator:${stage.people.OPERATOR.email}` && reason === typed.reason))
    const token = await mailedToken(stage, typed.email)
    const accepted = await client.ask("POST", "/invitation/accept", { form: { token, name: "Нови Власник", next: "cetiri zelena kofera" } })
    assert.strictEqual(accepted.status, 303)
    assert.include(stepIn((await client.get(address, { session })).text, "Позив власнику"), "Урађено")
  })

  it("tells every fault at once, beside its field, keeps the entries, and stores nothing; in Serbian and in English", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    const address = await newAddress(session)
    const right = typedShop()
    const wrongId = right.taxId.slice(0, 8) + String((Number(right.taxId[8]) + 4) % 10)
    const typed = { ...right, organization: "", email: "nije adresa", environment: "production", taxId: wrongId, name: "x".repeat(351), pu: "", premise: "", premiseCity: "Ниш", password: "lozinka", pac: "1", reason: "" }
    const places = ["organization", "email", "environment", "taxId", "name", "pu", "premise", "file", "pac", "reason"]
    for (const [language, said] of [["sr", ["Исправите", "потврдите то испод", "Последња цифра ПИБ-а", "ПАК има шест", "Напишите разлог", "изаберите и унесите их поново"]], ["en", ["Please correct", "confirm it below", "The last digit of the tax id", "A PAC has six", "Write the reason", "choose and enter them again"]]] as const) {
      const refused = await sendFile(client, session, address, { typed, file: new TextEncoder().encode("no pfx"), language })
      assert.strictEqual(refused.status, 422)
      assert.deepStrictEqual([...refused.text.matchAll(/href="#field-([\w-]+)"/g)].map(([, name]) => name), places)
      for (const name of places) assert.include(refused.text, `id="field-${name}-fault"`, name)
      for (const sentence of said) assert.include(refused.text, sentence)
      const kept = fieldsOf(refused.text, address)
      for (const name of ["email", "environment", "taxId", "name", "address", "city", "premiseCity"] as const) assert.strictEqual(kept?.[name], typed[name], name)
      assert.deepStrictEqual([kept?.["password"], kept?.["pac"]], ["", ""])
    }
    assert.deepStrictEqual(await storedOf(address), nothing)
    // The element's own faults stand beside the others.
    const element = await elementFor(right.taxId)
    const closed = await sendFile(client, session, address, { typed: { ...typed, password: "wrong", pac: element.pac }, file: element.pfx })
    assert.include(closed.text, "id=\"field-password-fault\"")
    assert.include(closed.text, "href=\"#field-organization\"")
  })

  it("is opened once, however often its form is sent at once", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    const address = await newAddress(session)
    const typed = typedShop()
    const element = await elementFor(typed.taxId)
    await takeMails(stage)
    const form = { typed: { ...typed, form: randomUUID(), password: element.password, pac: element.pac }, file: element.pfx }
    const answers = await Promise.all([1, 2, 3, 4].map(() => sendFile(client, session, address, form)))
    const ends = answers.map(({ location, status, text }) => location === "" ? `${status}: ${text}` : location.replace(address, ""))
    assert.deepStrictEqual(ends.toSorted(), ["?done=already", "?done=already", "?done=already", "?done=shop-opened"])
    assert.deepStrictEqual(await storedOf(address), { ...whole, uploaded: 1 })
    assert.lengthOf((await takeMails(stage)).filter(({ recipient }) => recipient === typed.email), 1)
    // Sent again later, whatever it says.
    const again = await sendFile(client, session, address, { typed: { ...typedShop(), form: form.typed.form }, file: null })
    assert.strictEqual(again.location, `${address}?done=already`)
    assert.deepStrictEqual(await storedOf(address), { ...whole, uploaded: 1 })
    assert.include((await client.get(again.location, { session })).text, typed.organization)
  })

  it("goes on from the same page where the element is refused after the shop was opened", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    const [first, second] = [await newAddress(session), await newAddress(session)]
    const taken = await elementFor(withRightDigit("10000491"))
    const secrets = { password: taken.password, pac: taken.pac }
    await sendFile(client, session, first, { typed: { ...typedShop(), ...secrets }, file: taken.pfx })
    const typed = typedShop()
    const refused = await sendFile(client, session, second, { typed: { ...typed, ...secrets }, file: taken.pfx })
    assert.strictEqual(refused.status, 422)
    for (const said of ["Радња је отворена и сачувана; елемент није", "већ учитан", typed.organization]) assert.include(refused.text, said)
    assert.include(stepIn(refused.text, "Безбедносни елемент"), "Недостаје")
    assert.deepStrictEqual(await storedOf(second), whole)
    const faulty = await sendFile(client, session, second, { typed: { reason: "", password: "", pac: "" }, file: null })
    // Without a reason nothing of the shop is shown to whoever has not opened it; here it was opened by the form.
    for (const name of ["file", "pac", "reason"]) assert.include(faulty.text, `href="#field-${name}"`)
    const own = await elementFor(typed.taxId)
    const form = { typed: { form: randomUUID(), reason: "стигла датотека", password: own.password, pac: own.pac }, file: own.pfx }
    const answers = await Promise.all([1, 2].map(() => sendFile(client, session, second, form)))
    assert.deepStrictEqual(answers.map(({ location }) => location), [`${second}?done=element-uploaded`, `${second}?done=element-uploaded`])
    assert.deepStrictEqual(await storedOf(second), { ...whole, uploaded: 1 })
    assert.notInclude((await client.get(second, { session })).text, "id=\"element\"")
  })

  it("is not there at all where its tax id is another's, and is opened from the same page with the right one", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    const address = await newAddress(session)
    const typed = typedShop()
    const refused = await sendFile(client, session, address, { typed: { ...typed, taxId: "100000049" }, file: null })
    assert.strictEqual(refused.status, 422)
    assert.match(refused.text, /id="field-taxId-fault">Обвезник са овим ПИБ-ом већ постоји/)
    assert.deepStrictEqual(await storedOf(address), nothing)
    assert.strictEqual((await sendFile(client, session, address, { typed, file: null })).location, `${address}?done=shop-opened`)
    assert.deepStrictEqual(await storedOf(address), whole)
  })

  it("is in production only where that is chosen and confirmed; then licence, traffic and element are named as missing", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    const address = await newAddress(session)
    const typed = typedShop({ environment: "production" })
    const refused = await sendFile(client, session, address, { typed, file: null })
    assert.include(refused.text, "id=\"field-environment-fault\"")
    const sent = await sendFile(client, session, address, { typed: { ...typed, real: "yes" }, file: null })
    const { text } = await client.get(sent.location, { session })
    for (const step of ["Безбедносни елемент", "Лиценца за продукцију"]) assert.include(stepIn(text, step), "Недостаје", step)
    assert.match(stepIn(text, "Лиценца за продукцију"), /href="\/operator\/organizations\/[^"]+\/licence"/)
    const foreign = await elementFor("100000049", "production")
    const other = await sendFile(client, session, address, { typed: { reason: "датотека", password: foreign.password, pac: foreign.pac }, file: foreign.pfx })
    assert.match(other.text, /id="field-file-fault">Елемент је издат на ПИБ 100000049/)
  })

  it("has its name from the company register where none is typed; another name is told once, and stays where it is sent again", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    const address = await newAddress(session)
    const typed = typedShop({ taxId: company.taxIdentifier, name: "", address: "", city: "" })
    const filled = await sendFile(client, session, address, { typed, file: null })
    assert.strictEqual(filled.status, 422)
    const fields = fieldsOf(filled.text, address)
    assert.deepStrictEqual([fields?.["name"], fields?.["address"], fields?.["city"]], [company.name, company.address, company.city])
    const told = await sendFile(client, session, address, { typed: { ...typed, name: "Пекара Сунце" }, file: null })
    assert.include(told.text, "У регистру се за овај ПИБ води: PEKARA ZORA DOO")
    assert.deepStrictEqual(await storedOf(address), nothing)
    const sent = await sendFile(client, session, address, { typed: { ...typed, name: "Пекара Сунце", registered: fieldsOf(told.text, address)?.["registered"] ?? "" }, file: null })
    assert.strictEqual(sent.location, `${address}?done=shop-opened`)
    const [stored] = await rowsOf<{ readonly name: string }>("select name from taxpayers where organization_id = $1", [idIn(address)])
    assert.strictEqual(stored?.name, "Пекара Сунце")
    // The same company under the letters of the other script is no other name.
    const production = await newAddress(session)
    const same = await sendFile(client, session, production, { typed: { ...typedShop({ taxId: company.taxIdentifier, environment: "production", name: "Пекара „Зора“ д.о.о." }), real: "yes" }, file: null })
    assert.strictEqual(same.location, `${production}?done=shop-opened`)
  })

  it("is opened under an id of this page alone, and a shop that is there is shown for a reason", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    for (const id of ["00000000-0000-0000-0000-000000000000", "0190a1b2-0000-7000-8000-000000000000", "x"]) {
      const path = `/operator/organizations/onboard/${id}`
      assert.strictEqual((await client.get(path, { session })).status, 404, id)
      assert.strictEqual((await client.send(path, session, typedShop())).status, 404, id)
    }
    const existing = `/operator/organizations/onboard/${stage.otherOrganizationId}`
    const closed = await client.get(existing, { session })
    assert.include(closed.text, "само са разлогом")
    assert.notInclude(closed.text, stage.people.OTHER.email)
    await client.send(`/operator/organizations/${stage.otherOrganizationId}/open`, session, { reason: "тикет 5", back: existing })
    const { text } = await client.get(existing, { session })
    assert.match(stepIn(text, "Обвезник"), /Недостаје.*taxpayers\/add/s)
    assert.include(text, stage.people.OTHER.email)
  })
})

describe("without a mail server", () => {
  const portal = sharedPortal(() => Promise.resolve({ OVERA_SMTP_URL: "" }))

  it("the invitation's link is shown once, to the operator alone", async () => {
    const session = await portal.stage.session(portal.stage.people.OPERATOR)
    const address = (await portal.client.get("/operator/organizations/onboard", { session })).location
    const sent = await sendFile(portal.client, session, address, { typed: typedShop(), file: null })
    assert.strictEqual(sent.status, 200)
    const link = /<span class="secret">([^<]*\/invitation#[\w-]+)<\/span>/.exec(sent.text)?.[1] ?? assert.fail("no link")
    assert.notInclude((await portal.client.get(address, { session })).text, link)
    const token = link.slice(link.indexOf("#") + 1)
    const accepted = await portal.client.ask("POST", "/invitation/accept", { form: { token, name: "Власник", next: "cetiri zelena kofera" } })
    assert.strictEqual(accepted.status, 303)
  })
})
