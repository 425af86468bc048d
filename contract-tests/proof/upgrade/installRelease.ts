import { execFileSync } from "node:child_process"
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"

/** A release, unpacked and installed by the install page's own steps in a folder that is removed at the end. */
export interface InstalledRelease {
  /** The commit or the archive that was named. */
  readonly name: string
  /** Where `deploy/overa.mjs` is. */
  readonly folder: string
  /** The numbers of its schema's steps. */
  readonly steps: ReadonlyArray<number>
  readonly remove: () => void
}

const workspaces = ["rest-api", "worker", "admin", "portal"].map((name) => `--workspace=hosts/${name}`)

const run = (cwd: string, program: string, ...args: ReadonlyArray<string>): string =>
  execFileSync(program, [...args], { cwd, encoding: "utf8", maxBuffer: 64 * 1_024 * 1_024, stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` } })

const install = (folder: string, ...which: ReadonlyArray<string>): void =>
  void run(folder, "npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", ...which)

/** The archive of a commit, made in a tree of its own by the commit's own `npm run release`, with the packages of its own lockfile. */
const archiveOf = (commit: string, folder: string): string => {
  const tree = join(folder, "tree")
  run(process.cwd(), "git", "worktree", "add", "--detach", tree, commit)
  try {
    install(tree)
    run(tree, process.execPath, "--conditions=@overa/source", "tools/release.ts")
    const [archive = ""] = readdirSync(join(tree, "release")).filter((name) => name.endsWith(".tar.gz"))
    copyFileSync(join(tree, "release", archive), join(folder, archive))
    return join(folder, archive)
  } finally {
    run(process.cwd(), "git", "worktree", "remove", "--force", tree)
  }
}

const stepsOf = (folder: string): ReadonlyArray<number> =>
  readdirSync(join(folder, "adapters/postgres/src/migrations")).flatMap((name) => /^(\d{4})_/.exec(name)?.[1] ?? []).map(Number).toSorted((one, other) => one - other)

/** `from` is an archive that `npm run release` wrote, a commit of which one is made, or a folder where a release is installed already. */
export const installRelease = (from: string): InstalledRelease => {
  if (existsSync(join(from, "deploy/overa.mjs"))) return { name: basename(dirname(from)), folder: from, steps: stepsOf(from), remove: () => undefined }
  const folder = mkdtempSync(join(tmpdir(), "overa-installed-"))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const isArchive = existsSync(from)
    const archive = isArchive ? from : archiveOf(from, folder)
    const name = isArchive ? basename(from, ".tar.gz") : run(process.cwd(), "git", "rev-parse", "--short", `${from}^{commit}`).trim()
    run(folder, "tar", "-xzf", archive)
    const [unpacked = ""] = readdirSync(folder).filter((entry) => /^overa-[\d.]+$/.test(entry))
    install(join(folder, unpacked), "--omit=dev", ...workspaces)
    return { name, folder: join(folder, unpacked), steps: stepsOf(join(folder, unpacked)), remove }
  } catch (error) {
    remove()
    throw error
  }
}
