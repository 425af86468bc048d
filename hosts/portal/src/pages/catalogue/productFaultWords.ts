import type { Say } from "../../language/Language.ts"

type Words = readonly [serbian: string, english: string]

/** The sentences of the catalogue's rules about a value, by their beginning; `$1` is a number in it. */
const known: ReadonlyArray<readonly [RegExp, Words]> = [
  [/^must not be empty/, ["Не сме бити празно.", "Must not be empty."]],
  [/^must have at most (\d+) characters/, ["Највише $1 знакова.", "At most $1 characters."]],
  [/^must have at most (\d+) decimals/, ["Највише $1 децимале.", "At most $1 decimals."]],
  [/^must not contain control characters/, ["Садржи знак који се не види; унесите текст поново.", "Has a character that cannot be seen; type the text again."]],
  [/^must be a price|^must be a number|^Expected a number|^must be at/, ["Цена је број, нпр. 1234,50, без тачака између хиљада.", "A price is a number, 1234.50 for example, without separators of thousands."]],
  [/^must be true or false/, ["Упишите да или не.", "Write yes or no."]],
  [/^must have at least one label/, ["Наведите бар једну пореску ознаку.", "Name at least one tax label."]],
  [/^must not name a label twice/, ["Иста ознака је наведена двапут.", "A label is named twice."]],
  [/^must not contain \|/, ["Ознака не сме имати |.", "A label must not have |."]],
  [/^must have all its digits/, ["Табела је скратила број. Поставите колону као текст и унесите код поново.", "The spreadsheet cut the number. Format the column as text and enter the code again."]],
  [/^contains a formula/, ["Ово је формула. Сачувајте њену вредност.", "This is a formula. Save its value instead."]],
  [/^has more than (\d+) cells/, ["Ред има више од $1 ћелија.", "The row has more than $1 cells."]],
  [/^has a cell with more than (\d+) characters/, ["Ћелија има више од $1 знакова.", "A cell has more than $1 characters."]],
  [/^has, with the rows before it/, ["Датотека има превише текста; поделите је.", "The file has too much text; split it."]],
  [/^has a (?:row number|cell whose reference)/, [
    "Број реда или ћелије у датотеци није исправан. Отворите датотеку у Excel-у или LibreOffice-у и сачувајте је поново.",
    "The number of a row or a cell in the file is wrong. Open the file in Excel or LibreOffice and save it again."
  ]],
  [/^has more cells/, ["Ред има више ћелија него заглавље; текст са зарезом тражи наводнике.", "The row has more cells than the header; a text with a separator in it needs quotes."]],
  [/^has a cell whose quotation|^is longer than/, ["Наводник није затворен.", "A quotation mark is never closed."]],
  [/^follows \d+ rows/, ["Пре њега је превише празних редова; обришите их.", "Too many empty rows before it; delete them."]],
  [/^must have at least one product/, ["Датотека нема ниједан производ.", "The file has no product."]]
]

/** A fault in the reader's language; one without a translation is unchanged. */
export const productFaultWords = (say: Say, message: string): string => {
  for (const [pattern, [serbian, english]] of known) {
    const found = pattern.exec(message)
    if (found !== null) return say(serbian.replace("$1", found[1] ?? ""), english.replace("$1", found[1] ?? ""))
  }
  return message
}
