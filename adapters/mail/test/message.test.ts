import { assert, describe, it } from "@effect/vitest"
import { type ParsedMail, simpleParser } from "mailparser"
import { DeliveryLocale, InvoiceType, type ReceiptMail, TransactionType } from "@overa/domain"
import { receiptMessage } from "@overa/adapter-mail"
import { inLatin, wordsFor } from "../src/message/words.ts"
import { shownAmount, shownTime } from "../src/message/shownText.ts"
import { sampleMail } from "./support/sampleMail.ts"

const sender = "receipts@overa.example.rs"
const parsed = async (mail: ReceiptMail): Promise<ParsedMail> => simpleParser((await receiptMessage(mail, sender)).bytes)
const named = (name: string) => sampleMail({ shop: { ...sampleMail().shop, name } })

describe("the message a buyer gets (Decisions §12)", () => {
  it("comes from the shop over the installation's address, says that a program wrote it, and has one Message-ID for ever", async () => {
    const [first, second] = [await parsed(sampleMail()), await parsed(sampleMail())]
    assert.strictEqual(first.from?.text, "\"Књижара Зора\" <receipts@overa.example.rs>")
    assert.strictEqual(first.replyTo?.text, "kontakt@zora.example.rs")
    assert.strictEqual(first.subject, "Фискални рачун ABCD2345-ABCD2345-1234, Књижара Зора")
    assert.strictEqual(first.headers.get("auto-submitted"), "auto-generated")
    assert.strictEqual(first.messageId, "<30000000-0000-7000-8000-000000000001@overa.example.rs>")
    assert.strictEqual(second.messageId, first.messageId)
  })

  it.each([
    ["an encoded word", "=?utf-8?B?0J/QvtGA0LXRgdC60LAg0YPQv9GA0LDQstCw?=", "= ?utf-8?B?0J/QvtGA0LXRgdC60LAg0YPQv9GA0LDQstCw?="],
    ["an address", "info@purs.gov.rs", "info at purs.gov.rs"],
    ["an address in full width", "info＠purs.gov.rs", "info at purs.gov.rs"],
    ["an address in brackets", "Poreska uprava <info@purs.gov.rs>", "Poreska uprava info at purs.gov.rs"],
    ["a second header", "Zora\r\nBcc: eve@evil.example", "Zora Bcc: eve at evil.example"],
    ["a quoted address", "\"Zora\" <a@b.rs>,", "\"Zora\" a at b.rs ,"],
    ["a comma and a NUL", "Zora, Pera\u0000", "Zora, Pera"]
  ])("a shop's name that is %s is shown as it is written, and is no address", async (_kind, name, shown) => {
    for (const mail of [named(name), { ...named(name), locale: "en" as const, environment: "sandbox" as const }]) {
      const { bcc, from, subject = "" } = await parsed(mail)
      assert.isUndefined(bcc)
      assert.deepStrictEqual(from?.value, [{ address: sender, name: shown }])
      assert.isTrue(subject.endsWith(`, ${shown}`), subject)
    }
  })

  it("says in plain text, on its own, all that the HTML says", async () => {
    const mail = sampleMail()
    const { html, text = "" } = await parsed(mail)
    for (const part of ["1.234.567,50 РСД", mail.receipt.number, "29.08.2026. 12:34:56", "поруџбина 15", "Хвала на поверењу.", "kontakt@zora.example.rs", "ABCD2345-ABCD2345-1234.pdf"]) {
      assert.include(text, part)
      assert.include(String(html), part)
    }
    assert.include(text, mail.receipt.verificationUrl)
  })

  it("has the link as a button and as text, its logo inline, the receipt attached, and nothing from elsewhere", async () => {
    const mail = sampleMail()
    const { attachments, html } = await parsed(mail)
    const links = [...String(html).matchAll(/(?:href|src|background)="([^"]*)"/g)].map((match) => match[1] ?? "")
    assert.strictEqual(links.filter((link) => link === mail.receipt.verificationUrl).length, 2)
    assert.isTrue(links.every((link) => link === mail.receipt.verificationUrl || /^(?:mailto:|cid:|data:image\/png;base64,)/.test(link)), links.join())
    assert.notMatch(String(html), /<script|url\(|@import|<form|<iframe/i)
    assert.deepStrictEqual(attachments.map(({ contentDisposition, contentType, filename }) => [contentDisposition, contentType, filename]), [
      ["inline", "image/png", "logo.png"],
      ["attachment", "application/pdf", "ABCD2345-ABCD2345-1234.pdf"]
    ])
    assert.strictEqual(attachments[1]?.content.toString(), "%PDF-1.7 sample")
  })

  it("without branding, reply-to and attachments is still whole", async () => {
    const bare = sampleMail({ shop: { name: "Зора", replyTo: null, branding: null }, attachments: [] })
    const { attachments, headers, replyTo, text } = await parsed(bare)
    assert.strictEqual(attachments.length, 0)
    assert.isUndefined(replyTo)
    assert.isFalse(headers.has("list-unsubscribe"))
    assert.include(text, "не читају")
  })

  const kinds = InvoiceType.literals.flatMap((invoiceType) => TransactionType.literals.map((transactionType) => ({ invoiceType, transactionType })))
  it.each(DeliveryLocale.literals)("in %s every kind of document has its title, and what is no receipt says so", (locale) => {
    const titles = new Set<string>()
    for (const kind of kinds) {
      const words = wordsFor({ ...sampleMail().receipt, ...kind }, locale)
      titles.add(words.title)
      assert.strictEqual(words.notice !== null, ["COPY", "PROFORMA", "TRAINING"].includes(kind.invoiceType))
      const letters = Object.values(words).join("")
      if (locale === "sr-Latn") assert.notMatch(letters, /\p{Script=Cyrillic}/u)
      if (locale === "en") assert.notMatch(letters, /[čćžšđ]|\p{Script=Cyrillic}/iu)
    }
    assert.strictEqual(titles.size, kinds.length)
  })

  it("a sandbox's message says in its subject and its text that it is a trial", async () => {
    const { subject, text } = await parsed(sampleMail({ environment: "sandbox", locale: "en" }))
    assert.match(subject ?? "", /^\[TEST\] /)
    assert.include(text, "not a real purchase")
  })
})

describe("names that would break a message do not", () => {
  it.each([
    ["a header of their own", "Zora\r\nBcc: drugi@example.rs"],
    ["markup", "<b onclick=alert(1)>\"Zora\" & sinovi</b>"],
    ["emoji", "Зора 📚🇷🇸👩‍👩‍👧"],
    ["letters from right to left", "\u202eكتب الصباح\u202c"],
    ["great length", "Књижара ".repeat(12).trim()]
  ])("%s", async (_, name) => {
    const { bcc, from, html, subject, text } = await parsed(named(name))
    assert.isUndefined(bcc)
    assert.strictEqual(from?.value.length, 1)
    assert.strictEqual(from?.value[0]?.address, sender)
    assert.notMatch(`${subject}${text}${String(html)}`, /[\u202a-\u202e]/u)
    assert.notInclude(String(html), "<b onclick")
    assert.notMatch(subject ?? "", /[\r\n]/)
  })

  it("a domain in another script is named to the server encoded", async () => {
    const { envelope } = await receiptMessage(sampleMail({ recipient: "kupac@пример.срб" }), sender)
    assert.deepStrictEqual(envelope, { from: sender, to: ["kupac@xn--e1afmkfd.xn--90a3ac"] })
  })

  it.each([
    ["купац@пример.срб", "купац@пример.срб"],
    ["kupac@пример.срб", "xn--e1afmkfd"]
  ] as const)("an address in any script reaches its domain: %s", async (recipient, encoded) => {
    const raw = (await receiptMessage(sampleMail({ recipient }), sender)).bytes.toString()
    assert.match(raw, new RegExp(`^To: .*${encoded}`, "m"))
  })
})

describe("figures as their readers write them", () => {
  it.each([
    ["0.00", "sr-Cyrl", "0,00 РСД"],
    ["999.90", "sr-Latn", "999,90 RSD"],
    ["1234567.50", "en", "RSD 1,234,567.50"],
    ["999999999999.99", "sr-Cyrl", "999.999.999.999,99 РСД"]
  ] as const)("%s in %s", (amount, locale, shown) => {
    assert.strictEqual(shownAmount(amount, locale), shown)
  })

  it("times keep the V-PFR's digits", () => {
    assert.strictEqual(shownTime("2026-01-05T23:59:59.9999999+01:00", "sr-Cyrl"), "05.01.2026. 23:59:59")
    assert.strictEqual(shownTime("2026-01-05T23:59:59.9999999+01:00", "en"), "2026-01-05 23:59:59")
    assert.strictEqual(inLatin("Љубав, Њива, Џак, џак, љ, Ђорђе, ћевап"), "Ljubav, Njiva, Džak, džak, lj, Đorđe, ćevap")
  })
})
