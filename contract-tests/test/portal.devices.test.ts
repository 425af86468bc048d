import { assert, describe, it } from "vitest"
import { password, type StagePerson } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { activity, client, rowsOf, stage } = sharedPortal(() => Promise.resolve({ OVERA_MAIL_FROM: "fiskal@primer.example" }))

/** Signs in on a browser; answers its cookies. Without `device` it is a new browser. */
const signIn = async (person: StagePerson, userAgent: string, device?: string): Promise<{ readonly session: string; readonly device: string }> => {
  const answer = await client.ask("POST", "/sign-in", { form: { email: person.email, password }, userAgent, ...(device === undefined ? {} : { device }) })
  assert.strictEqual(answer.status, 303, answer.text)
  return { session: answer.cookies.get("session") ?? "", device: answer.cookies.get("device") ?? "" }
}

const opens = async (session: string): Promise<boolean> => (await client.get("/account", { session })).text.includes("<h1")

const cardIn = (text: string): string => /Познати уређаји<\/h2>.*?<\/section>/s.exec(text)?.[0] ?? ""
const devicesOf = async (session: string, device?: string): Promise<string> => {
  const given = device === undefined ? { session } : { session, device }
  const { text } = await client.get("/account", given)
  return cardIn(text)
}
const idBeside = (card: string, userAgent: string): string => new RegExp(`${userAgent}.*?name="device" value="([0-9a-f]{64})"`, "s").exec(card)?.[1] ?? ""
const newDevices = async (person: StagePerson): Promise<number> =>
  (await rowsOf<{ readonly n: number }>("select count(*)::int as n from portal_mail where recipient = $1", [person.email]))[0]?.n ?? -1

