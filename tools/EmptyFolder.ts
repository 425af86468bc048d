import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const root = process.cwd()

const npm = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("npm", [...args, "--offline", "--no-audit", "--no-fund"], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

interface Packed {
  readonly name: string
  readonly filename: string
  readonly files: ReadonlyArray<{ readonly path: string }>
}

/** Packs a workspace as `npm publish` would. If another package needs it, its types are built first. */
const pack = (workspace: string, to: string): Packed => {
  const said = npm(join(root, workspace), "pack", "--json", "--pack-destination", to)
  // A build may print its own lines before npm's answer.
  const answer = JSON.parse(said.slice(said.search(/^[[{]/m))) as unknown
  const [packed] = (Array.isArray(answer) ? answer : Object.values(answer as object)) as ReadonlyArray<Packed>
  if (packed === undefined) throw new Error(`npm pack packed nothing of ${workspace}`)
  return packed
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Readonly<Record<"dependencies" | "peerDependencies", Readonly<Record<string, string>> | undefined>>

/** Third-party libraries come from this checkout, so that no test needs the network. */
const libraryOf = (workspace: string, name: string): string => {
  const own = join(root, workspace, "node_modules", name)
  return `file:${existsSync(own) ? own : resolve(root, "node_modules", name)}`
}

/** An empty folder outside the checkout, with our packages installed from their tarballs. */
export class EmptyFolder {
  readonly path: string
  readonly #workspaces: ReadonlyArray<string>
  readonly #packed: ReadonlyArray<Packed>

  private constructor(path: string, workspaces: ReadonlyArray<string>, packed: ReadonlyArray<Packed>) {
    this.path = path
    this.#workspaces = workspaces
    this.#packed = packed
  }

  /** In the given order: a package that others need comes before them. */
  static with(workspaces: ReadonlyArray<string>): EmptyFolder {
    const path = mkdtempSync(join(tmpdir(), "overa-pack-"))
    const packed = workspaces.map((workspace) => pack(workspace, path))
    const ours = packed.map(({ filename, name }) => [name, `file:./${filename}`] as const)
    const libraries = workspaces.flatMap((workspace) => {
      const { dependencies, peerDependencies } = manifestOf(join(root, workspace))
      return Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !name.startsWith("@overa/")).map((name) => [name, libraryOf(workspace, name)] as const)
    })
    const manifest = { name: "embedder", private: true, type: "module", dependencies: Object.fromEntries([...libraries, ...ours]), overrides: Object.fromEntries(ours) }
    writeFileSync(join(path, "package.json"), JSON.stringify(manifest))
    npm(path, "install", "--ignore-scripts")
    return new EmptyFolder(path, workspaces, packed)
  }

  filesOf(name: string): ReadonlyArray<string> {
    return this.#packed.find((packed) => packed.name === name)?.files.map(({ path }) => path) ?? []
  }

  /** Removes the folder, and the files that packing left in the checkout. */
  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
    for (const workspace of this.#workspaces) {
      rmSync(join(workspace, "dist"), { recursive: true, force: true })
      rmSync(join(workspace, "LICENCE"), { force: true })
    }
  }
}
