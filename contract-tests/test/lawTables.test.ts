import { errorCatalogue } from "@overa/domain"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import { describe, expect, it } from "vitest"
import { bookCases } from "../proof/approval/bookCases.ts"
import { questionnaire } from "../proof/approval/questionnaire.ts"

const root = new URL("../../", import.meta.url).pathname
const page = readFileSync(`${root}docs/contract-versus-law.md`, "utf8")
const rules = readFileSync(`${root}docs/rules.md`, "utf8")
const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" }).split("\n")
const files = new Set(tracked.map((file) => basename(file)))

const lines = page.split("\n").filter((line) => /^\| (?!---)/.test(line))
const cellsOf = (line: string): ReadonlyArray<string> => line.split("|").slice(1, -1).map((cell) => cell.trim())
const numbersIn = (text: string): ReadonlyArray<number> => {
  const [from, to] = text.split(" to ").map(Number)
  return to === undefined ? Array.from(text.matchAll(/\d+/g), ([digits]) => Number(digits)) : Array.from({ length: to - (from ?? 0) + 1 }, (_, at) => (from ?? 0) + at)
}
/** The numbers after a word in any of its forms: `Case 3`, `Cases 5 and 16`, `samples 1 to 10`. */
const cited = (word: string): ReadonlyArray<number> =>
  Array.from(page.matchAll(new RegExp(`\\b${word}s? (\\d+(?: to \\d+|(?:, \\d+)*(?:,? and \\d+)?))`, "gi")), ([, numbers = ""]) => numbersIn(numbers)).flat()

/** What a text in backticks names, if it names something of this repository. */
const faultOf = (code: string): string | null => {
  if (/^[\w.-]+\.ts$/.test(code)) return files.has(code) ? null : `no file ${code}`
  if (/^(?:domain|adapters|hosts|verify|client|contract-tests)\/[\w./-]+$/.test(code)) return existsSync(root + code) ? null : `nothing at ${code}`
  if (/^[A-Z]+(?:_[A-Z]+){2,}$/.test(code)) return Object.hasOwn(errorCatalogue, code) ? null : `no code ${code}`
  return null
}

describe("the tables of normative sentences", () => {
  it("name only files, folders and codes that exist", () => {
    const named = Array.from(page.matchAll(/`([^`]+)`/g), ([, code = ""]) => code)
    expect(named.length).toBeGreaterThan(100)
    expect(named.map(faultOf).filter((fault) => fault !== null)).toEqual([])
  })

  it("name only rules of the rule book", () => {
    const ids = Array.from(page.matchAll(/\b[Rr]ules? ([A-Z]+(?:-[A-Z]+)*(?:-\d+)?)/g), ([, id = ""]) => id)
    expect(ids.length).toBeGreaterThan(5)
    expect(ids.filter((id) => !new RegExp(`\\b${id}${/\d$/.test(id) ? "\\b" : "-\\d"}`).test(rules))).toEqual([])
  })

  it("name only cases, samples and rows that exist", () => {
    const rows = lines.map((line) => Number(cellsOf(line)[0])).filter((number) => Number.isInteger(number) && number > 0)
    for (const [word, last] of [["case", bookCases.length], ["sample", 15], ["row", Math.max(...rows)]] as const) {
      expect(cited(word).length).toBeGreaterThan(0)
      expect(cited(word).filter((number) => number < 1 || number > last)).toEqual([])
    }
  })

  it("leave no sentence untreated: each row says where it holds and where it is tried, or why not", () => {
    expect(lines.filter((line) => cellsOf(line).some((cell) => cell === ""))).toEqual([])
  })

  it("try nothing by a source alone: where a row names only one of our sources, a rule, a case, a sample or a test stands beside it", () => {
    const untried = lines.map(cellsOf).filter((cells) => cells.length === 4).map((cells) => cells[3] ?? "")
      .filter((tried) => /`\w+\.ts`/.test(tried) && !/\.(?:test|contract)\.ts`|[Cc]ase|[Ss]ample|[Rr]ule|[Mm]istake/.test(tried))
    expect(untried).toEqual([])
  })

  it("say of each point of the questionnaire what its answers in Serbian say: it holds, or does not apply", () => {
    const table = page.slice(page.indexOf("## The questionnaire"), page.indexOf("## The law"))
    const rows = table.split("\n").filter((line) => /^\| \d/.test(line)).map(cellsOf)
    expect(questionnaire.map(({ answer, point }) => [point, answer])).toEqual(rows.map(([point, , holds]) => [point, holds === "Does not apply" ? "Не примењује се" : "Да"]))
  })
})
