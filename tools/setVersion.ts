import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { parseArgs } from "node:util"

type Ranges = Readonly<Record<string, string>>

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly private?: boolean
  readonly files?: ReadonlyArray<string>
  readonly dependencies?: Ranges
  readonly devDependencies?: Ranges
  readonly peerDependencies?: Ranges
  readonly repository?: unknown
}

interface Lock extends Manifest {
  readonly packages: Readonly<Record<string, Manifest>>
}

export interface Release {
  readonly version: string
  /** The day in the changelog, `2026-11-25`. */
  readonly date: string
  /** The address of the repository, as `git+https://host/owner/name.git`: a proof of provenance names it. Without it the manifests keep what they have. */
  readonly repository?: string
}

/** What the command cannot do, in one sentence. */
export class VersionRefused extends Error {}

const semver = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z]+(?:\.[0-9A-Za-z]+)*))?$/

/** Whether the first version is later: by its numbers, and one with a suffix comes before the one without it. */
export const isLater = (version: string, than: string): boolean => {
  const [one, other] = [semver.exec(version), semver.exec(than)]
  if (one === null || other === null) throw new VersionRefused(`"${one === null ? version : than}" is no version like 1.2.3 or 1.2.3-beta.1.`)
  for (const at of [1, 2, 3]) if (one[at] !== other[at]) return Number(one[at]) > Number(other[at])
  const [suffix = "", before = ""] = [one[4], other[4]]
  return suffix !== before && (suffix === "" || (before !== "" && suffix.localeCompare(before, "en", { numeric: true }) > 0))
}

const rangesOf = (ranges: Ranges, version: string): Ranges =>
  Object.fromEntries(Object.entries(ranges).map(([name, range]) => [name, name.startsWith("@overa/") ? version : range]))

/** A manifest, or an entry of the lockfile, in the new version: its own, and those of ours that it needs. */
const inVersion = <A extends Manifest>(manifest: A, version: string): A => ({
  ...manifest,
  ...(manifest.version === undefined ? {} : { version }),
  ...Object.fromEntries((["dependencies", "devDependencies", "peerDependencies"] as const).flatMap((kind) => {
    const ranges = manifest[kind]
    return ranges === undefined ? [] : [[kind, rangesOf(ranges, version)]]
  }))
})

const inRepository = (manifest: Manifest, url: string, directory: string): Manifest =>
  manifest.private === true || manifest.files === undefined ? manifest : { ...manifest, repository: { type: "git", url, directory } }

const lockInVersion = (lock: Lock, version: string): Lock => ({
  ...inVersion(lock, version),
  packages: Object.fromEntries(Object.entries(lock.packages).map(([path, entry]) => [path, path.includes("node_modules/") ? entry : inVersion(entry, version)]))
})

/** Where the version stands in a text: names of archives, what the service and the chart say of themselves. */
const textInVersion = (text: string, before: string, version: string): string =>
  text.split("\n").map((line) => {
    const names = line.includes("overa") || line.includes("softwareVersion") || /^(?:version|appVersion): /.test(line)
    return names
      ? [["-", ".tgz"], ["-", ".tar.gz"], ["overa-", '"'], ['softwareVersion: "', '"'], ["ersion: ", ""]].reduce((said, [start, end]) => said.replaceAll(`${start}${before}${end}`, `${start}${version}${end}`), line)
      : line
  }).join("\n")

const unreleased = /^## .+, not yet released\n+(?=- )/m

const changelogOf = (text: string, { date, version }: Release): string => {
  if (!unreleased.test(text)) throw new VersionRefused('CHANGELOG.md has no section "not yet released" with a line in it.')
  return text.replace(unreleased, `## ${version}, ${date}\n\n`)
}

const isText = (file: string): boolean => /\.(?:md|ts)$/.test(file) || ["Chart.yaml", "Dockerfile"].includes(basename(file))

/** Writes the release's version wherever it stands among the files, and answers which of them changed. Nothing is written if anything is refused. */
export const setVersion = (folder: string, files: ReadonlyArray<string>, release: Release): ReadonlyArray<string> => {
  const read = (file: string): string => readFileSync(join(folder, file), "utf8")
  const { version: before = "" } = JSON.parse(read("package.json")) as Manifest
  const { repository, version } = release
  const isFirst = version === before && unreleased.test(read("CHANGELOG.md"))
  if (!isLater(version, before) && !isFirst) throw new VersionRefused(`${version} does not come after ${before}.`)
  const changed = files.flatMap((file) => {
    const text = read(file)
    const written = (): string => {
      if (file === "CHANGELOG.md") return changelogOf(text, release)
      if (basename(file) === "package-lock.json") return `${JSON.stringify(lockInVersion(JSON.parse(text) as Lock, version), null, 2)}\n`
      if (basename(file) !== "package.json") return isText(file) ? textInVersion(text, before, version) : text
      const manifest = inVersion(JSON.parse(text) as Manifest, version)
      return `${JSON.stringify(repository === undefined ? manifest : inRepository(manifest, repository, dirname(file)), null, 2)}\n`
    }
    const next = written()
    return next === text ? [] : [{ file, next }]
  })
  for (const { file, next } of changed) writeFileSync(join(folder, file), next)
  return changed.map(({ file }) => file)
}

/** The files of the commit and of the work upon it, but no lockfile of other people's software. */
export const versionedFiles = (): ReadonlyArray<string> =>
  execFileSync("git", ["ls-files", "-z", "*.json", "*.md", "*.ts", "*Chart.yaml", "*Dockerfile"], { encoding: "utf8" }).split("\0").filter((file) => file !== "" && !file.startsWith("docs/approval/"))

// `npm run version:set -- 0.2.0 [--repository git+https://…]`
if (process.argv[1] === import.meta.filename) {
  const { positionals: [version = ""], values: { repository } } = parseArgs({ allowPositionals: true, options: { repository: { type: "string" } } })
  try {
    const changed = setVersion(process.cwd(), versionedFiles(), { version, date: new Date().toISOString().slice(0, 10), ...(repository === undefined ? {} : { repository }) })
    process.stdout.write(`${version} in ${changed.length} files. Commit them, tag the commit v${version}, and let continuous integration run .ci/publish for the tag.\n`)
  } catch (error) {
    if (!(error instanceof VersionRefused)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
