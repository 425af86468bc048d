import { parse } from "acorn"
import { analyze, type Variable } from "eslint-scope"
import { existsSync, readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { dirname, join, relative } from "node:path"

/** A binding of a module, or all of them with the name `*`. Paths are absolute. */
export interface Binding {
  readonly path: string
  readonly name: string
}

/** One top-level statement of a module: what it declares and which bindings it mentions. */
export interface Statement {
  readonly declares: ReadonlyArray<string>
  readonly mentions: ReadonlyArray<Binding>
  /** The first line of its text, for messages. */
  readonly text: string
}

export interface Module {
  readonly path: string
  readonly statements: ReadonlyArray<Statement>
  /** Exported name → the binding it stands for. */
  readonly exports: ReadonlyMap<string, Binding>
  /** Modules whose exports are all exported again. */
  readonly starExports: ReadonlyArray<string>
  /** Modules that are started or loaded by their address. */
  readonly loads: ReadonlyArray<string>
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

type Named = Node & { readonly name?: string; readonly value?: string }
type Specifier = Node & { readonly local: Named; readonly imported?: Named; readonly exported?: Named }
type TopNode = Node & {
  readonly source?: { readonly value: string } | null
  readonly specifiers?: ReadonlyArray<Specifier>
  readonly declaration?: TopNode | null
  readonly declarations?: ReadonlyArray<Node & { readonly id: Named }>
  readonly id?: Named | null
  readonly exported?: Named | null
}

const nameOf = (node: Named | undefined): string => node?.name ?? node?.value ?? "default"

type Resolve = (from: string, specifier: string) => string | null

const manifests = new Map<string, Readonly<Record<string, unknown>>>()
const exportsOfPackage = (path: string): Readonly<Record<string, unknown>> => {
  const known = manifests.get(path) ?? (JSON.parse(readFileSync(path, "utf8")) as { readonly exports: Readonly<Record<string, unknown>> }).exports
  manifests.set(path, known)
  return known
}

/** Finds our own modules: relative paths, and packages of the checkout by the source condition of their `exports`. */
export const resolverOf = (root: string, packages: ReadonlyMap<string, string>): Resolve => (from, specifier) => {
  if (specifier.startsWith(".")) return join(dirname(from), specifier)
  const [, name = "", subpath = ""] = /^(@overa\/[^/]+)(\/.*)?$/.exec(specifier) ?? []
  const folder = packages.get(name)
  if (folder === undefined) return null
  const exports = exportsOfPackage(join(root, folder, "package.json"))
  const entry = exports[`.${subpath}`] as string | { readonly "@overa/source"?: string } | undefined
  const target = typeof entry === "string" ? entry : entry?.["@overa/source"]
  if (target === undefined) throw new Error(`${relative(root, from)} imports ${specifier}, which ${folder}/package.json does not export as source`)
  return join(root, folder, target)
}

/** The top level of a module, by kinds of statements. */
interface Top {
  readonly imports: ReadonlyMap<string, Binding>
  /** Names given to bindings by `export { … }` and `export … from`. */
  readonly named: ReadonlyMap<string, Binding>
  readonly starExports: ReadonlyArray<string>
  readonly bareImports: ReadonlyArray<string>
  readonly statements: ReadonlyArray<TopNode>
}

const importedNames = (node: TopNode, from: string): ReadonlyArray<readonly [string, Binding]> =>
  (node.specifiers ?? []).map(({ imported, local, type }) =>
    [nameOf(local), { path: from, name: type === "ImportNamespaceSpecifier" ? "*" : nameOf(imported) }])

const sortTop = (path: string, text: string, body: ReadonlyArray<TopNode>, resolve: Resolve): Top => {
  const imports = new Map<string, Binding>()
  const named = new Map<string, Binding>()
  const starExports: Array<string> = []
  const bareImports: Array<string> = []
  const statements: Array<TopNode> = []
  for (const node of body) {
    const specifier = node.source?.value
    const from = specifier === undefined ? null : resolve(path, specifier)
    if (node.type === "ImportDeclaration") {
      if (from !== null && /^import\s*["']/.test(text.slice(node.start))) bareImports.push(from)
      if (from !== null) for (const [name, binding] of importedNames(node, from)) imports.set(name, binding)
    } else if (node.type === "ExportAllDeclaration") {
      if (from !== null && isAbsent(node.exported)) starExports.push(from)
      else if (from !== null) named.set(nameOf(node.exported ?? undefined), { path: from, name: "*" })
    } else if (node.type === "ExportNamedDeclaration" && isAbsent(node.declaration)) {
      const own = specifier === undefined ? path : from
      if (own !== null) for (const { exported, local } of node.specifiers ?? []) named.set(nameOf(exported), { path: own, name: nameOf(local) })
    } else {
      statements.push(node)
    }
  }
  return { imports, named, starExports, bareImports, statements }
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const isWithin = (inner: unknown, outer: Node): boolean => {
  const { start, end } = inner as Node
  return start >= outer.start && end <= outer.end
}

const declaredBy = (node: Node, variables: ReadonlyArray<Variable>): ReadonlyArray<string> =>
  variables.filter((variable) => variable.defs.some(({ name }) => isWithin(name, node))).map((variable) => variable.name)

/** `const a = …, b = …` counts as two statements. */
const parted = (node: TopNode): ReadonlyArray<TopNode> => {
  const inner = node.declaration ?? node
  return inner.type === "VariableDeclaration" ? (inner.declarations ?? []) as ReadonlyArray<TopNode> : [node]
}

/** Every name that the module exports; one that it only passes on refers to the binding it was imported as. */
const exportsOf = (path: string, top: Top, own: ReadonlyArray<Variable>): ReadonlyMap<string, Binding> => {
  const exports = new Map(top.named)
  for (const node of top.statements) {
    if (node.type === "ExportDefaultDeclaration") exports.set("default", { path, name: "default" })
    if (node.type === "ExportNamedDeclaration") for (const name of declaredBy(node, own)) exports.set(name, { path, name })
  }
  for (const [name, binding] of exports) {
    const imported = binding.path === path ? top.imports.get(binding.name) : undefined
    if (imported !== undefined) exports.set(name, imported)
  }
  return exports
}

/** The names that each of the nodes mentions; the nodes are in the order of the text. */
const mentionsOf = (nodes: ReadonlyArray<Node>, variables: ReadonlyArray<Variable>): ReadonlyArray<ReadonlySet<string>> => {
  const mentioned = nodes.map(() => new Set<string>())
  for (const variable of variables) {
    for (const { identifier } of variable.references) {
      const at = nodes.findIndex((node) => isWithin(identifier, node))
      mentioned[at]?.add(variable.name)
    }
  }
  return mentioned
}

/** Files that a module starts or loads by their address. */
const loadedByAddress = (path: string, text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?:import\(|new URL\(|import\.meta\.resolve\()\s*"([^"]+\.ts)"/g)]
    .map((found) => join(dirname(path), found[1] ?? ""))
    .filter((file) => existsSync(file))

const readModule = (path: string, resolve: Resolve): Module => {
  // A file that is no program (JSON, for example) mentions nothing.
  if (!/\.m?[jt]s$/.test(path)) return { path, statements: [], exports: new Map(), starExports: [], loads: [] }
  const text = readFileSync(path, "utf8")
  // Data is a module with one value.
  const source = path.endsWith(".json") ? `export default ${text}` : stripTypeScriptTypes(text)
  const program = parse(source, { ecmaVersion: "latest", sourceType: "module", ranges: true })
  const scope = analyze(program as Parameters<typeof analyze>[0], { ecmaVersion: 2022, sourceType: "module" }).globalScope?.childScopes[0]
  if (scope === undefined) throw new Error(`${path} has no module scope`)
  const top = sortTop(path, text, program.body as unknown as ReadonlyArray<TopNode>, resolve)
  const own = scope.variables.filter((variable) => !top.imports.has(variable.name))
  const nodes = top.statements.flatMap(parted)
  const mentioned = mentionsOf(nodes, scope.variables)
  const statements = nodes.map((node, at) => ({
    declares: node.type === "ExportDefaultDeclaration" ? ["default"] : declaredBy(node, own),
    mentions: [...mentioned[at] ?? []].map((name) => top.imports.get(name) ?? { path, name }),
    text: text.slice(node.start, text.indexOf("\n", node.start))
  }))
  return {
    path,
    statements,
    exports: exportsOf(path, top, own),
    starExports: top.starExports,
    loads: [...top.bareImports, ...loadedByAddress(path, text)]
  }
}

/** Reads modules once each, on demand. */
export const moduleReader = (resolve: Resolve): (path: string) => Module => {
  const read = new Map<string, Module>()
  return (path) => {
    const known = read.get(path)
    if (known !== undefined) return known
    const module = readModule(path, resolve)
    read.set(path, module)
    return module
  }
}

/** The binding's own declaration, resolved through every `export … from`; null where none of our modules declares it. */
export const declarationOf = (binding: Binding, moduleAt: (path: string) => Module): Binding | null => {
  if (binding.name === "*") return binding
  const module = moduleAt(binding.path)
  const exported = module.exports.get(binding.name)
  if (exported !== undefined && (exported.path !== binding.path || exported.name !== binding.name)) return declarationOf(exported, moduleAt)
  if (module.statements.some(({ declares }) => declares.includes(binding.name))) return binding
  for (const star of module.starExports) {
    const found = declarationOf({ path: star, name: binding.name }, moduleAt)
    if (found !== null) return found
  }
  return null
}
