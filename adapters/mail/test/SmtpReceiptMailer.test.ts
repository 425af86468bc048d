import { assert, describe, it } from "@effect/vitest"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { hostname } from "node:os"
import { afterEach } from "vitest"
import { type ReceiptMail, ReceiptMailer } from "@overa/domain"
import { type MailConnection, SmtpReceiptMailer } from "@overa/adapter-mail"
import { certificateFor, identity, type MailPeer, mailPeer, type Mood, reply } from "./support/mailPeer.ts"
import { sampleMail } from "./support/sampleMail.ts"

const open: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const mailer = (url: string, change: Partial<MailConnection> = {}) => {
  const runtime = ManagedRuntime.make(SmtpReceiptMailer.layer({
    url: Redacted.make(url),
    sender: "receipts@overa.example.rs",
    trustAnchors: identity.cert,
    ...change
  }))
  open.push(() => runtime.dispose())
  return (mail: ReceiptMail = sampleMail()) => runtime.runPromise(Effect.flatMap(ReceiptMailer, (it) => it.send(mail)))
}

const peerOf = async (...args: Parameters<typeof mailPeer>): Promise<MailPeer> => {
  const peer = await mailPeer(...args)
  open.push(peer.close)
  return peer
}
const secure = { secure: true }

describe("what became of a message (Decisions §12)", () => {
  it("a server that takes it has it once, over TLS, to the one recipient", async () => {
    const peer = await peerOf(secure)
    const send = mailer(`smtps://localhost:${peer.port}`)
    assert.deepStrictEqual(await send(), { _tag: "Taken" })
    assert.strictEqual(peer.arrived.length, 1)
    assert.deepStrictEqual([peer.arrived[0]?.secure, peer.arrived[0]?.to], [true, ["kupac@example.rs"]])
  })

  it.each<readonly [string, Mood, string, number]>([
    ["greylisting", { onRecipient: reply(451, "4.7.1 Greylisted, come back later") }, "Deferred named", 0],
    ["a mailbox that is full for now", { onRecipient: reply(452, "4.2.2 Mailbox full") }, "Deferred named", 0],
    ["a mailbox that does not exist", { onRecipient: reply(550, "5.1.1 No such user") }, "Refused named", 0],
    ["a message refused after its last dot", { onMessage: reply(554, "5.7.1 Spam") }, "Refused named", 1],
    ["a message deferred after its last dot", { onMessage: reply(451, "4.3.0 Try later") }, "Deferred named", 1],
    ["a message larger than the server takes", { onMailFrom: reply(552, "5.3.4 Too large") }, "Refused", 0],
    ["our own address refused: every message would be", { onMailFrom: reply(550, "5.7.1 Sender not allowed") }, "Unreachable", 0],
    ["a server that shuts down", { onMailFrom: reply(421, "4.3.2 Shutting down") }, "Unreachable", 0],
    ["a server that ends at the recipient", { cutAtRecipient: true }, "Deferred named", 0],
    ["a server that ends at DATA", { cutInMessage: true }, "Deferred named", 0],
    ["a server that takes the message and dies before it says so", { cutAfterMessage: true }, "MayBeTaken", 1]
  ])("%s", async (_, mood, expected, arrived) => {
    const peer = await peerOf(secure)
    const send = mailer(`smtps://localhost:${peer.port}`)
    peer.mood = mood
    const outcome = await send()
    const named = "recipientNamed" in outcome && outcome.recipientNamed ? " named" : ""
    assert.strictEqual(outcome._tag + named, expected, JSON.stringify(outcome))
    assert.strictEqual(peer.arrived.length, arrived)
    peer.mood = {}
    assert.deepStrictEqual(await send(), { _tag: "Taken" })
    assert.strictEqual(peer.arrived.length, arrived + 1)
  })

  it("a large message cut before its end was certainly not taken", async () => {
    const peer = await peerOf(secure)
    const send = mailer(`smtps://localhost:${peer.port}`)
    peer.mood = { cutInMessage: true }
    const bytes = new Uint8Array(8_000_000).fill(65)
    const outcome = await send(sampleMail({ attachments: [{ bytes, mediaType: "application/pdf", fileName: "large.pdf" }] }))
    assert.oneOf(outcome._tag, ["Deferred", "MayBeTaken"])
    assert.strictEqual(peer.arrived.length, 0)
  })

  it.each(["kupac@пример.срб", "купац@пример.срб"])("an address in another script is reached: %s", async (recipient) => {
    const peer = await peerOf(secure)
    assert.deepStrictEqual(await mailer(`smtps://localhost:${peer.port}`)(sampleMail({ recipient })), { _tag: "Taken" })
    assert.deepStrictEqual(peer.arrived[0]?.to, [recipient])
  })

  it("a slow server is waited for", async () => {
    const peer = await peerOf(secure)
    peer.mood = { slowMillis: 800 }
    assert.deepStrictEqual(await mailer(`smtps://localhost:${peer.port}`)(), { _tag: "Taken" })
  })

  it("no server, then one: nothing was sent before, and it is reached after", async () => {
    const peer = await mailPeer(secure)
    const { port } = peer
    await peer.close()
    const send = mailer(`smtps://localhost:${port}`)
    assert.strictEqual((await send())._tag, "Unreachable")
  })

  it("a wrong password is the transport's fault, no message's", async () => {
    const peer = await peerOf({ secure: true, authOptional: false, onAuth: (auth, _session, done) => auth.password === "right" ? done(null, { user: 1 }) : done(new Error("no")) })
    assert.strictEqual((await mailer(`smtps://user:wrong@localhost:${peer.port}`)())._tag, "Unreachable")
    assert.deepStrictEqual(await mailer(`smtps://user:right@localhost:${peer.port}`)(), { _tag: "Taken" })
  })

  it("a hundred messages share a few connections", async () => {
    const peer = await peerOf(secure)
    const send = mailer(`smtps://localhost:${peer.port}`, { connections: 3 })
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => send()))
    assert.isTrue(outcomes.every(({ _tag }) => _tag === "Taken"))
    assert.strictEqual(peer.arrived.length, 100)
    assert.isAtMost(peer.connections(), 3)
  })
})

