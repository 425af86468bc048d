import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { buildInstallation } from "./buildInstallation.ts"
import { signSums } from "./signSums.ts"

/** What an installation needs of the checkout: the programs, their sources, the operators' pages. Tests, simulator and benches stay out. */
const needed =
  /^(?:LICENCE|README\.md|CHANGELOG\.md|SECURITY\.md|package\.json|package-lock\.json|tools\/installNote\.mjs|deploy\/|docs\/|domain\/src\/|adapters\/[^/]+\/src\/|hosts\/(?:admin|kit|portal|rest-api|worker)\/src\/|verify\/src\/)/

/** npm refuses a lockfile whose workspaces are not there. */
const manifest = /^(?:[^/]+\/)*package\.json$/

const git = (...args: ReadonlyArray<string>): string => execFileSync("git", [...args], { encoding: "utf8", maxBuffer: 64 * 1_024 * 1_024 })

const versionOf = (): string => (JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string }).version

/** The files of the release, from the commit's own list; nothing that lies about in the checkout. */
export const releaseFiles = (): ReadonlyArray<string> =>
  git("ls-files", "-z").split("\0").filter((file) => file !== "" && (needed.test(file) || manifest.test(file)))

const digestLine = (folder: string, file: string): string =>
  `${createHash("sha256").update(readFileSync(join(folder, file))).digest("hex")}  ${file}\n`

/** Every time of a file is the commit's, owners have no name, and the order is that of the names: the same commit makes the same bytes. */
const pack = (from: string, name: string, archive: string): void => {
  const time = git("log", "-1", "--format=%ct").trim()
  execFileSync("tar", ["--sort=name", `--mtime=@${time}`, "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX", "-cf", `${archive}.tar`, "-C", from, name])
  execFileSync("gzip", ["-nf9", `${archive}.tar`])
}

/** Writes `overa-<version>.tar.gz`, its bill of materials and `SHA256SUMS` into the folder. */
export const makeRelease = async (folder: string): Promise<string> => {
  const name = `overa-${versionOf()}`
  const stage = mkdtempSync(join(tmpdir(), "overa-release-"))
  try {
    for (const file of releaseFiles()) {
      mkdirSync(dirname(join(stage, name, file)), { recursive: true })
      copyFileSync(file, join(stage, name, file))
    }
    await buildInstallation(join(stage, name))
    mkdirSync(folder, { recursive: true })
    pack(stage, name, join(folder, name))
    writeFileSync(join(folder, `${name}.cdx.json`), execFileSync("npm", ["run", "--silent", "sbom"], { encoding: "utf8", maxBuffer: 64 * 1_024 * 1_024 }))
    writeFileSync(join(folder, "SHA256SUMS"), [`${name}.cdx.json`, `${name}.tar.gz`].map((file) => digestLine(folder, file)).join(""))
    return name
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

// `npm run release` writes the release of this commit into the folder `release`; with `-- --key FILE` it signs the checksums.
if (process.argv[1] === import.meta.filename) {
  const { values: { key } } = parseArgs({ options: { key: { type: "string" } } })
  const name = await makeRelease("release")
  // An older signature would be of other checksums.
  rmSync("release/SHA256SUMS.sig", { force: true })
  if (key !== undefined) signSums("release", key)
  process.stdout.write(`release/${name}.tar.gz\n`)
}
