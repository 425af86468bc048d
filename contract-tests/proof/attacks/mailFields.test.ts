import { invitationMail, PersonMailer, type ReceiptMail, ReceiptMailer, securityMail } from "@overa/domain"
import { SmtpPersonMailer, SmtpReceiptMailer } from "@overa/adapter-mail"
import { DateTime, Effect, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type MailPeer, mailPeer } from "../../../adapters/mail/test/support/mailPeer.ts"
import { sampleMail } from "../../../adapters/mail/test/support/sampleMail.ts"

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

const connection = () => ({ url: Redacted.make(`smtp://127.0.0.1:${peer.port}`), sender: "receipts@overa.example.rs", trustAnchors: null })

/** The only message that has arrived: to its one recipient, without a header or a part that was not meant to be there. */
const onlyMessage = async (recipient: string, parts: number) => {
  assert.lengthOf(peer.arrived, 1)
  assert.deepStrictEqual(peer.arrived[0]?.to, [recipient])
  const read = await peer.read(0)
  assert.deepStrictEqual([read.bcc, read.cc], [undefined, undefined])
  assert.strictEqual([read.to].flat().map((it) => it?.text).join(), recipient)
  assert.lengthOf(read.attachments, parts)
  assert.strictEqual(read.from?.value[0]?.address, "receipts@overa.example.rs")
  return read
}

describe("an invitation to an organization with a hostile name", () => {
  it.each(hostile)("%j adds no recipient, header or part, and no link but the invitation's own", async (organizationName) => {
    peer.arrived.length = 0
    const say = (serbian: string, english: string) => `${serbian} / ${english}`
    await send(invitationMail({ organizationName, email: "ana@primer.example", role: "OWNER" }, { portal: "https://portal.example", say, token: "t".repeat(43) }))
    const { html, text = "" } = await onlyMessage("ana@primer.example", 0)
    assert.isFalse(html)
    assert.deepStrictEqual(text.match(/\b(?:https?:\/\/|www\.)\S+/gu), [`https://portal.example/invitation#${"t".repeat(43)}`])
    assert.isBelow(text.length, 2_000)
  })
})

describe("a receipt by e-mail with hostile text in each field of the shop's", () => {
  const fields: Readonly<Record<string, (text: string) => Partial<ReceiptMail>>> = {
    "the shop's name": (text) => ({ shop: { ...sampleMail().shop, name: text } }),
    "the lines of its contact": (text) => ({ shop: { ...sampleMail().shop, branding: { logo: null, contactLines: [text], thankYouNote: null } } }),
    "its thanks": (text) => ({ shop: { ...sampleMail().shop, branding: { logo: null, contactLines: [], thankYouNote: text } } }),
    "its reference": (text) => ({ receipt: { ...sampleMail().receipt, clientReference: text } })
  }

  it.each(Object.entries(fields))("%s adds no recipient, header, link, tag or part", async (_field, change) => {
    for (const text of hostile) {
      peer.arrived.length = 0
      const mail = sampleMail(change(text))
      await Effect.runPromise(ReceiptMailer.use((mailer) => mailer.send(mail)).pipe(Effect.provide(SmtpReceiptMailer.layer(connection()))))
      const logos = (mail.shop.branding?.logo ?? null) === null ? 0 : 1
      const { html, subject = "" } = await onlyMessage(mail.recipient, mail.attachments.length + logos)
      assert.isString(html)
      const targets = [...String(html).matchAll(/href="([^"]*)"/g)].map(([, target]) => target)
      assert.deepStrictEqual([...new Set(targets)].toSorted(), [`mailto:${mail.shop.replyTo}`, mail.receipt.verificationUrl].toSorted(), text)
      assert.notMatch(String(html), /<script|<b>|<\/title>.*<\/title>/su)
      assert.notMatch(subject, /\p{C}/u)
    }
  }, 60_000)
})
