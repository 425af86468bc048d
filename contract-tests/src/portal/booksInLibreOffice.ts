/**
 * The month's workbook opened by LibreOffice, summed from what LibreOffice makes of it, and compared with the signed receipts.
 *
 *   npm run books        needs `soffice`; exits with 1 where a sum differs
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readCsv } from "@overa/adapter-spreadsheets"
import { formatDecimal } from "@overa/domain"
import { BigDecimal } from "effect"
import { startPostgresServer } from "../support/postgresServer.ts"

const server = await startPostgresServer("books", { durable: false })
// The stage makes its database on this server.
process.env["OVERA_TEST_SERVER"] = server.url("postgres")
const { portalStage } = await import("./portalStage.ts")
const { downloadBook, fillMonth, signedTurnover } = await import("./bookMonth.ts")

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const stage = await portalStage()
const folder = mkdtempSync(join(tmpdir(), "overa-books-"))

/** Every sheet as a file of its own, with the values as LibreOffice has them. */
const convert = (): void => {
  const filter = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1"
  execFileSync("soffice", [`-env:UserInstallation=file://${folder}/profile`, "--headless", "--convert-to", filter, "--outdir", folder, join(folder, "book.xlsx")], { stdio: "ignore" })
}

const sumOf = async (sheet: string, title: string): Promise<string> => {
  const file = readdirSync(folder).find((name) => name === `book-${sheet}.csv`)
  const { rows: [head, ...rows] } = await readCsv(readFileSync(join(folder, file ?? ""), "utf8"), 100_000)
  const at = head?.cells.indexOf(title) ?? -1
  return formatDecimal(BigDecimal.sumAll(rows.map(({ cells }) => BigDecimal.fromStringUnsafe(cells[at] || "0"))), 2)
}

try {
  await fillMonth(stage)
  writeFileSync(join(folder, "book.xlsx"), (await downloadBook(stage)).bytes)
  convert()
  const { rows: [row] } = await (await stage.desk.database.client()).query<{ readonly total: string }>(signedTurnover, [stage.shop.organizationId])
  const signed = formatDecimal(BigDecimal.fromStringUnsafe(row?.total ?? ""), 2)
  say(`signed: ${signed}`)
  for (const [sheet, title] of [["Spisak računa", "Iznos"], ["Promet po stopama", "Neto promet: sa porezom"], ["Plaćanja", "Neto promet"], ["KIR", "Ukupno sa porezom"], ["KPO", "Svega prihod"]] as const) {
    const sum = await sumOf(sheet, title)
    say(`${sheet}, ${title}: ${sum}${sum === signed ? "" : "  differs"}`)
    if (sum !== signed) process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
  await stage.close()
  await server.destroy()
}
