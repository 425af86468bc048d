import { firstMonthToMail, lastMonthToMail, monthMailDueAt, monthMailWaitsUntil, monthsLater, PersonMailer, queueMonthMails, sendPersonMails } from "@overa/domain"
import { SmtpPersonMailer } from "@overa/adapter-mail"
import { queueDueMonthMails } from "@overa/worker"
import { Clock, DateTime, Effect, Layer, Redacted } from "effect"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { type MailPeer, mailPeer } from "../../adapters/mail/test/support/mailPeer.ts"
import { issueSale } from "../src/portal/issueSale.ts"
import { whileNobodyKnows } from "../src/portal/loseAnswers.ts"
import { takeMails } from "../src/portal/mailedLinks.ts"
import type { StagePerson } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"
import { giveRole } from "../src/support/giveRole.ts"

const { activity, client, rowsOf, stage } = sharedPortal()

const now = DateTime.nowUnsafe()
/** The month that is due last, and the first one of who switches it on now. */
const [last, first] = [lastMonthToMail(now), firstMonthToMail(now)]

let peer: MailPeer
let accountant: string

beforeAll(async () => {
  peer = await mailPeer()
  accountant = await stage.session(stage.people.ACCOUNTANT)
  await issueSale(stage)
})
afterAll(() => peer.close())
beforeEach(async () => {
  await rowsOf("delete from month_mails")
  await rowsOf("delete from portal_mail")
  await rowsOf("update mail_transport set failures = 0, detail = null, try_at = now()")
  peer.arrived.length = 0
})

/** Switches it on as the page's form does. */
const switchOn = (session = accountant, form: Readonly<Record<string, string>> = {}) =>
  client.send("/books/mail", session, { taxpayer: stage.shop.taxpayerId, month: last, xlsx: "yes", csv: "yes", pdf: "yes", language: "en", ...form })

/** As if it had been switched on so many months ago. */
const switchedOnBefore = async (months = 1): Promise<void> => {
  assert.strictEqual((await switchOn()).status, 303)
  await rowsOf("update month_mails set next_month = $1", [monthsLater(first, -months)])
}

