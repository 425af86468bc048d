import { PersonMailer, SecondFactors, sendPersonMails } from "@overa/domain"
import { type MailConnection, SmtpPersonMailer } from "@overa/adapter-mail"
import { Effect, Layer, Redacted } from "effect"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { type MailPeer, mailPeer, reply } from "../../adapters/mail/test/support/mailPeer.ts"
import { mailedToken, takeMails } from "../src/portal/mailedLinks.ts"
import { password, type StagePerson } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()
let peer: MailPeer
beforeAll(async () => {
  peer = await mailPeer()
})
afterAll(() => peer.close())
beforeEach(async () => {
  await takeMails(stage)
  await rowsOf("update mail_transport set failures = 0, detail = null, try_at = now()")
  peer.mood = {}
  peer.arrived.length = 0
})

const connection = (port: number): MailConnection => ({ url: Redacted.make(`smtp://127.0.0.1:${port}`), sender: "receipts@overa.example.rs", trustAnchors: null })

/** One pass of a worker over a mail server. */
const pass = (port = peer.port): Promise<number> => stage.run(sendPersonMails(20).pipe(Effect.provide(Layer.orDie(SmtpPersonMailer.layer(connection(port))))))

const invite = async (email: string) => client.send("/members/invite", await stage.session(stage.people.OWNER), { email, role: "SUPPORT" })

const waiting = () => rowsOf<{ readonly recipient: string; readonly attempts: number; readonly last_error: string | null }>("select recipient, attempts, last_error from portal_mail order by recipient")

describe("a message to a person of the portal", () => {
  it("is sent once by the worker, as plain text with the link, and then forgotten", async () => {
    await invite("ana@primer.example")
    assert.strictEqual(await pass(), 1)
    assert.strictEqual(await pass(), 0)
    assert.lengthOf(peer.arrived, 1)
    assert.deepStrictEqual(peer.arrived[0]?.to, ["ana@primer.example"])
    const { from, headers, html, subject, text = "" } = await peer.read(0)
    assert.strictEqual(from?.text, "\"Overa\" <receipts@overa.example.rs>")
    assert.strictEqual(headers.get("auto-submitted"), "auto-generated")
    assert.strictEqual(subject, "Позив у организацију: Књижара Зора")
    assert.match(text, new RegExp(`${stage.portal.url}/invitation#[\\w-]{43}\\n`))
    assert.isFalse(html)
    assert.deepStrictEqual(await waiting(), [])
  })

  it("waits and is tried again where the server defers it; what the server says is kept without the address", async () => {
    peer.mood = { onRecipient: reply(450, "4.2.0 <ana@primer.example> greylisted") }
    await invite("ana@primer.example")
    assert.strictEqual(await pass(), 1)
    const [row] = await waiting()
    assert.strictEqual(row?.attempts, 1)
    assert.include(row?.last_error ?? "", "greylisted")
    assert.notInclude(row?.last_error ?? "", "ana@")
    peer.mood = {}
    assert.strictEqual(await pass(), 0, "not before a minute")
    await rowsOf("update portal_mail set due_at = now()")
    assert.strictEqual(await pass(), 1)
    assert.deepStrictEqual(await waiting(), [])
  })

  it("is forgotten where the server refuses it, and when it has expired", async () => {
    peer.mood = { onRecipient: reply(550, "5.1.1 no such user") }
    await invite("nobody@primer.example")
    assert.strictEqual(await pass(), 1)
    assert.deepStrictEqual(await waiting(), [])
    await invite("late@primer.example")
    await rowsOf("update portal_mail set expires_at = now()")
    assert.strictEqual(await pass(), 0)
    assert.deepStrictEqual(await waiting(), [])
  })

  it("of many are all kept, and one is tried, while the server is out of reach", async () => {
    for (const name of ["ana", "mira", "vera"]) await invite(`${name}@primer.example`)
    assert.strictEqual(await pass(1), 1)
    assert.deepStrictEqual((await waiting()).map(({ attempts }) => attempts).toSorted(), [0, 0, 1])
    assert.strictEqual(await pass(), 0, "a pause of the transport")
    await rowsOf("update mail_transport set try_at = now()")
    await rowsOf("update portal_mail set due_at = now()")
    assert.strictEqual(await pass(), 1, "one tries whether the server works")
    assert.strictEqual(await pass(), 2)
    assert.deepStrictEqual(await waiting(), [])
  })

  it("is sent again under the same Message-ID where a worker died between handing it over and saying so", async () => {
    await invite("ana@primer.example")
    const ids: Array<string> = []
    const dies = Layer.succeed(PersonMailer, PersonMailer.of({ send: (id) => Effect.sync(() => ids.push(id)).pipe(Effect.andThen(Effect.die("the worker dies"))) }))
    await stage.run(Effect.exit(sendPersonMails(20).pipe(Effect.provide(dies))))
    assert.strictEqual(await pass(), 0, "the claim has not ended")
    await rowsOf("update portal_mail set claimed_until = now()")
    assert.strictEqual(await pass(), 1)
    assert.strictEqual((await peer.read(0)).messageId, `<${ids[0]}@overa.example.rs>`)
  })

  it("is the invitation's in the same commit: without the one there is not the other", async () => {
    await rowsOf("create function refuse_mail() returns trigger language plpgsql as $$ begin raise exception 'no mail'; end $$")
    await rowsOf("create trigger refuse before insert on portal_mail for each row execute function refuse_mail()")
    assert.isAtLeast((await invite("zora@primer.example")).status, 500)
    await rowsOf("drop trigger refuse on portal_mail")
    assert.deepStrictEqual(await rowsOf("select 1 from invitations where email = 'zora@primer.example' and ended_at is null"), [])
  })
})

