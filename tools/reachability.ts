import { join, relative } from "node:path"
import { type Binding, declarationOf, type Module, moduleReader, resolverOf } from "./moduleGraph.ts"
import { filesOf } from "./sourceTree.ts"

const root = process.cwd()

/** Package name → its folder. */
const packages = new Map(
  filesOf("{domain,client}/package.json", "{adapters,hosts}/*/package.json")
    .map(({ path, text }) => [(JSON.parse(text) as { readonly name: string }).name, path.replace(/\/package\.json$/, "")])
)

/** `domain/src/tax/taxByLabel.ts#taxByLabel` */
export const keyOf = ({ path, name }: Binding): string => `${relative(root, path).replaceAll("\\", "/")}#${name}`

export const moduleAt: (path: string) => Module = moduleReader(resolverOf(root, packages))

/** Hosts that run in production; the sandbox only starts them, and the simulator replaces the V-PFR. */
const entries = (): ReadonlyArray<string> =>
  filesOf("hosts/*/src/main.ts").map(({ path }) => path).filter((path) => !/\/(?:sandbox|vpfr-simulator)\//.test(path))

const namesDeclared = (module: Module): ReadonlyArray<string> => module.statements.flatMap(({ declares }) => declares)

/**
 * Every binding that can run in production, as `path#name`: from each host's entry along the statements that mention it. A statement counts as a
 * whole, a type does not count, and a module that is loaded runs the statements that declare nothing.
 */
export const reachableBindings = (from: ReadonlyArray<string> = entries()): ReadonlySet<string> => {
  const reached = new Set<string>()
  const loaded = new Set<string>()
  const queue: Array<Binding> = []
  const load = (path: string): void => {
    if (loaded.has(path)) return
    loaded.add(path)
    const module = moduleAt(path)
    for (const { declares, mentions } of module.statements) if (declares.length === 0) queue.push(...mentions)
    for (const other of module.loads) everythingOf(other)
  }
  const everythingOf = (path: string): void => {
    load(path)
    const module = moduleAt(path)
    queue.push(...namesDeclared(module).map((name) => ({ path, name })), ...[...module.exports.values()].filter((binding) => binding.path !== path))
    for (const star of module.starExports) queue.push({ path: star, name: "*" })
  }
  for (const entry of from) everythingOf(join(root, entry))
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const binding = declarationOf(next, moduleAt)
    if (binding === null || reached.has(keyOf(binding))) continue
    reached.add(keyOf(binding))
    if (binding.name === "*") {
      everythingOf(binding.path)
      continue
    }
    load(binding.path)
    for (const { declares, mentions } of moduleAt(binding.path).statements) if (declares.includes(binding.name)) queue.push(...mentions)
  }
  return reached
}

/** A rule as written in its file: its id, and the domain bindings it mentions, also through functions of the tests. */
export interface RuleMentions {
  readonly id: string
  readonly file: string
  readonly domain: ReadonlyArray<string>
}

const folderOf = ({ path }: Binding): "tests" | "domain" | "elsewhere" => {
  const place = relative(root, path).replaceAll("\\", "/")
  if (place.startsWith("domain/test/")) return "tests"
  return place.startsWith("domain/src/") ? "domain" : "elsewhere"
}

/** The domain bindings that a statement mentions, directly or through functions of the tests. */
const domainBehind = (first: ReadonlyArray<Binding>): ReadonlyArray<Binding> => {
  const seen = new Set<string>()
  const domain: Array<Binding> = []
  const queue = [...first]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const binding = declarationOf(next, moduleAt) ?? next
    if (seen.has(keyOf(binding)) || folderOf(binding) === "elsewhere") continue
    seen.add(keyOf(binding))
    if (folderOf(binding) === "domain") domain.push(binding)
    else queue.push(...moduleAt(binding.path).statements.filter(({ declares }) => declares.includes(binding.name)).flatMap(({ mentions }) => mentions))
  }
  return domain
}

/** The bindings that each rule of domain/test/rules exercises. */
export const ruleMentions = (): ReadonlyArray<RuleMentions> =>
  filesOf("domain/test/rules/*.rules.test.ts").flatMap(({ path }) => {
    const module = moduleAt(join(root, path))
    return module.statements.flatMap(({ mentions, text }) => {
      const id = /^rule\("([A-Z0-9-]+)"/.exec(text)?.[1]
      if (id === undefined) return []
      return [{ id, file: path, domain: domainBehind(mentions).map(keyOf).toSorted() }]
    })
  })
