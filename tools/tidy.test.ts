import { existsSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join, normalize } from "node:path"
import { describe, expect, it } from "vitest"
import { anchorsIn } from "./citations.ts"
import { filesOf, importsOf, packageOf, type SourceFile } from "./sourceTree.ts"

const sources = filesOf("{domain,client,orders,verify}/{src,test}/**/*.ts", "{adapters,hosts}/*/{src,test}/**/*.ts", "contract-tests/**/*.ts", "bench/*.ts", "tools/**/*.{ts,mjs}", "shops/*.ts", "shops/{engines,shared}/**/*.ts", "verify/tools/*.ts")
const domain = sources.filter(({ path }) => path.startsWith("domain/src/"))
const manifests = filesOf("package.json", "{domain,client,orders,contract-tests,verify}/package.json", "{adapters,hosts}/*/package.json")
const pages = filesOf("*.md", "docs/**/*.md", "{domain,client,orders,contract-tests,verify}/*.md", "{adapters,hosts}/*/*.md")

/** Every violation of a rule, as `path: why`; the expectation shows all of them at once. */
const offences = (files: ReadonlyArray<SourceFile>, judge: (file: SourceFile) => ReadonlyArray<string>): ReadonlyArray<string> =>
  files.flatMap((file) => judge(file).map((why) => `${file.path}: ${why}`))

const packageNames = new Map(
  manifests.map(({ path, text }) => [(JSON.parse(text) as { readonly name: string }).name, dirname(path)])
)

const kindOf = (folder: string): string => folder.split("/")[0] ?? folder

/** What each kind of package may import of the others (house rule: domain ← adapters ← hosts). */
const mayImport: Readonly<Record<string, ReadonlyArray<string>>> = {
  domain: [],
  client: [],
  orders: ["client"],
  verify: ["domain"],
  adapters: ["domain"],
  hosts: ["domain", "adapters", "hosts", "verify"],
  "contract-tests": ["domain", "adapters", "hosts", "client", "orders", "verify"],
  bench: ["domain", "adapters", "hosts", "client", "contract-tests"],
  tools: ["domain", "adapters", "hosts", "client", "contract-tests"],
  shops: ["client", "orders", "contract-tests"]
}

const importedPackage = (path: string, specifier: string): string | null => {
  if (specifier.startsWith(".")) return packageOf(normalize(join(dirname(path), specifier)))
  const name = /^@overa\/[^/]+/.exec(specifier)?.[0]
  return name === undefined ? null : packageNames.get(name) ?? `unknown package ${name}`
}

describe("the reader of imports", () => {
  it("sees every form an import has, and none in a comment", () => {
    const text = `import { a, type B } from "one"
import type { C } from "two"
import * as D from "three"
import "four"
export { h } from "./five.ts"
/** import { e } from "six" */
const code = { "x": 1 }
import {
  f as g
} from "seven"
`
    expect(importsOf({ path: "any.ts", text })).toEqual([
      { specifier: "one", typesOnly: false, names: ["a"] },
      { specifier: "two", typesOnly: true, names: ["C"] },
      { specifier: "three", typesOnly: false, names: [] },
      { specifier: "four", typesOnly: false, names: [] },
      { specifier: "./five.ts", typesOnly: false, names: ["h"] },
      { specifier: "seven", typesOnly: false, names: ["f"] }
    ])
  })
})