describe("nothing goes over an open or wrong line (Decisions §12)", () => {
  it("a certificate of nobody we trust is no server", async () => {
    const peer = await peerOf(secure)
    const outcome = await mailer(`smtps://localhost:${peer.port}`, { trustAnchors: certificateFor(["localhost"]).cert })()
    assert.strictEqual(outcome._tag, "Unreachable")
    assert.strictEqual(peer.arrived.length, 0)
  })

  it("nor is one of another name", async () => {
    const other = certificateFor(["other.example.rs"])
    const peer = await peerOf({ secure: true, ...other })
    assert.strictEqual((await mailer(`smtps://localhost:${peer.port}`, { trustAnchors: other.cert })())._tag, "Unreachable")
  })

  it("smtp:// begins TLS before anything is said", async () => {
    const peer = await peerOf({}, "0.0.0.0")
    assert.deepStrictEqual(await mailer(`smtp://${hostname()}:${peer.port}`)(), { _tag: "Taken" })
    assert.isTrue(peer.arrived[0]?.secure)
  })

  it("a server, or somebody before it, that offers no STARTTLS gets nothing", async () => {
    const peer = await peerOf({ hideSTARTTLS: true, disabledCommands: ["STARTTLS", "AUTH"] }, "0.0.0.0")
    assert.strictEqual((await mailer(`smtp://${hostname()}:${peer.port}`)())._tag, "Unreachable")
    assert.strictEqual(peer.arrived.length, 0)
  })

  it("only the loopback is spoken to in the clear", async () => {
    const peer = await peerOf({ hideSTARTTLS: true, disabledCommands: ["STARTTLS", "AUTH"] })
    assert.deepStrictEqual(await mailer(`smtp://127.0.0.1:${peer.port}`)(), { _tag: "Taken" })
  })

  it.each([
    ["mail.example.rs", "no URL"],
    ["http://mail.example.rs", "must begin with smtps:// or smtp://"],
    ["smtps://user@mail.example.rs", "without the other"],
    ["smtps://mail.example.rs/inbox", "a path or a query"]
  ])("%s is no address of a mail server, and the refusal does not repeat it", async (url, why) => {
    const refused = await mailer(url)().then(() => "started", (error: Error) => error.message)
    assert.include(refused, why)
    assert.notInclude(refused, "example")
  })
})
