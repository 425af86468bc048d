/** Tests every regular expression of the product with texts that make such expressions slow. */
import { parseAst } from "rolldown/parseAst"
import { describe, expect, it } from "vitest"
import { filesOf } from "./sourceTree.ts"

interface Expression {
  readonly path: string
  readonly pattern: string
  readonly flags: string
}

const sources = filesOf("{domain,client,verify}/src/**/*.ts", "{adapters,hosts}/*/src/**/*.ts")

/** Walks a syntax tree; the library's types do not say which members hold nodes. */
const visit = (node: unknown, see: (node: Readonly<Record<string, unknown>>) => void): void => {
  if (Array.isArray(node)) return node.forEach((each) => visit(each, see))
  if (typeof node !== "object" || node === null) return
  see(node as Readonly<Record<string, unknown>>)
  Object.values(node).forEach((each) => visit(each, see))
}

const expressionsOf = (path: string, text: string): { readonly literal: ReadonlyArray<Expression>; readonly made: number } => {
  const literal: Array<Expression> = []
  let made = 0
  visit(parseAst(text, { lang: "ts" }, path), (node) => {
    if (node["type"] === "Literal" && node["regex"] !== undefined) {
      literal.push({ path, ...node["regex"] as { readonly pattern: string; readonly flags: string } })
    }
    const callee = node["callee"] as { readonly name?: string } | undefined
    if ((node["type"] === "NewExpression" || node["type"] === "CallExpression") && callee?.name === "RegExp") made += 1
  })
  return { literal, made }
}

const found = sources.map(({ path, text }) => ({ path, ...expressionsOf(path, text) }))
const expressions = [...new Map(found.flatMap(({ literal }) => literal).map((each) => [`${each.flags} ${each.pattern}`, each])).values()]

/** The atoms of an expression: its literal texts, and its single characters, with one of every common class. */
const atomsOf = (pattern: string): ReadonlyArray<string> => {
  const plain = pattern.replaceAll(/\\[dDwWsSbBpPkux](?:\{[^}]*\}|[0-9a-fA-F]{4})?/g, "\u0000").replaceAll(/\\(.)/g, "$1")
  const words = plain.match(/[\p{L}\d<>!@"'=:/;,% _-]{2,}/gu) ?? []
  const characters = plain.match(/[\p{L}\d<>!@"'=:/;,%\\#&~+._ -]/gu) ?? []
  return [...new Set([...words, ...characters.slice(0, 14), "0", "a", "A", " ", "\\", "\"", "-", ".", "\n", "é"])]
}

const runs = ({ flags, pattern }: Expression) => {
  const expression = new RegExp(pattern, flags)
  return flags.includes("g") ? (text: string) => text.replaceAll(expression, "") : (text: string) => expression.exec(text)
}

const millisFor = (run: (text: string) => unknown, text: string, tries: number): number => {
  let quickest = Number.POSITIVE_INFINITY
  for (let each = 0; each < tries; each += 1) {
    const from = performance.now()
    run(text)
    quickest = Math.min(quickest, performance.now() - from)
  }
  return quickest
}

type Attack = (length: number) => string

const attacksOn = function*(pattern: string): Generator<Attack> {
  const atoms = atomsOf(pattern)
  const attack = (before: string, pump: string, after: string): Attack => (length) =>
    before + pump.repeat(Math.ceil(length / pump.length)) + after
  for (const after of ["\u0001", ""]) {
    for (const pump of atoms) for (const before of ["", ...atoms]) yield attack(before, pump, after)
    for (const one of atoms) for (const other of atoms) if (one !== other) yield attack("", one + other, after)
  }
}

/** Four times the text may take four times as long; a quadratic expression takes sixteen times as long. */
const looksSlow = (run: (text: string) => unknown, attack: Attack): boolean => {
  // An expression whose time doubles with each character would not finish with a long text.
  if (millisFor(run, attack(20), 3) > 5) return true
  if (millisFor(run, attack(3_000), 1) < 0.12 || millisFor(run, attack(3_000), 3) < 0.12) return false
  const short = millisFor(run, attack(4_000), 3)
  const long = millisFor(run, attack(16_000), 2)
  return long > 2 && long > 8 * short
}

/** An expression is slow each time. A machine that does something else for a moment makes a quick one look slow once. */
const isSlow = (run: (text: string) => unknown, attack: Attack): boolean => {
  for (let time = 0; time < 5; time += 1) if (!looksSlow(run, attack)) return false
  return true
}

const slowAttack = (expression: Expression): string | null => {
  const run = runs(expression)
  for (const attack of attacksOn(expression.pattern)) if (isSlow(run, attack)) return JSON.stringify(attack(24))
  return null
}

describe("Nothing anybody sends makes an expression take quadratic time", () => {
  it("the search finds the expressions that do", () => {
    const known = ["0+$", "T.*(Z|[+-]\\d{2}:\\d{2})$", "\"[^\"\\\\]*(?:\\\\.[^\"\\\\]*)*\"|\\d[\\d.]*", "BEGIN X[\\s\\S]+?END X", "(a+)+$"]
    const missed = known.filter((pattern) => slowAttack({ path: "", pattern, flags: pattern.startsWith("\"") ? "g" : "" }) === null)
    expect(missed).toEqual([])
  }, 300_000)
  it("finds every expression of the sources", () => {
    expect(sources.length).toBeGreaterThan(300)
    expect(expressions.length).toBeGreaterThan(100)
    // An expression composed at run time could not be tested here.
    expect(found.filter(({ made }) => made > 0).map(({ path }) => path)).toEqual([])
  })
  it("none of them does", () => {
    const slow = expressions.flatMap((expression) => {
      const attack = slowAttack(expression)
      return attack === null ? [] : [`${expression.path} /${expression.pattern}/${expression.flags}: ${attack}`]
    })
    expect(slow).toEqual([])
  }, 300_000)
})
