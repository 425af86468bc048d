import { formatSerbian } from "../exactDecimal.ts"
import { belgradeCivilTime, journalTimeText } from "../belgradeTime.ts"
import { counterExtension } from "../receipts/journalWords.ts"
import type { SimulatedEnvironment } from "../Simulation.ts"
import { specificationToken } from "./specification.ts"
import type { KeptReceipt, Verification } from "./verifyLink.ts"

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const style = "body{font-family:sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#222}" +
  ".banner{background:#b00020;color:#fff;padding:.6rem 1rem;font-weight:bold}.valid{color:#0a6b2d}.invalid{color:#b00020}" +
  "table{border-collapse:collapse}td{padding:.2rem 1rem .2rem 0;vertical-align:top}" +
  "pre{background:#f4f4f4;padding:1rem;overflow-x:auto;line-height:1.25}"

/** A red С, so that the tab also shows that this is the simulator; embedded in the page, because no other file is served. */
const icon = "data:image/svg+xml," + encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#b00020"/>` +
  `<path d="M11 5.2A4 4 0 1 0 11 10.8" fill="none" stroke="#fff" stroke-width="2"/></svg>`
)

const rows = (verification: Extract<Verification, { readable: true }>): ReadonlyArray<readonly [string, string]> => {
  const { element, invoiceNumber, link } = verification
  return [
    ["Пословно име", element?.businessName ?? "СИМУЛАТОР: непознат безбедносни елемент"],
    ["ПИБ", element?.tin ?? ""],
    ["Продајно место", element?.locationName ?? ""],
    ["Адреса", [element?.address, element?.city].filter((part) => part !== undefined).join(", ")],
    ["ПФР број рачуна", invoiceNumber],
    ["Бројач рачуна", `${link.transactionTypeCounter}/${link.totalCounter}${counterExtension("sr-Cyrl-RS", link.invoiceType, link.transactionType)}`],
    ["ПФР време", journalTimeText(belgradeCivilTime(link.time))],
    ["Укупан износ", formatSerbian(link.totalAmount / 100n, 2)],
    // A row without a value would look like missing data.
    ...(link.buyerId === "" ? [] : [["ИД купца", link.buyerId] as const])
  ]
}

/** The two calls that programs look for in the real page before they ask for the items (V-PFR §7.2). */
const itemsScript = (kept: KeptReceipt): string =>
  `<script>var viewModel={InvoiceNumber:function(){},Token:function(){}};` +
  `viewModel.InvoiceNumber('${kept.summary.invoiceNumber}');viewModel.Token('${specificationToken(kept)}');</script>`

const content = (verification: Verification): string => {
  if (!verification.readable) return `<p class="invalid">Ово није исправан линк за проверу рачуна.</p>`
  const verdict = verification.isValid
    ? `<p class="valid">Рачун је проверен: потпис је исправан и рачун је евидентиран у симулатору.</p>`
    : `<p class="invalid">Рачун није исправан: потпис не одговара или рачун није евидентиран.</p>`
  const table = rows(verification).map(([name, value]) => `<tr><td>${escaped(name)}</td><td>${escaped(value)}</td></tr>`).join("")
  const journal = verification.kept === null ? null : JSON.parse(verification.kept.answer).journal
  const text = typeof journal === "string" ? `<pre>${escaped(journal)}</pre>` : ""
  return `${verdict}<table>${table}</table>${text}${verification.kept === null ? "" : itemsScript(verification.kept)}`
}

/** The page behind a receipt's QR code; it says in every place that this is the simulator. */
export const verificationPage = (environment: SimulatedEnvironment, verification: Verification): string =>
  `<!DOCTYPE html><html lang="sr-Cyrl"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>СИМУЛАТОР: провера рачуна</title><link rel="icon" href="${icon}"><style>${style}</style></head><body>` +
  `<p class="banner">СИМУЛАТОР (${environment.name}). Овде нема фискалних рачуна; ништа од овога није послато Пореској управи.</p>` +
  `<h1>Провера рачуна</h1>${content(verification)}</body></html>`
