import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** One file of the checkout, by its path from the root with forward slashes. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

const foreign = /(^|\/)(node_modules|dist|\.stryker-tmp|\.overa|coverage)(\/|$)/

/** The project's files that match, sorted by path. */
export const filesOf = (...patterns: ReadonlyArray<string>): ReadonlyArray<SourceFile> =>
  globSync([...patterns], { cwd: process.cwd(), exclude: (entry) => foreign.test(entry) })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !foreign.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(process.cwd(), path), "utf8") }))

/** A module that another one imports, and whether only its types are used. */
export interface Import {
  readonly specifier: string
  readonly typesOnly: boolean
  readonly names: ReadonlyArray<string>
}

const statement = /^(?:import|export)\s+(type\s+)?(\{[^}]*\}|\*(?:\s+as\s+\w+)?|\w+(?:\s*,\s*\{[^}]*\})?)\s+from\s+"([^"]+)"|^import\s+"([^"]+)"/gm

/** The modules a source imports; comments are left out, so that an example in one is no import. */
export const importsOf = ({ text }: SourceFile): ReadonlyArray<Import> =>
  [...text.replaceAll(/\/\*[\s\S]*?\*\//g, "").matchAll(statement)].map(([, type, clause = "", from, bare]) => ({
    specifier: from ?? bare ?? "",
    typesOnly: type !== undefined,
    names: (/\{([^}]*)\}/.exec(clause)?.[1] ?? "")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && !name.startsWith("type "))
      .map((name) => name.split(/\s+as\s+/)[0] ?? name)
  }))

/** `adapters/postgres/src/x.ts` → `adapters/postgres`; `domain/src/x.ts` → `domain`. */
export const packageOf = (path: string): string => /^(?:(?:adapters|hosts)\/[^/]+|[^/]+)/.exec(path)?.[0] ?? path
