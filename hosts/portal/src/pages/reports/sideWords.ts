import type { Say } from "../../language/Language.ts"

/** The titles of what is counted on its own, the same on every page and in every file: sales, refunds, and both together. */
export const sideTitles = (say: Say): readonly [saleReceipts: string, sales: string, refundReceipts: string, refunds: string, net: string] => [
  say("Рачуна продаје", "Sale receipts"),
  say("Продаја, RSD", "Sales, RSD"),
  say("Рачуна рефундације", "Refund receipts"),
  say("Рефундације, RSD", "Refunds, RSD"),
  say("Нето промет, RSD", "Net turnover, RSD")
]

/** What the five columns are. */
export const sideSentence = (say: Say): string =>
  say(
    "Продаја и рефундације се броје свака за себе; рефундације су са минусом, па је нето њихов збир. Копије, предрачуни и обука се не броје.",
    "Sales and refunds are counted each on its own; refunds are negative, so the net is their sum. Copies, proformas and training never count."
  )
