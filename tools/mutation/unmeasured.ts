/** Files that Stryker should have changed and no report has. */
import { globSync, readFileSync } from "node:fs"
import { parseAst } from "rolldown/parseAst"

const sources = "domain/src/"

interface Statement {
  readonly type: string
  readonly declaration?: { readonly type: string } | null
}

const onlyNames = new Set(["ImportDeclaration", "ExportAllDeclaration", "TSInterfaceDeclaration", "TSTypeAliasDeclaration"])

/** Whether a statement runs: not an import, a list of exports or a type. */
const runs = ({ declaration, type }: Statement): boolean =>
  type === "ExportNamedDeclaration" ? declaration !== null && declaration !== undefined && !onlyNames.has(declaration.type) : !onlyNames.has(type)

const hasCode = (path: string): boolean => (parseAst(readFileSync(path, "utf8"), { lang: "ts" }, path).body as ReadonlyArray<Statement>).some(runs)

/** The files below `domain/src` that Stryker's configuration names (`mutate`), that have code, and that are not among the measured ones. */
export const unmeasured = (measured: ReadonlySet<string>): ReadonlyArray<string> => {
  const { mutate } = JSON.parse(readFileSync("stryker.config.json", "utf8")) as { readonly mutate: ReadonlyArray<string> }
  const left = mutate.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1))
  return globSync(mutate.filter((pattern) => !pattern.startsWith("!")), { exclude: left })
    .filter((path) => !measured.has(path.slice(sources.length)) && hasCode(path))
    .map((path) => path.slice(sources.length))
    .toSorted()
}