/** A clock that stands at an instant; what waits waits really. */
const standingAt = (clock: Clock.Clock, at: DateTime.Utc): Clock.Clock => {
  const millis = DateTime.toEpochMillis(at)
  return {
    currentTimeMillisUnsafe: () => millis,
    currentTimeMillis: Effect.succeed(millis),
    currentTimeNanosUnsafe: () => BigInt(millis) * 1_000_000n,
    currentTimeNanos: Effect.succeed(BigInt(millis) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }
}

/** One pass of a worker; how many messages it queued. */
const queuePass = (at = now): Promise<number> =>
  stage.run(Clock.clockWith((clock) => queueMonthMails(null, 100).pipe(Effect.provideService(Clock.Clock, standingAt(clock, at))))).then(({ queued }) => queued)

const waiting = async () => {
  await rowsOf("update portal_mail set due_at = now(), expires_at = now() + interval '1 hour'")
  return await takeMails(stage)
}
const sentMonths = async () => (await rowsOf<{ readonly month: string }>("select after::json ->> 'month' as month from activity_log where act = 'month by mail queued' and at <= now() order by at")).map(({ month }) => month)
const isOn = async (person: StagePerson) => (await rowsOf("select 1 from month_mails where person_id = $1", [person.id])).length > 0
const page = async (session: string, path = `/books?taxpayer=${stage.shop.taxpayerId}&month=${last}`) => (await client.get(path, { session })).text
const printed = (month: string): string => `${month.split("-").toReversed().join(".")}.`
const lines = async (act: string) => (await activity()).filter((line) => line.includes(act))

describe("the month by mail on the page of the month", () => {
  it("is off, tells to which address and when the first message comes, and is switched on for the person's own address alone", async () => {
    const off = await page(accountant)
    assert.include(off, `<strong>${stage.people.ACCOUNTANT.email}</strong>`)
    assert.include(off, printed(first))
    const answer = await switchOn(accountant, { recipient: "ana@evil.example", email: "ana@evil.example", person: stage.people.OWNER.id })
    assert.deepStrictEqual([answer.status, answer.location], [303, `/books?taxpayer=${stage.shop.taxpayerId}&month=${last}&done=month-mail-on`])
    assert.deepStrictEqual(
      await rowsOf("select person_id, environment, taxpayer_id, formats, language, portal, next_month from month_mails"),
      [{ person_id: stage.people.ACCOUNTANT.id, environment: "sandbox", taxpayer_id: stage.shop.taxpayerId, formats: ["xlsx", "csv", "pdf"], language: "en", portal: stage.portal.url, next_month: first }]
    )
    const on = await page(accountant)
    assert.match(on, new RegExp(`Следећи месец</dt><dd>${printed(first).replaceAll(".", "\\.")}`))
    assert.include((await lines("month by mail switched on")).at(-1) ?? "", `portal:${stage.people.ACCOUNTANT.email} month by mail switched on ${stage.shop.taxpayerId}`)
    assert.include(await page(accountant, "/activity"), "месец е-поштом укључен")
  })

  it("is each person's own: nobody sees or ends another's", async () => {
    await switchOn()
    const owner = await stage.session(stage.people.OWNER)
    assert.include(await page(owner), "Укључи слање")
    await client.send("/books/mail/off", owner, { taxpayer: stage.shop.taxpayerId, month: last })
    assert.isTrue(await isOn(stage.people.ACCOUNTANT))
    await switchOn(owner)
    assert.lengthOf(await rowsOf("select 1 from month_mails"), 2)
  })

  it("without a file is refused beside the form, and of another organization's taxpayer there is nothing", async () => {
    const refused = await switchOn(accountant, { xlsx: "", csv: "no", pdf: "" })
    assert.strictEqual(refused.status, 422)
    assert.include(refused.text, "href=\"#field-xlsx-yes\"")
    assert.match(refused.text, /id="field-xlsx-yes"/)
    const other = await stage.session(stage.people.OTHER)
    for (const path of ["/books/mail", "/books/mail/off"]) assert.strictEqual((await client.send(path, other, { taxpayer: stage.shop.taxpayerId, month: last, xlsx: "yes" })).status, 404, path)
    assert.strictEqual((await switchOn(accountant, { month: "2026-13" })).status, 404)
    assert.strictEqual((await switchOn(await stage.session(stage.people.SUPPORT))).status, 403)
    assert.deepStrictEqual(await rowsOf("select 1 from month_mails"), [])
  })

  it("is changed without another message about the same month, and switched off with the message that waits", async () => {
    await switchedOnBefore()
    assert.strictEqual(await queuePass(), 1)
    assert.include(await page(accountant), "Чека слање")
    const before = (await lines("month by mail changed")).length
    const changed = () => switchOn(accountant, { csv: "", pdf: "", language: "sr-Latn" }).then(() => lines("month by mail changed"))
    assert.deepStrictEqual([(await changed()).length, (await changed()).length], [before + 1, before + 1])
    assert.deepStrictEqual(await rowsOf("select formats, language, next_month from month_mails"), [{ formats: ["xlsx"], language: "sr-Latn", next_month: first }])
    assert.strictEqual(await queuePass(), 0)
    const off = await client.send("/books/mail/off", accountant, { taxpayer: stage.shop.taxpayerId, month: last })
    assert.strictEqual(off.location, `/books?taxpayer=${stage.shop.taxpayerId}&month=${last}&done=month-mail-off`)
    assert.deepStrictEqual(await rowsOf("select mail_id from portal_mail"), [])
    assert.include((await lines("month by mail switched off")).at(-1) ?? "", stage.people.ACCOUNTANT.email)
    await client.send("/books/mail/off", accountant, { taxpayer: stage.shop.taxpayerId, month: last })
    assert.lengthOf(await lines("month by mail switched off"), 1, "what is off leaves no second line")
  })
})

describe("the worker", () => {
  it("queues nothing before the second day at 7, one message then, and nothing again; it is told in the activity log", async () => {
    await switchOn()
    const due = monthMailDueAt(first)
    assert.strictEqual(await queuePass(DateTime.subtract(due, { milliseconds: 1 })), 0)
    assert.strictEqual(await queuePass(due), 1)
    assert.strictEqual(await queuePass(due), 0)
    assert.deepStrictEqual(await rowsOf("select next_month, last_month from month_mails"), [{ next_month: monthsLater(first, 1), last_month: first }])
    assert.match((await lines("month by mail queued")).at(-1) ?? "", new RegExp(`^worker:\\S+ month by mail queued ${stage.shop.taxpayerId}$`))
    const [mail, ...more] = await waiting()
    assert.deepStrictEqual([mail?.recipient, more], [stage.people.ACCOUNTANT.email, []])
    assert.strictEqual(mail?.subject, `Books ${printed(first)} – Књижара Зора (sandbox)`)
  })

  it("leads to the files in the language that was chosen, the same that the page downloads, behind the sign-in; it has no figure", async () => {
    await switchedOnBefore()
    await queuePass()
    const [{ text } = { text: "" }] = await waiting()
    const place = `${stage.portal.url}/o/${stage.shop.organizationId}/sandbox`
    const month = `taxpayer=${stage.shop.taxpayerId}&month=${last}`
    const links = text.split("\n").filter((line) => line.startsWith("http"))
    assert.deepStrictEqual(links, [...["xlsx", "csv", "pdf"].map((format) => `${place}/books/${format}?${month}&headings=en`), `${place}/books?${month}#month-mail`])
    for (const [at, type] of ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "text/csv", "application/pdf"].entries()) {
      const path = (links[at] ?? "").slice(stage.portal.url.length)
      const answer = await client.get(path, { session: accountant, exactly: true })
      assert.strictEqual(answer.status, 200, path)
      assert.include(String(answer.headers["content-type"]), type)
      const outside = await client.get(path, { exactly: true })
      assert.strictEqual(outside.status, 303, path)
      assert.include(outside.location, "/sign-in?next=")
      assert.strictEqual((await client.get(path, { session: await stage.session(stage.people.OTHER), exactly: true })).status, 404, path)
    }
    assert.match((await client.get((links[3] ?? "").slice(stage.portal.url.length), { session: accountant, exactly: true })).text, /<section class="card" id="month-mail">/)
    assert.notMatch(text, /\d,\d{2}/)
  })

  it("of many at once queues each month of a person once", async () => {
    await switchedOnBefore()
    const queued = await Promise.all(Array.from({ length: 8 }, () => queuePass()))
    assert.strictEqual(queued.reduce((one, other) => one + other, 0), 1)
    assert.lengthOf(await waiting(), 1)
  })

  it("that was down for months sends each of them once, oldest first, and then rests", async () => {
    await switchedOnBefore(3)
    const job = queueDueMonthMails()
    const passes: Array<boolean> = []
    for (let pass = 0; pass < 5; pass += 1) passes.push(await stage.run(job.pass))
    assert.deepStrictEqual(passes, [true, true, true, false, false])
    assert.deepStrictEqual((await sentMonths()).slice(-3), [3, 2, 1].map((ago) => monthsLater(first, -ago)))
    assert.deepStrictEqual((await waiting()).map(({ subject }) => subject).toSorted(), [3, 2, 1].map((ago) => `Books ${printed(monthsLater(first, -ago))} – Књижара Зора (sandbox)`).toSorted())
  })

  it("queues the message in the commit that goes on to the next month: without its line there is neither", async () => {
    await switchedOnBefore()
    await rowsOf("create function refuse_line() returns trigger language plpgsql as $$ begin raise exception 'no line'; end $$")
    await rowsOf("create trigger refuse before insert on activity_log for each row execute function refuse_line()")
    const outcome = await queuePass().then(() => "queued", () => "failed")
    await rowsOf("drop trigger refuse on activity_log")
    assert.strictEqual(outcome, "failed")
    assert.deepStrictEqual(await rowsOf("select next_month from month_mails"), [{ next_month: last }])
    assert.deepStrictEqual(await waiting(), [])
    assert.strictEqual(await queuePass(), 1)
  })

  it("waits for an unknown outcome of the month until the fifth day, and then says how many there are", async () => {
    await switchOn()
    const month = (await rowsOf<{ readonly month: string }>("select to_char(now() at time zone 'Europe/Belgrade', 'YYYY-MM') as month"))[0]?.month ?? ""
    await rowsOf("update month_mails set next_month = $1", [month])
    const due = monthMailDueAt(month as typeof first)
    await whileNobodyKnows(stage, () => issueSale(stage, { reference: "lost" }))
    assert.strictEqual(await queuePass(DateTime.add(due, { hours: 71 })), 0)
    assert.strictEqual(await queuePass(monthMailWaitsUntil(month as typeof first)), 1)
    const [mail] = await waiting()
    assert.include(mail?.text ?? "", "Documents of this month whose outcome is not known yet: 1.")
  })

  it("queues nothing while the mail server is away or a restore is open, and goes on afterwards", async () => {
    await switchedOnBefore()
    await rowsOf("update mail_transport set failures = 5")
    assert.strictEqual(await queuePass(), 0)
    await rowsOf("update mail_transport set failures = 0")
    // Settings are at most two seconds old: later than every pass before, and later again.
    const later = (seconds: number) => DateTime.add(now, { days: 90, seconds })
    await rowsOf("update environment_settings set restoring_since = now() where environment = 'production'")
    assert.strictEqual(await queuePass(later(0)), 0)
    await rowsOf("update environment_settings set restoring_since = null")
    assert.strictEqual(await queuePass(later(3)), 1)
  })
})

