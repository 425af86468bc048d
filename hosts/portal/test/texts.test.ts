import { errorCatalogue } from "@overa/domain"
import { type AnyNode, type CallExpression, type Expression, type Node, parse, type SpreadElement } from "acorn"
import { globSync, readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { maybeDone, refusalSentences } from "../src/pages/receipts/refusalSentences.ts"

const source = fileURLToPath(new URL("../src", import.meta.url))

/** A sentence as it is written in the sources, in both languages; what is put into it is left out. */
interface Pair {
  readonly place: string
  readonly serbian: string
  readonly english: string
}

const textOf = (node: Expression | SpreadElement | null | undefined): string | null => {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value
  return node?.type === "TemplateLiteral" ? node.quasis.map(({ value }) => value.cooked ?? "").join(" ") : null
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

const nodesIn = function*(node: Node): Generator<AnyNode> {
  yield node as AnyNode
  for (const value of Object.values(node).flat()) if (isNode(value)) yield* nodesIn(value)
}

const isSay = ({ callee }: CallExpression): boolean =>
  (callee.type === "Identifier" && callee.name === "say") || (callee.type === "MemberExpression" && callee.property.type === "Identifier" && callee.property.name === "say")

/** The two texts of `say("…", "…")`, and of the pairs `["…", "…"]` that are said elsewhere: their first text is Serbian where it has Cyrillic letters. */
const pairOf = (node: AnyNode): readonly [string, string] | null => {
  const of = node.type === "CallExpression" && isSay(node) ? node.arguments : node.type === "ArrayExpression" && node.elements.length === 2 ? node.elements : []
  const [serbian, english] = [textOf(of[0]), textOf(of[1])]
  if (serbian === null || english === null || (node.type === "ArrayExpression" && !/\p{Script=Cyrillic}/u.test(serbian + english))) return null
  return [serbian, english]
}

const pairs: ReadonlyArray<Pair> = globSync("**/*.ts", { cwd: source }).toSorted().flatMap((file) => {
  const program = parse(stripTypeScriptTypes(readFileSync(`${source}/${file}`, "utf8")), { ecmaVersion: "latest", sourceType: "module", locations: true })
  return [...nodesIn(program)].flatMap((node): ReadonlyArray<Pair> => {
    const found = pairOf(node)
    return found === null ? [] : [{ place: `${file}:${node.loc?.start.line}`, serbian: found[0], english: found[1] }]
  })
})

/** Names and formats that are written with Latin letters in Serbian too. */
const names = new Set(
  "Overa Excel Apple Google Android iPhone Chrome Windows Word LibreOffice XLSX CSV PDF PNG JSON XML RSD POPDV KIR KPO URL HTTPS HTTP API SMTP GTIN EAN SKU JID ESIR UID PKCS PFX JWKS JWT ISO UTF IBAN SSO OIDC TOTP QR ID PAK PEM SHA DNS IP TLS webhook WebAuthn authenticator Authenticator e mail npm start order paid overa README JavaScript PIN RSA MB kB JPEG SVG TXT HMAC Standard Webhooks OVERA OVERA_SECRET_KEYS".split(" ")
)

/** What a person types, or a setting of the installation, is quoted as it is. */
const withoutCommands = (text: string): string => text.replaceAll(/„[^“]*“/g, "")

const constants = (text: string): boolean => /[A-Z]{2,}_[A-Z]/.test(text.replaceAll(/\bOVERA_[A-Z_]+/g, ""))

const latinWords = (text: string): ReadonlyArray<string> => text.match(/(?<![\p{L}\d_.:/@-])[A-Za-z][A-Za-z]+(?![\p{L}\d_@:/])/gu) ?? []

describe("every text that the portal says", () => {
  it("is found in the sources", () => {
    assert.isAbove(pairs.length, 1_000)
  })

  it("is Serbian where a Serbian reads it: Cyrillic letters, no English word and no constant", () => {
    const wrong = pairs.filter(({ serbian }) => constants(serbian) || latinWords(withoutCommands(serbian)).some((word) => !names.has(word)))
    assert.deepStrictEqual(wrong.map(({ place, serbian }) => `${place} ${serbian}`), [])
  })

  it("is English where an Englishman reads it", () => {
    const wrong = pairs.filter(({ english }) => /\p{Script=Cyrillic}/u.test(english.replaceAll(/“[^”]*”|ком|Ђ/g, "")))
    assert.deepStrictEqual(wrong.map(({ english, place }) => `${place} ${english}`), [])
  })
})

describe("what the portal says of a refusal", () => {
  it("is a sentence of its own in both languages for every code, without the code and without an address of the API", () => {
    assert.deepStrictEqual(Object.keys(refusalSentences).toSorted(), Object.keys(errorCatalogue).toSorted())
    for (const [code, [serbian, english]] of Object.entries(refusalSentences)) {
      for (const text of [serbian, english]) {
        assert.match(text, /^[\p{Lu}].*\.$/u, code)
        assert.notMatch(text, /GET|POST|`|[A-Z]{2,}_[A-Z]/, code)
      }
    }
  })

  it("never says that nothing was done where that is not known", () => {
    for (const [code, { meaning }] of Object.entries(errorCatalogue)) {
      const isUnknown = /not known|unknown|may have reached|failed internally|cannot be read/.test(meaning)
      assert.strictEqual(maybeDone.has(code as keyof typeof refusalSentences), isUnknown, code)
    }
  })
})
