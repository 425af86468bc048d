import { inThousands } from "@overa/domain"
import { el, type Html } from "../../html/el.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount } from "../../language/formats.ts"
import { type FoundReceipts, mostSummed } from "./foundReceipts.ts"

const tile = (name: string, receipts: string, sum: string | null): Html =>
  el("div", { class: "tile" }, name, el("strong", {}, sum ?? receipts), sum === null ? null : el("span", { class: "hint" }, receipts))

/** How many documents were found and what they come to; sales and refunds each on its own. Nothing where nothing is searched for. */
export const sumOfFoundTable = ({ say }: MemberVisit, { sum, tooMany }: FoundReceipts): Html => {
  if (tooMany) {
    const most = inThousands(String(mostSummed))
    return el("p", { class: "hint" }, say(`Нађено је више од ${most} рачуна. Сузите претрагу за збир и друго сортирање; збир периода је у извештајима.`, `More than ${most} receipts were found. Narrow the search for their sum and another order; reports have the sum of a period.`))
  }
  if (sum === null) return null
  const receipts = (count: number): string => say(`рачуна: ${count}`, `receipts: ${count}`)
  return el(
    "div",
    { class: "tiles", role: "group", "aria-label": say("Збир нађеног", "Sum of what was found") },
    tile(say("Продаја", "Sales"), receipts(sum.sales.receipts), `${amount(sum.sales.amount)} RSD`),
    tile(say("Рефундације", "Refunds"), receipts(sum.refunds.receipts), `${amount(sum.refunds.amount)} RSD`),
    tile(say("Нето", "Net"), receipts(sum.sales.receipts + sum.refunds.receipts), `${amount(sum.net)} RSD`),
    sum.others === 0 ? null : tile(say("Остало, не сабира се", "Others, not summed"), String(sum.others), null)
  )
}
