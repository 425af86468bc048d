import { formatDecimal, type PriceList } from "@overa/domain"
import type { BigDecimal } from "effect"
import type { Html } from "../../html/el.ts"
import { table } from "../../html/parts.ts"
import type { Visit } from "../../http/Visit.ts"
import { amount, reportedTime } from "../../language/formats.ts"
import { moduleWords } from "./moduleWords.ts"

/** A rate as Serbian readers write it: `9,5 %`. */
const percent = (rate: BigDecimal.BigDecimal): string => `${formatDecimal(rate).replace(".", ",")} %`

/** Price lists, each a row; amounts without VAT. */
export const priceTable = ({ say }: Visit, lists: ReadonlyArray<PriceList>): Html =>
  table(
    [
      say("Од месеца", "From the month"),
      say("Лиценца месечно", "Licence a month"),
      moduleWords(say, "advance"),
      moduleWords(say, "email"),
      say("Рачун преко укључених", "Document beyond the included"),
      say("ПДВ", "VAT")
    ],
    lists.map((it) => [
      reportedTime(it.validFrom),
      amount(it.licenseFee),
      amount(it.moduleFees.advance),
      amount(it.moduleFees.email),
      amount(it.documentPrice),
      percent(it.vatRate)
    ]),
    {
      caption: say("Ценовник у динарима, без ПДВ-а", "Price list in dinars, without VAT"),
      empty: say("Ценовник још није објављен; ништа се не наплаћује.", "There is no price list yet; nothing is charged."),
      numbers: [1, 2, 3, 4, 5]
    }
  )