describe("the direction of dependencies", () => {
  it("a package imports only packages below it, and none by a path into its folder", () => {
    const judge = (file: SourceFile) =>
      importsOf(file).flatMap(({ specifier }) => {
        const own = packageOf(file.path)
        const other = importedPackage(file.path, specifier)
        if (other === null || other === own) return []
        // Tests and tools may import their own project's sources by path; every other package must use a package's index.
        if (specifier.startsWith(".")) return ["tools", "bench", "shops"].includes(own) ? [] : [`reaches into ${other} by a path`]
        return mayImport[kindOf(own)]?.includes(kindOf(other)) === true ? [] : [`imports ${other}`]
      })
    expect(offences(sources.filter(({ path }) => !/\/(?:test|proof)\//.test(path)), judge)).toEqual([])
  })

  it("an adapter never imports another adapter, a host only the kit, and nothing imports the contract tests", () => {
    const judge = (file: SourceFile) =>
      importsOf(file).flatMap(({ specifier }) => {
        const own = packageOf(file.path)
        const other = importedPackage(file.path, specifier) ?? own
        if (other === own) return []
        const betweenAdapters = kindOf(own) === "adapters" && kindOf(other) === "adapters"
        // The sandbox runs the other hosts in one process.
        const betweenHosts = kindOf(own) === "hosts" && kindOf(other) === "hosts" && other !== "hosts/kit" && own !== "hosts/sandbox"
        const ofTests = other === "contract-tests" && !["bench", "tools", "domain"].includes(own)
        return betweenAdapters || betweenHosts || ofTests ? [`imports ${other}`] : []
      })
    expect(offences(sources.filter(({ path }) => path.includes("/src/")), judge)).toEqual([])
  })

  it("the simulator computes on its own: it imports nothing of the domain", () => {
    const simulator = sources.filter(({ path }) => path.startsWith("hosts/vpfr-simulator/src/"))
    expect(offences(simulator, (file) => importsOf(file).filter(({ specifier }) => specifier.startsWith("@overa/")).map(({ specifier }) => specifier))).toEqual([])
  })
})

/** Modules of values; nothing in them runs effects, waits or reads a clock. */
const dataModules = new Set([
  "Array", "BigDecimal", "BigInt", "Brand", "Data", "DateTime", "Duration", "Equal", "Equivalence", "Function", "Hash", "HashMap", "HashSet", "Match",
  "Number", "Option", "Order", "Predicate", "Record", "Result", "Schema", "SchemaGetter", "SchemaIssue", "SchemaTransformation", "String", "Struct", "Tuple", "pipe"
])

/** The ring that may run effects. */
const effectful = /^domain\/src\/(ports|use-cases)\//
/** The files that name the package's exports. */
const gathers = /^domain\/src\/(index\.ts|surface\/)/

describe("the domain", () => {
  it("imports effect's stable modules, a hash and a curve, nothing of SQL, HTTP or Node", () => {
    const judge = (file: SourceFile) =>
      importsOf(file)
        .filter(({ specifier }) => !specifier.startsWith(".") && specifier !== "effect" && !specifier.startsWith("@noble/"))
        .map(({ specifier }) => `imports ${specifier}`)
    expect(offences(domain, judge)).toEqual([])
  })

  it("is pure outside ports and use cases: only data modules, no effect to run", () => {
    const judge = (file: SourceFile) =>
      importsOf(file)
        .filter(({ specifier, typesOnly }) => specifier === "effect" && !typesOnly)
        .flatMap(({ names }) => names.filter((name) => !dataModules.has(name)))
        .map((name) => `imports ${name}`)
    expect(offences(domain.filter(({ path }) => !effectful.test(path)), judge)).toEqual([])
  })

  it("its pure folders know neither ports nor use cases, not even by type: a fact of the trade lives in the folder of its topic", () => {
    const judge = (file: SourceFile) =>
      importsOf(file).filter(({ specifier }) => /\/(ports|use-cases)\//.test(specifier)).map(({ specifier }) => `imports ${specifier}`)
    const pure = domain.filter(({ path }) => !effectful.test(path) && !gathers.test(path))
    expect(judge({ path: "domain/src/tenancy/any.ts", text: "import type { A } from \"../ports/A.ts\"" })).toEqual(["imports ../ports/A.ts"])
    expect(offences(pure, judge)).toEqual([])
  })

  it("asks for what it needs in ports of one to six members each", () => {
    const port = /export class (\w+) extends Context\.Service<\1, \{\n([\s\S]*?)\n\}>\(\)/g
    const judge = ({ text }: SourceFile) =>
      [...text.matchAll(port)].flatMap(([, name, body = ""]) => {
        const members = body.match(/^ {2}readonly \w+/gm)?.length ?? 0
        return members >= 1 && members <= 6 ? [] : [`${name} has ${members} members`]
      })
    const ports = domain.filter(({ path }) => path.startsWith("domain/src/ports/"))
    const tooLarge = `export class A extends Context.Service<A, {\n${"  readonly a: 1\n".repeat(7)}}>()("A") {}`
    expect(judge({ path: "a", text: tooLarge })).toEqual(["A has 7 members"])
    expect(ports.reduce((sum, { text }) => sum + [...text.matchAll(port)].length, 0))
      .toBe(ports.reduce((sum, { text }) => sum + (text.match(/extends Context\.Service</g)?.length ?? 0), 0))
    expect(offences(ports, judge)).toEqual([])
  })

  it("never reads the machine's clock or chance", () => {
    const clock = /\b(?:Date\.now\(|new Date\(\)|Math\.random\(|performance\.now\()/
    expect(offences(domain, ({ text }) => clock.test(text) ? ["reads a clock or chance"] : [])).toEqual([])
  })
})

/** The code that every receipt runs. Not code that runs once (layers, migrations) or rarely (an operator's acts). */
const receiptsPass =
  /^(?:domain\/src\/use-cases|adapters\/(?:company-register|vpfr)\/src|adapters\/postgres\/src\/(?:Pg|operations\/|refunds\/)|hosts\/rest-api\/src\/(?:http|operations|operational)|hosts\/kit\/src\/(?:front|operational))/

/** Names without a meaning of their own, which attract unrelated code. */
const nameless = /(?:^|\/)(?:utils?|helpers?|common|misc|manager|service)(?:\.ts|\/)/i

describe("files", () => {
  it("have names that say something", () => {
    expect(sources.map(({ path }) => path).filter((path) => nameless.test(path))).toEqual([])
  })

  it("only a package's index gathers exports", () => {
    const barrels = sources.filter(({ path, text }) => !/\/(?:index|surface\/rules)\.ts$/.test(path) && /^export \* from/m.test(text))
    expect(barrels.map(({ path }) => path)).toEqual([])
  })

  it("the domain's index gathers its parts, and the parts name each export", () => {
    const gathered = (path: string) => [...(filesOf(path)[0]?.text ?? "").matchAll(/^export .* from "(.*)"$/gm)].map((found) => found[1])
    expect(gathered("domain/src/index.ts"), "name a new export in a file of domain/src/surface")
      .toEqual(["./surface/ports.ts", "./surface/rules.ts", "./surface/useCases.ts"])
    const parts = filesOf("domain/src/surface/*.ts").map(({ path }) => path.replace(/.*\//, "./"))
    expect([...gathered("domain/src/surface/rules.ts"), "./ports.ts", "./rules.ts", "./useCases.ts"].toSorted()).toEqual(parts.toSorted())
  })

  it("speak of the project alone: no path of somebody's machine, nothing outside the checkout", () => {
    // Written in pieces, so that this file does not match itself.
    const outside = new RegExp(["work/", "home/\\w", "root/"].map((folder) => `/${folder}`).concat(`\\.\\./${"shared"}`).join("|"))
    const everything = [...sources, ...manifests, ...pages, ...filesOf("*.{json,ts,yaml}", ".ci/*")]
    expect(offences(everything, ({ text }) => outside.test(text) ? [`names ${outside.exec(text)?.[0]}`] : [])).toEqual([])
  })
})

describe("packages", () => {
  it("name exact versions: another one is a decision, never an accident of the day", () => {
    const judge = ({ text }: SourceFile) => {
      const manifest = JSON.parse(text) as Record<string, Record<string, string> | undefined>
      const wanted = ["dependencies", "devDependencies", "optionalDependencies"].flatMap((kind) => Object.entries(manifest[kind] ?? {}))
      return wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)).map(([name, version]) => `${name} ${version}`)
    }
    expect(offences(manifests, judge)).toEqual([])
  })

  it("of the domain and of each adapter build what they publish", () => {
    const judge = ({ path, text }: SourceFile) => {
      const { exports, files, peerDependencies, scripts } = JSON.parse(text) as Record<string, Record<string, unknown> | undefined>
      const isBuilt = (entry: unknown) => ["@overa/source", "types", "default"].every((condition) => typeof entry === "object" && entry !== null && condition in entry)
      return [
        ...Object.entries(exports ?? {}).filter(([, entry]) => !isBuilt(entry)).map(([part]) => `exports ${part} without source, types and dist`),
        ...(String(scripts?.["prepack"]).endsWith("tools/prepack.mjs") && existsSync(join(dirname(path), "tsconfig.build.json")) ? [] : ["is not built before it is packed"]),
        ...(JSON.stringify(files) === JSON.stringify(["dist", "LICENCE"]) ? [] : ["does not pack dist and LICENCE"]),
        ...(peerDependencies?.["effect"] === undefined ? ["does not leave effect to its host (peerDependencies)"] : [])
      ]
    }
    expect(offences(manifests.filter(({ path }) => /^(?:domain|adapters\/[^/]+)\//.test(path)), judge)).toEqual([])
  })

  it("declare every foreign package they import", () => {
    const judge = (file: SourceFile) => {
      const manifest = manifests.find(({ path }) => path === `${packageOf(file.path)}/package.json`)
      const declared = JSON.parse(manifest?.text ?? "{}") as Record<"dependencies" | "peerDependencies" | "devDependencies", Record<string, string> | undefined>
      // The verifier is published as bundles that contain their dependencies.
      const bundled = file.path.startsWith("verify/") ? declared.devDependencies : {}
      const dependencies = { ...declared.dependencies, ...declared.peerDependencies, ...bundled }
      const named = importsOf(file).map(({ specifier }) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)
      // The test of the direction of dependencies covers the workspace's own packages.
      return [...new Set(named)].filter((it) => !/^(\.|node:|@overa\/)/.test(it) && !(it in dependencies)).map((it) => `imports ${it}`)
    }
    // The contract tests may use the project's test tools, which the root declares.
    const published = sources.filter(({ path }) => path.includes("/src/") && !path.startsWith("contract-tests/"))
    expect(offences(published, judge)).toEqual([])
  })
})

describe("sources", () => {
  it("start no thread: one that runs WebAssembly can end the whole process (docs/adr/0060)", () => {
    const judge = (file: SourceFile) =>
      importsOf(file).map(({ specifier }) => specifier).filter((it) => /^(node:)?worker_threads$/.test(it)).map((it) => `imports ${it}`)
    expect(offences(sources.filter(({ path }) => path.includes("/src/")), judge)).toEqual([])
  })

  it("make no generator function for each receipt: what one holds stays until a full collection (docs/adr/0001)", () => {
    const perCall = /(?:=>|\breturn|\byield\*|^ +const \w+ =)\s+(?!Layer\.)(?:[\w.]+\()?Effect\.gen\(function\*/gm
    const judge = ({ text }: SourceFile) => [...text.matchAll(perCall)].map(({ index }) => `line ${text.slice(0, index).split("\n").length}`)
    expect(judge({ path: "any.ts", text: "const f = (a: A) =>\n  Effect.gen(function*() {" })).toEqual(["line 1"])
    expect(offences(sources.filter(({ path }) => receiptsPass.test(path)), judge)).toEqual([])
  })
})

describe("the settings of Node's heap", () => {
  it("are the same in the image, for its worker, in the launcher of a release and in the chart", () => {
    const [image, worker, launcher, chart] = filesOf("Dockerfile", "compose.yaml", "deploy/overa.mjs", "deploy/helm/overa/values.yaml").map(
      ({ text }) => [...text.matchAll(/--(?:max-old|min-semi|max-semi|heap-growing|concurrent-marking)[\w-]*=\d+/g)].map(([flag]) => flag)
    )
    expect(image).toHaveLength(5)
    expect([worker, launcher, chart]).toEqual([image, image, image])
    const arenas = filesOf("Dockerfile", "deploy/overa.mjs").map(({ text }) => /MALLOC_ARENA_MAX\D+(\d+)/.exec(text)?.[1])
    expect(arenas).toEqual(["2", "2"])
  })
})

const link = /\]\(([^)\s]+)\)/g
const anchorOf = (heading: string): string =>
  heading.trim().toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-")

describe("documents", () => {
  it("link only to what is there, headings included", () => {
    const judge = ({ path, text }: SourceFile) =>
      [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(link)].flatMap(([, target = ""]) => {
        if (/^[a-z]+:/.test(target)) return []
        const [file = "", anchor] = target.split("#")
        const full = file === "" ? path : normalize(join(dirname(path), decodeURI(file)))
        if (!existsSync(full)) return [`links to ${target}, which is not there`]
        if (anchor === undefined || !statSync(full).isFile()) return []
        const page = filesOf(full)[0]?.text ?? ""
        const headings = [...page.matchAll(/^#+\s+(.*)$/gm)].map(([, heading = ""]) => anchorOf(heading))
        return [...headings, ...anchorsIn(page)].includes(decodeURI(anchor)) ? [] : [`links to ${target}, but no heading or anchor is called that`]
      })
    expect(offences(pages, judge)).toEqual([])
  })

  it("about the architecture name every package and every port", () => {
    const text = filesOf("docs/architecture.md")[0]?.text ?? ""
    const ports = filesOf("domain/src/ports/*.ts").flatMap(({ text: port }) => [...port.matchAll(/class (\w+) extends Context\.Service/g)].map(([, name = ""]) => name))
    const packages = manifests.map(({ path }) => dirname(path)).filter((path) => path !== ".")
    expect([...packages, ...ports].filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  })

  it("about the architecture follow one template and stand in the index", () => {
    const index = readFileSync("docs/adr/README.md", "utf8")
    const judge = ({ path, text }: SourceFile) => {
      const [, number = "", title = ""] = /^# (\d{4})\. (.+)\n\n(?:Accepted|Replaced by \d{4})\.\n/.exec(text) ?? []
      const missing = ["Question", "Decision", "Considered|Tried"].filter((part) => !new RegExp(`^\\*\\*(?:${part})(?:\\.\\*\\*|\\*\\*,)`, "m").test(text))
      return [
        ...(title === "" ? ["does not begin with its number, title and state"] : missing.map((part) => `has no part "${part}"`)),
        ...(index.includes(`| [${number}](${basename(path)}) | ${title} |`) ? [] : ["does not stand in docs/adr/README.md"])
      ]
    }
    expect(offences(filesOf("docs/adr/[0-9]*.md"), judge)).toEqual([])
  })
})