describe("the message", () => {
  const mailer = () => SmtpPersonMailer.layer({ url: Redacted.make(`smtp://127.0.0.1:${peer.port}`), sender: "receipts@overa.example.rs", trustAnchors: null })
  const send = () => stage.run(sendPersonMails(20).pipe(Effect.provide(Layer.orDie(mailer()))))

  it("reaches the mailbox once, as plain text without an attachment", async () => {
    await switchedOnBefore()
    await queuePass()
    assert.strictEqual(await send(), 1)
    assert.strictEqual(await queuePass(), 0)
    assert.strictEqual(await send(), 0)
    assert.lengthOf(peer.arrived, 1)
    assert.deepStrictEqual(peer.arrived[0]?.to, [stage.people.ACCOUNTANT.email])
    const { attachments, headers, html, text = "" } = await peer.read(0)
    assert.deepStrictEqual([attachments, html, headers.get("auto-submitted")], [[], false, "auto-generated"])
    assert.include(text, `/books/xlsx?taxpayer=${stage.shop.taxpayerId}&month=${last}&headings=en`)
    assert.notInclude(await page(accountant), "Чека слање")
  })

  it("is sent again under the same Message-ID where a worker was killed between handing it over and saying so, and has it after a restore too", async () => {
    await switchedOnBefore()
    await queuePass()
    const ids: Array<string> = []
    const dies = Layer.succeed(PersonMailer, PersonMailer.of({ send: (id) => Effect.sync(() => ids.push(id)).pipe(Effect.andThen(Effect.die("the worker dies"))) }))
    await stage.run(Effect.exit(sendPersonMails(20).pipe(Effect.provide(dies))))
    assert.strictEqual(await send(), 0, "the claim has not ended")
    await rowsOf("update portal_mail set claimed_until = now()")
    assert.strictEqual(await send(), 1)
    assert.strictEqual(await queuePass(), 0)
    await rowsOf("update month_mails set next_month = $1, last_month = null, last_mail_id = null", [last])
    assert.strictEqual(await queuePass(), 1)
    assert.strictEqual(await send(), 1)
    const messages = await Promise.all([0, 1].map(async (at) => (await peer.read(at)).messageId))
    assert.deepStrictEqual(messages, [`<${ids[0]}@overa.example.rs>`, `<${ids[0]}@overa.example.rs>`])
  })
})