describe("the devices on which a person has signed in", () => {
  const person = () => stage.people.SUPPORT

  it("stand under My account with the first and the last sign-in, this one marked; a repeated sign-in is the same device", async () => {
    const laptop = await signIn(person(), "Laptop")
    const phone = await signIn(person(), "Phone")
    const again = await signIn(person(), "Laptop", laptop.device)
    const rows = await rowsOf<{ readonly description: string; readonly first: Date; readonly last: Date }>(
      "select description, first_used_at as first, last_used_at as last from portal_devices where person_id = $1 order by description", [person().id])
    assert.deepStrictEqual(rows.map(({ description }) => description), ["Laptop", "Phone"])
    assert.isAbove(rows[0]?.last.getTime() ?? 0, rows[0]?.first.getTime() ?? 0)
    const card = await devicesOf(again.session, again.device)
    assert.strictEqual(card.split(">Овај<").length, 2)
    assert.isBelow(card.indexOf("Laptop"), card.indexOf("Phone"), "the last used first")
    assert.match(card, /Овај<.*Phone/s)
    for (const word of ["Прва пријава", "Последња пријава"]) assert.include(card, word)
    // The table has digests: no cookie can be made of a copy of it.
    for (const { device } of [laptop, phone]) assert.notInclude(JSON.stringify(await rowsOf("select * from portal_devices")), device.split(".")[0] ?? "none")
    // Nobody else's page shows them.
    assert.notInclude(await devicesOf(await stage.session(stage.people.OTHER)), "Laptop")
  })

  it("are forgotten one by one, by their own person: its sessions end, its mark is worth nothing, and neither is a copy of it after the next sign-in", async () => {
    const here = await signIn(person(), "Desk")
    const lost = await signIn(person(), "Lost")
    const id = idBeside(await devicesOf(here.session), "Lost")
    assert.match(id, /^[0-9a-f]{64}$/)
    await client.send("/account/devices/forget", await stage.session(stage.people.OTHER), { device: id })
    assert.isTrue(await opens(lost.session), "a stranger forgets nothing")
    const before = await newDevices(person())
    await signIn(person(), "Lost", lost.device)
    assert.strictEqual(await newDevices(person()), before, "a known device is no news")
    const answer = await client.send("/account/devices/forget", here.session, { device: id })
    assert.strictEqual(answer.location, "/account?done=device-forgotten")
    assert.notInclude(await devicesOf(here.session), "Lost")
    assert.deepStrictEqual([await opens(here.session), await opens(lost.session)], [true, false])
    const found = await signIn(person(), "Lost", lost.device)
    assert.strictEqual(await newDevices(person()), before + 1, "the next sign-in is one on a new device")
    assert.include(await devicesOf(here.session), "Lost")
    await signIn(person(), "Copy", lost.device)
    assert.strictEqual(await newDevices(person()), before + 2, "a copy of the mark from before is not known")
    await signIn(person(), "Lost", found.device)
    assert.strictEqual(await newDevices(person()), before + 2)
    assert.isTrue((await activity()).some((line) => line === `portal:${person().email} device forgotten ${person().email}`))
    const again = await client.send("/account/devices/forget", here.session, { device: "0".repeat(64) })
    assert.strictEqual(again.location, "/account?done=device-forgotten", "an unknown one is answered alike")
  })

  it("are forgotten all but this one, which gets a new mark; and all with a new password", async () => {
    const here = await signIn(person(), "Home")
    const other = await signIn(person(), "Cafe")
    const answer = await client.send("/account/devices/forget-all", here.session, { current: password }, { device: here.device, userAgent: "Home" })
    assert.strictEqual(answer.location, "/account?done=devices-forgotten")
    const after = { session: answer.cookies.get("session") ?? "", device: answer.cookies.get("device") ?? "" }
    assert.deepStrictEqual([await opens(after.session), await opens(here.session), await opens(other.session)], [true, false, false])
    const card = await devicesOf(after.session, after.device)
    assert.include(card, "Home")
    for (const gone of ["Cafe", "Laptop", "Desk"]) assert.notInclude(card, gone)
    const before = await newDevices(person())
    await signIn(person(), "Home", after.device)
    assert.strictEqual(await newDevices(person()), before)
    await signIn(person(), "Home copied", here.device)
    assert.strictEqual(await newDevices(person()), before + 1)
    const changed = await client.send("/account/password", after.session, { current: password, next: "sasvim drugačija rečenica" }, { device: after.device, userAgent: "Home" })
    assert.strictEqual(changed.location, "/account?done=password-changed")
    const only = await devicesOf(changed.cookies.get("session") ?? "")
    assert.include(only, "Home")
    assert.notInclude(only, "Home copied")
  })

  it("are not all forgotten without the password: a copy of the session's cookie is not enough for a new session", async () => {
    const { session } = await signIn(stage.people.OWNER, "Office")
    const other = await signIn(stage.people.OWNER, "Cafe")
    const page = await client.get("/account/devices/forget-all", { session })
    assert.include(page.text, 'name="current"')
    for (const current of ["", "nije lozinka nije lozinka"]) {
      const answer = await client.send("/account/devices/forget-all", session, { current })
      assert.deepStrictEqual([answer.status, answer.cookies.has("session")], [422, false])
      assert.include(answer.text, "Садашња лозинка није тачна")
    }
    assert.deepStrictEqual([await opens(session), await opens(other.session)], [true, true])
  })

  it("are forgotten after 180 days without a sign-in", async () => {
    const { session } = await signIn(stage.people.ACCOUNTANT, "Old")
    await rowsOf("update portal_devices set last_used_at = now() - interval '181 days', first_used_at = now() - interval '181 days' where person_id = $1", [stage.people.ACCOUNTANT.id])
    await rowsOf("update people set created_at = now() - interval '1 year' where person_id = $1", [stage.people.ACCOUNTANT.id])
    assert.notInclude(await devicesOf(session), "Old")
    await signIn(stage.people.ACCOUNTANT, "New")
    assert.deepStrictEqual(await rowsOf("select description from portal_devices where person_id = $1", [stage.people.ACCOUNTANT.id]), [{ description: "New" }])
  })
})
