import { PersonMailer, securityMail } from "@overa/domain"
import { SmtpPersonMailer } from "@overa/adapter-mail"
import { DateTime, Effect, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type MailPeer, mailPeer } from "../../../adapters/mail/test/support/mailPeer.ts"

let peer: MailPeer
beforeAll(async () => {
  peer = await mailPeer()
})
afterAll(() => peer.close())

/** What somebody may put into a name, a device or an address to make a message say or do something else. */
const hostile: ReadonlyArray<string> = [
  "x\r\nBcc: thief@example.rs",
  "x\nTo: thief@example.rs\n\nhello",
  "x\r\n.\r\nMAIL FROM:<thief@example.rs>",
  "https://thief.example/sign-in",
  "www.thief.example",
  "\u202Eelpmaxe.feiht//:sptth",
  "=?utf-8?q?Bcc:_thief?=",
  "<b>bold</b><script>1</script>",
  "\u0000\u001b[2J",
  "\"Bank\" <bank@example.rs>",
  "a".repeat(5_000)
]

const send = (mail: { readonly recipient: string; readonly subject: string; readonly text: string }) =>
  Effect.runPromise(PersonMailer.use((mailer) => mailer.send("01936b0e-7f3a-7c11-9d55-4f6f2a9f0c01", mail)).pipe(
    Effect.provide(SmtpPersonMailer.layer({ url: Redacted.make(`smtp://127.0.0.1:${peer.port}`), sender: "receipts@overa.example.rs", trustAnchors: null }))
  ))

describe("messages to people with hostile text in each field", () => {
  it.each(hostile)("%j in what happened, and in the subject, adds no recipient, header, link or part", async (text) => {
    peer.arrived.length = 0
    const mail = securityMail("ana@primer.example", "NEW_DEVICE", DateTime.makeUnsafe("2026-08-01T08:00:00Z"), text)
    await send({ ...mail, subject: `${text} ${mail.subject}` })
    assert.lengthOf(peer.arrived, 1)
    assert.deepStrictEqual(peer.arrived[0]?.to, ["ana@primer.example"])
    const { bcc, cc, headers, html, text: body = "", to } = await peer.read(0)
    assert.deepStrictEqual([bcc, cc, html], [undefined, undefined, false])
    assert.strictEqual([to].flat().map((it) => it?.text).join(), "ana@primer.example")
    assert.strictEqual(headers.get("auto-submitted"), "auto-generated")
    assert.notMatch(body, /https?:\/\/|\bwww\.|[^\P{C}\n]/u)
    assert.isBelow(body.length, 2_000)
  })
})
