import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { matchesGlob } from "node:path"

/** Patterns of `.dockerignore`; one without a wildcard names a path at the root. */
const ignored = (): ReadonlyArray<string> => readFileSync(".dockerignore", "utf8").split("\n").filter((line) => line !== "" && !line.startsWith("#"))

const isUnder = (file: string, pattern: string): boolean =>
  file.split("/").some((_, at, parts) => matchesGlob(parts.slice(0, at + 1).join("/"), pattern))

/** The files of this checkout that a container's build can copy: what git tracks, without what `.dockerignore` names. */
export const buildContext = (): ReadonlyArray<string> => {
  const patterns = ignored()
  return execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
    .split("\0")
    .filter((file) => file !== "" && !patterns.some((pattern) => isUnder(file, pattern)))
}