describe("what concerns an account's security", () => {
  const signIn = (person: StagePerson, options: { readonly device?: string; readonly userAgent?: string } = {}) =>
    client.ask("POST", "/sign-in", { form: { email: person.email, password }, ...options })
  const told = async () => (await takeMails(stage)).map(({ recipient, subject }) => `${recipient}: ${subject.split(" / ")[1] ?? ""}`).toSorted()

  it("is told of a sign-in on a new device, and of none on a device that has signed in before", async () => {
    const { OTHER } = stage.people
    const { cookies } = await signIn(OTHER, { userAgent: "Mozilla https://evil.example/x www.evil.example\u00ad" })
    const [mail] = await takeMails(stage)
    assert.strictEqual(mail?.recipient, OTHER.email)
    assert.include(mail?.subject ?? "", "Sign-in on a new device")
    assert.include(mail?.text ?? "", "127.0.0.1, Mozilla")
    assert.notMatch(mail?.text ?? "", /:\/\/|www\./, "nothing that mail readers make a link of")
    await signIn(OTHER, { device: cookies.get("device") ?? "" })
    assert.deepStrictEqual(await told(), [])
    await signIn(OTHER, { device: `${cookies.get("device")}x` })
    assert.deepStrictEqual(await told(), [`${OTHER.email}: Sign-in on a new device`])
  })

  it("is told of a new password, of a second factor set, removed and guessed, and of passkeys", async () => {
    const { ACCOUNTANT: person } = stage.people
    const signedIn = await signIn(person)
    await takeMails(stage)
    const [session, device] = [signedIn.cookies.get("session") ?? "", signedIn.cookies.get("device") ?? ""]
    const form = { proof: await client.proof(session), current: password, next: "sedam malih tigrova" }
    const changed = await client.ask("POST", "/account/password", { session, device, form })
    assert.strictEqual(changed.status, 303)
    assert.deepStrictEqual(await told(), [`${person.email}: The password was changed`])
    const factors = <A>(use: (it: SecondFactors["Service"]) => Effect.Effect<A, unknown>) => stage.run(Effect.orDie(Effect.flatMap(Effect.service(SecondFactors), use)))
    const act = { actor: "test", reason: "test" }
    const secret = "A".repeat(32)
    await factors((it) => it.setAuthenticator(act, person.id, Redacted.make(secret), null))
    await factors((it) => it.addPasskey(act, person.id, { id: "k", publicKey: new Uint8Array([1]), counter: 0, transports: [], name: "Телефон" }, null))
    await factors((it) => it.removePasskey(act, person.id, "k", null))
    const half = await stage.session(person, "PASSWORD")
    const proof = await client.proof(half)
    for (let count = 0; count < 4; count += 1) await client.ask("POST", "/sign-in/code", { session: half, form: { proof, code: "nonsense" } })
    await rowsOf("update portal_guesses set failures = 9, last_at = now() - interval '1 hour' where guess_key like 'code % anywhere'")
    await client.ask("POST", "/sign-in/code", { session: half, form: { proof, code: "nonsense" } })
    await factors((it) => it.removeAll(act, person.id))
    assert.deepStrictEqual(await told(), [
      "An authenticator app was set up",
      "A passkey was added",
      "A passkey was removed",
      "Somebody knows your password and guesses the code of your second factor; change the password",
      "The second factor was removed"
    ].map((sentence) => `${person.email}: ${sentence}`).toSorted())
  })

  it("is told to the owners where somebody new is a member", async () => {
    await invite("nova@primer.example")
    const token = await mailedToken(stage, "nova@primer.example")
    assert.strictEqual((await client.ask("POST", "/invitation/accept", { form: { token, name: "Нова", next: "cetiri zelena kofera" } })).status, 303)
    const mails = await takeMails(stage)
    assert.deepStrictEqual(mails.map(({ recipient }) => recipient), [stage.people.OWNER.email])
    assert.include(mails[0]?.text ?? "", "nova@primer.example, SUPPORT")
  })

  it("is told where an operator acts by the command: a credential, a new password, a removed factor", async () => {
    const { NOBODY, OWNER } = stage.people
    const { organizationId } = stage.shop
    const run = async (...args: ReadonlyArray<string>) => {
      const done = await stage.desk.admin([...args, "--reason", "test", "--json"], { environment: { OVERA_SMTP_URL: "smtp://127.0.0.1:1" } })
      assert.strictEqual(done.code, 0, done.err)
    }
    await run("credentials", "issue", organizationId, "--environment", "sandbox")
    await run("people", "reset-password", NOBODY.email, "--yes")
    await run("people", "reset-second-factor", NOBODY.email, "--yes")
    assert.deepStrictEqual(await told(), [
      `${OWNER.email}: The organization has a new credential: a program can issue receipts in its name`,
      `${NOBODY.email}: The password was changed`,
      `${NOBODY.email}: The second factor was removed`
    ].toSorted())
  })

  it("gets the operator's invitation in the mailbox alone, with no link of the organization's name", async () => {
    const environment = { OVERA_SMTP_URL: "smtp://127.0.0.1:1" }
    const { json: hostile } = await stage.desk.admin(["organizations", "add", "Zora\nBcc: x@evil.example https://evil.example/invitation#abc", "--reason", "test", "--json"])
    const invited = await stage.desk.admin(["organizations", "add-member", hostile.id, "gost@primer.example", "--role", "SUPPORT", "--portal", "https://portal.example", "--reason", "test", "--json"], { environment })
    assert.deepStrictEqual([invited.code, invited.json.link], [0, null])
    const mails = (await takeMails(stage)).filter(({ recipient }) => recipient === "gost@primer.example")
    assert.lengthOf(mails, 1)
    const text = mails[0]?.text ?? ""
    assert.match(text, /^https:\/\/portal\.example\/invitation#[\w-]{43}$/m)
    assert.notInclude(text, "https://evil.example")
    assert.notMatch(`${mails[0]?.subject}\n${text}`, /^Bcc:/m)
    assert.notInclude(invited.out, /#([\w-]{43})$/m.exec(text)?.[1] ?? "no token")
  })
})

describe("an installation without a mail server", () => {
  const without = sharedPortal(() => Promise.resolve({ OVERA_SMTP_URL: "" }))

  it("lets no owner invite and says why; the operator hands the link over, and is told what that means", async () => {
    const { people, session, shop } = without.stage
    const page = await without.client.get("/members", { session: await session(people.OWNER) })
    assert.include(page.text, "не шаље е-пошту")
    assert.notInclude(page.text, "action=\"/members/invite\"")
    const posted = await without.client.send("/members/invite", await session(people.OWNER), { email: "ana@primer.example", role: "OWNER" })
    assert.notMatch(posted.text, /invitation#/)
    assert.deepStrictEqual(await without.rowsOf("select 1 from invitations"), [])
    const path = `/operator/organizations/${shop.organizationId}/members/invite`
    const made = await without.client.send(path, await session(people.OPERATOR), { email: "ana@primer.example", role: "OWNER", reason: "contract 17" })
    const token = /invitation#([\w-]{43})</.exec(made.text)?.[1] ?? ""
    assert.include(made.text, "ко га отвори, постаје члан")
    const accepted = await without.client.ask("POST", "/invitation/accept", { form: { token, name: "Ана", next: "cetiri zelena kofera" } })
    assert.strictEqual(accepted.status, 303)
    assert.deepStrictEqual(await without.rowsOf("select email_proven_at is not null as proven from people where email = 'ana@primer.example'"), [{ proven: true }])
    assert.deepStrictEqual(await without.rowsOf("select 1 from portal_mail"), [])
  })
})