describe("the month by mail ends", () => {
  const comeBack = async () => {
    await giveRole(await stage.desk.database.client(), stage.shop.organizationId, stage.people.ACCOUNTANT.email, "ACCOUNTANT")
    accountant = await stage.session(stage.people.ACCOUNTANT)
  }
  const ended = async (person: StagePerson, act: () => Promise<unknown>) => {
    await switchedOnBefore()
    await queuePass()
    const before = (await lines("month by mail ended")).length
    assert.isTrue(await isOn(person))
    await act()
    assert.isFalse(await isOn(person))
    assert.deepStrictEqual(await rowsOf("select 1 from portal_mail where recipient = $1", [person.email]), [], "what waits is not sent any more")
    assert.lengthOf(await lines("month by mail ended"), before + 1)
  }

  it("with the role, taken in the portal or by the operator, and with one that reads no reports", async () => {
    const { ACCOUNTANT, OWNER } = stage.people
    const owner = await stage.session(OWNER)
    await ended(ACCOUNTANT, () => client.send("/members/role", owner, { person: ACCOUNTANT.email, role: "SUPPORT" }))
    await client.send("/members/role", owner, { person: ACCOUNTANT.email, role: "ACCOUNTANT" })
    assert.isFalse(await isOn(ACCOUNTANT), "it does not come back by itself")
    await ended(ACCOUNTANT, () => client.send("/members/remove", owner, { person: ACCOUNTANT.email }))
    await comeBack()
    await ended(ACCOUNTANT, () => stage.desk.admin(["organizations", "remove-member", stage.shop.organizationId, ACCOUNTANT.email, "--yes", "--reason", "test"]))
    await comeBack()
    await switchOn()
    await client.send("/members/role", owner, { person: ACCOUNTANT.email, role: "ADMINISTRATOR" })
    assert.isTrue(await isOn(ACCOUNTANT), "an administrator reads reports")
    await client.send("/members/role", owner, { person: ACCOUNTANT.email, role: "ACCOUNTANT" })
  })

  it("where a role went by another way: nothing is queued for whoever has none", async () => {
    await switchedOnBefore()
    await rowsOf("update members set role = 'SUPPORT' where person = $1", [stage.people.ACCOUNTANT.email])
    assert.strictEqual(await queuePass(), 0)
    await rowsOf("delete from members where person = $1", [stage.people.ACCOUNTANT.email])
    assert.strictEqual(await queuePass(), 0)
    const erased = await stage.desk.admin(["people", "erase", stage.people.ACCOUNTANT.email, "--yes", "--reason", "asked for"])
    assert.strictEqual(erased.code, 0, erased.err)
    assert.deepStrictEqual(await rowsOf("select 1 from month_mails"), [])
  })
})
