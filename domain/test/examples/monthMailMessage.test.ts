import { CalendarMonth, monthMailMessage, type MonthMailSubject } from "@overa/domain"
import { assert, describe, it } from "vitest"

const subject: MonthMailSubject = {
  organizationId: "0190a1b2-0000-7000-8000-000000000001",
  environment: "production",
  taxpayer: { id: "0190a1b2-0000-7000-8000-000000000002", name: "Књижара Зора", taxIdentifier: "100000049" },
  month: CalendarMonth.make("2026-11"),
  portal: "https://portal.example",
  formats: ["xlsx", "pdf"],
  language: "sr-Cyrl",
  undecided: 0
}
const place = "https://portal.example/o/0190a1b2-0000-7000-8000-000000000001/production"
const month = "taxpayer=0190a1b2-0000-7000-8000-000000000002&month=2026-11"

describe("the message that a month is complete", () => {
  it("leads to the chosen files in the chosen language, and to where it is switched off", () => {
    const { subject: line, text } = monthMailMessage(subject)
    assert.strictEqual(line, "Књиговодство 11.2026. – Књижара Зора")
    assert.deepStrictEqual(text.split("\n"), [
      "Месец за књиговођу: 11.2026.",
      "Књижара Зора (100000049)",
      "",
      "Датотеке се отварају када се пријавите у портал:",
      "Excel (XLSX):",
      `${place}/books/xlsx?${month}&headings=sr-Cyrl`,
      "PDF за потпис:",
      `${place}/books/pdf?${month}&headings=sr-Cyrl`,
      "",
      "Ова порука стиже вама јер сте је укључили. Мења се и искључује овде:",
      `${place}/books?${month}#month-mail`
    ])
  })

  it("in Latin script and in English keeps the name as it is written, and says that it is of the sandbox", () => {
    const latin = monthMailMessage({ ...subject, language: "sr-Latn", environment: "sandbox" })
    assert.strictEqual(latin.subject, "Knjigovodstvo 11.2026. – Књижара Зора (testno okruženje)")
    assert.include(latin.text, "Datoteke se otvaraju kada se prijavite u portal:")
    assert.strictEqual(monthMailMessage({ ...subject, language: "en", environment: "sandbox" }).subject, "Books 11.2026. – Књижара Зора (sandbox)")
  })

  it("says how many documents have no outcome yet, and nothing where each has one", () => {
    assert.include(monthMailMessage({ ...subject, undecided: 3 }).text, "Документи овог месеца чији исход још није познат: 3.")
    assert.notInclude(monthMailMessage(subject).text, "исход")
  })

  it("takes nothing from a name that adds a line, a header or a link", () => {
    const { subject: line, text } = monthMailMessage({ ...subject, taxpayer: { ...subject.taxpayer, name: "Зора\r\nBcc: x@evil.example\nhttps://evil.example www.evil.example" } })
    assert.notMatch(`${line}\n${text}`, /^Bcc|https:\/\/evil|www\.evil/m)
    assert.strictEqual(text.split("\n").length, monthMailMessage(subject).text.split("\n").length)
  })
})
