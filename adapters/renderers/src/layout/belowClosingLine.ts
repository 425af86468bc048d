import { type AdvanceClosing, type Branding, isIssuedToBuyer, type LineItem, type Receipt } from "@overa/domain"
import { BigDecimal } from "effect"
import type { BelowBlock } from "./ReceiptLayout.ts"
import { serbianAmount, serbianTime } from "./serbianText.ts"

// The full name is in the fiscal part; here it only identifies the line.
const nameLength = 90

const numberedName = (item: LineItem, index: number): string => {
  const points = [...item.name]
  const name = points.length <= nameLength ? item.name : `${points.slice(0, nameLength - 1).join("")}…`
  return `${index + 1}. ${name}`
}

/** Spec, LineItem: the price before discount is display only, outside the fiscal part. */
const discounts = (items: ReadonlyArray<LineItem>): ReadonlyArray<BelowBlock> => {
  const rows = items.flatMap((item, index) =>
    item.unitPriceBeforeDiscount === null ? [] : [[
      numberedName(item, index),
      serbianAmount(item.unitPriceBeforeDiscount),
      serbianAmount(item.unitPrice),
      serbianAmount(BigDecimal.subtract(item.unitPriceBeforeDiscount, item.unitPrice))
    ]]
  )
  return rows.length === 0 ? [] : [{
    kind: "table",
    title: "Цене пре попуста",
    columns: [
      { title: "Артикал", align: "left", share: 0.46 },
      { title: "Пре попуста", align: "right", share: 0.19 },
      { title: "Цена", align: "right", share: 0.18 },
      { title: "Попуст", align: "right", share: 0.17 }
    ],
    rows
  }]
}

const gtins = (items: ReadonlyArray<LineItem>): ReadonlyArray<BelowBlock> => {
  const rows = items.flatMap((item, index) => item.gtin === null ? [] : [[numberedName(item, index), item.gtin]])
  return rows.length === 0 ? [] : [{
    kind: "table",
    title: "GTIN",
    columns: [
      { title: "Артикал", align: "left", share: 0.68 },
      { title: "GTIN", align: "right", share: 0.32 }
    ],
    rows
  }]
}

/** Decisions §5, Advance case; V-PFR §8.5. */
const advance = (closing: AdvanceClosing | null): ReadonlyArray<BelowBlock> =>
  closing === null ? [] : [{
    kind: "amounts",
    title: "Аванс",
    rows: [
      ["Последњи авансни рачун", closing.lastAdvanceNumber],
      ["Време последњег авансног рачуна", serbianTime(closing.lastAdvanceTime)],
      ["Плаћено авансом", serbianAmount(closing.totalAdvance)],
      ["ПДВ на аванс", serbianAmount(closing.taxOnAdvance)],
      ["Преостало за плаћање", serbianAmount(closing.remaining)]
    ]
  }]

/** An Advance Refund and its copy stay with the seller (Spec, Errors, Catalogue: RECEIPT_DELIVERY_DOCUMENT_NOT_ISSUED_TO_BUYER). */
const keptBySeller = (content: Parameters<typeof isIssuedToBuyer>[0]): ReadonlyArray<BelowBlock> =>
  isIssuedToBuyer(content) ? [] : [{ kind: "thanks", text: "Овај документ се не издаје купцу" }]

/** The footer may hold any text, also one that looks like a receipt: the title is always printed. */
const sellersMessage = (text: string | null): ReadonlyArray<BelowBlock> =>
  text === null ? [] : [{ kind: "message", title: "Порука продавца (није део фискалног рачуна)", text }]

/** The parts below the closing line, in the order of Decisions §6. */
export const belowClosingLine = (
  { operation: { content } }: Receipt,
  branding: Branding | null
): ReadonlyArray<BelowBlock> => [
  ...keptBySeller(content),
  ...discounts(content.items),
  ...gtins(content.items),
  ...advance(content.advanceClosing),
  ...sellersMessage(content.commercialFooter),
  ...(branding === null || branding.thankYouNote === null
    ? []
    : [{ kind: "thanks", text: branding.thankYouNote } as const])
]
