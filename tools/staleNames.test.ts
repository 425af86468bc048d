import { dirname, join, normalize } from "node:path"
import { expect, it } from "vitest"
import { filesOf, type SourceFile } from "./sourceTree.ts"

const sources = filesOf("{domain,client,orders,verify}/**/*.ts", "{adapters,hosts}/**/*.ts", "contract-tests/**/*.ts", "bench/*.ts", "tools/**/*.{ts,mjs}", "shops/**/*.{ts,mjs}", "deploy/*.mjs")
const pages = filesOf("*.md", "docs/**/*.md", "{domain,client,orders,contract-tests,verify,bench}/**/*.md", "{adapters,hosts}/*/*.md", "shops/*/*.md")
const known = [...sources, ...pages, ...filesOf("*.ts", ".github/**/*.{md,ts}")].map(({ path }) => path)
/** Every end of every path, from the file's name to the whole path. */
const ends = new Set(known.flatMap((path) => path.split("/").map((_, at, parts) => parts.slice(at).join("/"))))

const fileName = /(?<![\w@/.*{}<>$-])((?:\.{1,2}\/|[\w.-]+\/)*[\w.-]+\.(?:ts|mjs|md))(?![\w/*])/g

/** The prose of a page without its samples; the comments of a source. */
const prose = ({ path, text }: SourceFile): string => {
  if (path.endsWith(".md")) return text.replaceAll(/^```[\s\S]*?^```$/gm, "")
  return [...text.matchAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm)].map(([comment]) => comment).join("\n")
}

/** Whether a file of that name is there: from the root, from where it is named, or anywhere by the end of its path. */
const exists = (name: string, from: string): boolean =>
  ends.has(normalize(name)) || ends.has(normalize(join(dirname(from), name)))

/** Names that stand for any file: in a sample, in a template, in an example of an argument. */
const samples = new Set(["receipt.ts", "host.ts", "0042-some-words.md", "a.test.ts", "b.test.ts", "adapters/postgres/src/x.ts", "domain/src/x.ts"])

const stale = (file: SourceFile): ReadonlyArray<string> =>
  [...prose(file).matchAll(fileName)].map(([, name = ""]) => name)
    .filter((name) => !samples.has(name) && !exists(name, file.path))
    .map((name) => `${file.path}: ${name}`)

it("every file that a comment or a page names is there", () => {
  // The specification names the files of others.
  const own = pages.filter(({ path }) => !path.startsWith("docs/specification/"))
  expect([...sources, ...own].flatMap(stale)).toEqual([])
})

it("sees a name that is gone, in a comment and in prose, and none in code or in a sample", () => {
  const source = { path: "domain/src/a.ts", text: "// see recordGone.ts\nconst x = \"inCode.ts\"\n/** and tools/tidy.test.ts */" }
  expect(stale(source)).toEqual(["domain/src/a.ts: recordGone.ts"])
  const page = { path: "docs/a.md", text: "In `gone.ts` and [here](../tools/gone.ts), [there](../tools/sourceTree.ts).\n```ts\nimport \"./sample.ts\"\n```\n" }
  expect(stale(page)).toEqual(["docs/a.md: gone.ts", "docs/a.md: ../tools/gone.ts"])
})
