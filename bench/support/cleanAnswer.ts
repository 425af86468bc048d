import { signedAnswersTo } from "../../adapters/vpfr/test/support/signedAnswer.ts"

const journalLine = `${"Назив   Цена         Кол.         Укупно".padEnd(40)}\r\n`
const journalLines = journalLine.repeat(30)

/** The one tax rate of the minimal signer, percent. */
export const rate = 9

/**
 * The answers to a body, by counter, without a fault: an answer with remarks is rare and costs twice as much to store. Everything they have in common
 * is computed once, because the signer must not take processor time from what is measured.
 */
export const cleanAnswersTo = (body: string, jid: string): (counter: number) => Record<string, unknown> => {
  const answerOf = signedAnswersTo(body, jid)
  const { items } = JSON.parse(body) as { readonly items: ReadonlyArray<{ readonly totalAmount: number }> }
  const amount = items.reduce((sum, item) => sum + Math.round((item.totalAmount * rate * 10_000) / (100 + rate)), 0) / 10_000
  const taxItems = [{ label: "A", categoryName: "VAT", categoryType: 0, rate, amount }]
  return (counter) => {
    const answer = answerOf(counter)
    return { ...answer, taxItems, journal: `${String(answer["journal"])}${journalLines}` }
  }
}
