import { personMessage } from "@overa/adapter-mail"
import { simpleParser } from "mailparser"
import { assert, describe, it } from "vitest"

const sender = "receipts@overa.example.rs"
const parsed = async (fields: { readonly recipient?: string; readonly subject?: string; readonly text?: string }) => {
  const { bytes, envelope } = await personMessage("30000000-0000-7000-8000-000000000001", { recipient: "ana@primer.example", subject: "Позив", text: "Линк", ...fields }, sender)
  return { envelope, mail: await simpleParser(bytes) }
}

const hostile = [
  "=?utf-8?B?0J/QvtGA0LXRgdC60LAg0YPQv9GA0LDQstCw?=",
  "info@purs.gov.rs",
  "x\r\nBcc: eve@evil.example\r\n\r\n<script>alert(1)</script>",
  "\u202eevil\u2066",
  "x\u0000\u0007y",
  "\"x\" <eve@evil.example>,",
  "х".repeat(2_000)
]

describe("a message to a person", () => {
  it.each(hostile)("has one recipient, one sender and no header of its text, whatever its subject: %j", async (subject) => {
    const { envelope, mail } = await parsed({ subject })
    assert.deepStrictEqual(envelope, { from: sender, to: ["ana@primer.example"] })
    assert.deepStrictEqual(mail.from?.value, [{ name: "Overa", address: sender }])
    assert.isUndefined(mail.bcc)
    assert.isUndefined(mail.cc)
    assert.strictEqual(mail.text?.trim(), "Линк")
    assert.notInclude(mail.subject ?? "", "Пореска управа")
    // oxlint-disable-next-line no-control-regex
    assert.notMatch(mail.subject ?? "", /[\u0000-\u001f\u202a-\u202e\u2066-\u2069@<>]/u)
  })

  it.each(hostile)("is plain text without attachments, whatever its text: %j", async (text) => {
    const { mail } = await parsed({ text })
    assert.isFalse(mail.html)
    assert.deepStrictEqual(mail.attachments, [])
    assert.isUndefined(mail.bcc)
    assert.strictEqual(mail.subject, "Позив")
  })

  it("goes to one address also where that has characters that separate addresses", async () => {
    const { envelope } = await parsed({ recipient: "a'b+c{d}@primer.example" })
    assert.deepStrictEqual(envelope.to, ["a'b+c{d}@primer.example"])
  })
})
