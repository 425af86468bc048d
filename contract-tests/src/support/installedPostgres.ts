import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { PostgresRelease } from "@overa/sandbox"

/** Where the packages of Debian and of Red Hat put the programs of each release. */
const places = [
  { folder: "/usr/lib/postgresql", programs: (entry: string) => /^(\d+)$/.exec(entry) },
  { folder: "/usr", programs: (entry: string) => /^pgsql-(\d+)$/.exec(entry) }
]

/** The newest PostgreSQL that the operating system's packages installed, built with all that its distribution turns on; undefined without one. */
export const installedPostgres = (): (PostgresRelease & { readonly major: number }) | undefined => {
  const found = places.flatMap(({ folder, programs }) =>
    (existsSync(folder) ? readdirSync(folder) : []).flatMap((entry) => {
      const major = programs(entry)?.[1]
      const bin = join(folder, entry, "bin")
      return major === undefined || !existsSync(join(bin, "initdb")) ? [] : [{ major: Number(major), bin }]
    }))
  const newest = found.toSorted((one, other) => other.major - one.major)[0]
  if (newest === undefined) return undefined
  const { bin, major } = newest
  return { major, initdb: join(bin, "initdb"), postgres: join(bin, "postgres"), ...(major < 17 ? { localeFlags: ["--locale=C.UTF-8"] } : {}) }
}

/** The same, for what runs on no other server. */
export const requireInstalledPostgres = () => {
  const release = installedPostgres()
  if (release === undefined) throw new Error("no PostgreSQL of the operating system's packages: apt-get install postgresql")
  return release
}
