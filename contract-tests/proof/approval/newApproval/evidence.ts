import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** What a commit shows of itself: each piece under its name, by its bytes or their digest. */
export interface Evidence {
  readonly commit: string
  /** The V-PFR's request for each sample receipt, byte for byte; null where this commit could not compose them. */
  readonly requests: ReadonlyMap<string, string> | null
  /** The golden files, which the commit's own tests prove: name to git's digest of the content. */
  readonly goldens: ReadonlyMap<string, string>
  readonly layoutVersion: string
  /** Method and path of each operation. */
  readonly operations: ReadonlySet<string>
}

const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", [...args], { encoding: "utf8", maxBuffer: 64 * 1_024 * 1_024, stdio: ["ignore", "pipe", "ignore"] })

/** A file's text at a commit; empty where the commit has no such file. */
const textAt = (commit: string, path: string): string => {
  try {
    return git("show", `${commit}:${path}`)
  } catch {
    return ""
  }
}

const goldenFolder = "contract-tests/golden/"

const goldensAt = (commit: string): ReadonlyMap<string, string> =>
  new Map(git("ls-tree", "-r", commit, goldenFolder).split("\n").flatMap((line) => {
    const [, , digest = "", path = ""] = line.split(/\s+/)
    return path.endsWith(".md") || path === "" ? [] : [[path.slice(goldenFolder.length), digest] as const]
  }))

// One operation a line, as `client/tools/generateContract.ts` writes them.
const operationsOf = (contract: string): ReadonlySet<string> =>
  new Set(Array.from(contract.matchAll(/method: "(\w+)",\s*path: "([^"]+)"/g), ([, method, path]) => `${method} ${path}`))

// It imports the commit's own samples and the commit's own program.
const composing = (root: string): string => `
const { sampleKinds } = await import(${JSON.stringify(`file://${root}/contract-tests/src/support/sampleKinds.ts`)})
const { composeInvoiceRequest } = await import(${JSON.stringify(`file://${root}/adapters/vpfr/src/composeInvoiceRequest.ts`)})
const composed = Object.entries(sampleKinds).map(([kind, sample]) => [kind, composeInvoiceRequest(sample().operation.content, "production")])
process.stdout.write(JSON.stringify(composed))`

/** The checkout's packages for another tree: everything outside by link, the workspace's own from that tree. */
const linkPackages = (root: string, packages: string): void => {
  const target = join(root, "node_modules")
  mkdirSync(join(target, "@overa"), { recursive: true })
  for (const name of readdirSync(packages)) if (name !== "@overa" && !existsSync(join(target, name))) symlinkSync(join(packages, name), join(target, name))
  const workspaces = ["domain", "client", "verify", ...["adapters", "hosts"].filter((group) => existsSync(join(root, group))).flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`))]
  for (const workspace of workspaces) {
    const manifest = join(root, workspace, "package.json")
    if (!existsSync(manifest)) continue
    const { name } = JSON.parse(git("-C", root, "show", `HEAD:${workspace}/package.json`)) as { readonly name: string }
    const link = join(target, name)
    if (name.startsWith("@overa/") && !existsSync(link)) symlinkSync(join(root, workspace), link)
  }
}

const requestsAt = (root: string): Evidence["requests"] => {
  try {
    const out = execFileSync(process.execPath, ["--conditions=@overa/source", "--input-type=module", "--eval", composing(root)], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
    return new Map(JSON.parse(out) as ReadonlyArray<[string, string]>)
  } catch {
    return null
  }
}

/** Reads the evidence of a commit. The requests are composed in a tree of their own, which is removed afterwards. */
export const evidenceOf = (revision: string, packages = join(process.cwd(), "node_modules")): Evidence => {
  const commit = git("rev-parse", `${revision}^{commit}`).trim()
  const folder = mkdtempSync(join(tmpdir(), "overa-release-check-"))
  const root = join(folder, "tree")
  try {
    git("worktree", "add", "--detach", root, commit)
    linkPackages(root, packages)
    return {
      commit,
      requests: requestsAt(root),
      goldens: goldensAt(commit),
      layoutVersion: /layoutVersion = (\d+)/.exec(textAt(commit, "adapters/renderers/src/layout/composeLayout.ts"))?.[1] ?? "",
      operations: operationsOf(textAt(commit, "client/src/contract.ts"))
    }
  } finally {
    git("worktree", "remove", "--force", root)
    rmSync(folder, { recursive: true, force: true })
  }
}
