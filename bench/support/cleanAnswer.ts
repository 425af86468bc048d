import { signedAnswersTo } from "../../adapters/vpfr/test/support/signedAnswer.ts"

/** The one tax rate of the minimal signer, percent. */
export const rate = 9

const rule = `${"=".repeat(40)}\r\n`
const keyed = (key: string, value: string): string => `${key}${value.padStart(40 - key.length)}\r\n`
const amountText = (para: number): string => (para / 100).toFixed(2).replace(".", ",").replaceAll(/\B(?=(?:\d{3})+,)/g, ".")

const belgradeClock = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/Belgrade", year: "numeric", month: "2-digit", day: "2-digit", hour: "numeric", minute: "2-digit", second: "2-digit", hourCycle: "h23"
})
const printedTime = (millis: number): string => {
  const part = new Map(belgradeClock.formatToParts(millis).map(({ type, value }) => [type, value]))
  return `${part.get("day")}.${part.get("month")}.${part.get("year")}. ${Number(part.get("hour"))}:${part.get("minute")}:${part.get("second")}`
}

interface Item {
  readonly name: string
  readonly quantity: number
  readonly unitPrice: number
  readonly totalAmount: number
}
const para = (amount: number): number => Math.round(amount * 100)

/** What a sale's journal says before its signing lines (V-PFR §8.1): the service looks for the lines of total, time and counter. */
const journalHead = (items: ReadonlyArray<Item>, taxPara: number): string => {
  const total = amountText(items.reduce((sum, item) => sum + para(item.totalAmount), 0))
  const lines = items.map(({ name, quantity, totalAmount, unitPrice }) =>
    `${name}\r\n${amountText(para(unitPrice)).padStart(13)}${String(quantity).padStart(11)}${amountText(para(totalAmount)).padStart(16)}\r\n`)
  const taxLine = `A             VAT   ${amountText(rate * 100)}%${amountText(taxPara).padStart(40 - 21 - amountText(rate * 100).length)}\r\n`
  return `============ ФИСКАЛНИ РАЧУН ============\r\n${"100000008".padStart(24)}\r\n-------------ПРОМЕТ ПРОДАЈА-------------\r\nАртикли\r\n${rule}${
    "Назив   Цена         Кол.         Укупно"
  }\r\n${lines.join("")}${"-".repeat(40)}\r\n${keyed("Укупан износ:", total)}${keyed("Платна картица:", total)}${rule}${
    "Ознака       Име      Стопа        Порез"
  }\r\n${taxLine}${"-".repeat(40)}\r\n${keyed("Укупан износ пореза:", amountText(taxPara))}${rule}`
}

/**
 * The answers to a body, by counter, without a fault: an answer with remarks is rare and costs twice as much to store. Everything they have in common
 * is computed once, because the signer must not take processor time from what is measured.
 */
export const cleanAnswersTo = (body: string, jid: string): (counter: number) => Record<string, unknown> => {
  const answerOf = signedAnswersTo(body, jid)
  const { items } = JSON.parse(body) as { readonly items: ReadonlyArray<Item> }
  const amount = items.reduce((sum, item) => sum + Math.round((item.totalAmount * rate * 10_000) / (100 + rate)), 0) / 10_000
  const taxItems = [{ label: "A", categoryName: "VAT", categoryType: 0, rate, amount }]
  const head = journalHead(items, Math.round(amount * 100))
  return (counter) => {
    const answer = answerOf(counter)
    const signing = [
      keyed("ПФР време:", printedTime(Date.parse(String(answer["sdcDateTime"])))),
      keyed("ПФР број рачуна:", String(answer["invoiceNumber"])),
      keyed("Бројач рачуна:", String(answer["invoiceCounter"]))
    ]
    return { ...answer, taxItems, journal: `${head}${signing.join("")}${rule}======== КРАЈ ФИСКАЛНОГ РАЧУНА =========\r\n` }
  }
}
