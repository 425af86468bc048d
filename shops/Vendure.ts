import { execFileSync, spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const packages = ["client", "orders", "shops/vendure"]
const engine = { "@vendure/core": "3.7.3", "@vendure/create": "3.7.3", "@vendure/email-plugin": "3.7.3", pg: "8.23.1" }

const run = (cwd: string, command: string, ...args: ReadonlyArray<string>): string => execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

/** The engine's tree is large: it is downloaded once for each set of versions. */
const installEngine = (folder: string): void => {
  const manifest = JSON.stringify({ name: "vendure-shop", private: true, type: "module", dependencies: engine })
  const installed = join(folder, "installed.json")
  if (existsSync(installed) && readFileSync(installed, "utf8") === manifest) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), manifest)
  run(folder, "npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--prefer-offline")
  writeFileSync(installed, manifest)
}

const buildPlugin = (): void => {
  const external = ["@nestjs/common", "@overa/client", "@overa/orders", ...Object.keys(engine)].flatMap((name) => ["--external", name])
  run(root, "rolldown", "shops/vendure/src/index.ts", "shops/vendure/src/mail.ts", "--dir", "shops/vendure/dist", "--format", "esm", ...external, "--log-level", "silent")
}

/** Our packages as they are published, unpacked beside the engine. */
const unpack = (folder: string, workspace: string): void => {
  const { name } = JSON.parse(readFileSync(join(root, workspace, "package.json"), "utf8")) as { readonly name: string }
  const tarball = run(join(root, workspace), "npm", "pack", "--silent", "--pack-destination", folder).trim().split("\n").at(-1) ?? ""
  const target = join(folder, "node_modules", name)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  run(folder, "tar", "-xzf", tarball, "--strip-components", "1", "-C", target)
}

/** The engine in a folder of its own, with our packages and the templates of its mails. */
const install = (): string => {
  const folder = join(tmpdir(), "overa-shops-vendure")
  installEngine(folder)
  buildPlugin()
  for (const workspace of packages) unpack(folder, workspace)
  for (const name of ["@vendure/email-plugin", "@overa/vendure-plugin"]) cpSync(join(folder, "node_modules", name, "templates"), join(folder, "templates"), { recursive: true })
  copyFileSync(join(root, "shops/vendure/trial/server.mjs"), join(folder, "server.mjs"))
  return folder
}

type Answer = Readonly<Record<string, unknown>>

/** A real Vendure server with its sample data. */
export class Vendure {
  readonly url: string
  /** Where its mails are written. */
  readonly mails = mkdtempSync(join(tmpdir(), "overa-shops-mails-"))
  #folder = ""
  readonly #environment: Readonly<Record<string, string>>
  #child: ChildProcess | null = null
  #administrator = ""

  constructor(databaseUrl: string, port: number) {
    this.url = `http://127.0.0.1:${port}`
    this.#environment = { DATABASE_URL: databaseUrl, SHOP_PORT: String(port), MAIL_FOLDER: this.mails, NODE_OPTIONS: "--max-old-space-size=900" }
  }

  /** Installs it, stores its sample data and runs it. */
  async start(): Promise<void> {
    this.#folder = install()
    const filling = this.#spawn({ POPULATE: "1" })
    const [code] = await once(filling, "exit") as [number]
    if (code !== 0) throw new Error(`Vendure's sample data was not stored: ${code}`)
    await this.run()
  }

  async run(): Promise<void> {
    const child = this.#spawn({})
    this.#child = child
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on("data", (chunk: Buffer) => chunk.toString().includes("ready") ? resolve() : undefined)
      child.once("exit", (code) => reject(new Error(`Vendure ended: ${code}`)))
    })
    this.#administrator = (await this.ask("admin-api", 'mutation { login(username: "superadmin", password: "superadmin") { __typename } }', {}, "")).token
  }

  #spawn(more: Readonly<Record<string, string>>): ChildProcess {
    const child = spawn(process.execPath, ["server.mjs"], { cwd: this.#folder, env: { ...process.env, ...this.#environment, ...more }, stdio: ["ignore", "pipe", "inherit"] })
    child.stdout?.on("data", (chunk: Buffer) => /Overa|error/i.test(chunk.toString()) ? process.stderr.write(chunk) : undefined)
    return child
  }

  /** As a machine that loses power. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child === null || child.exitCode !== null) return
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
  }

  async ask(api: "admin-api" | "shop-api", query: string, variables: object, token: string): Promise<{ readonly data: Answer; readonly token: string }> {
    const response = await fetch(`${this.url}/${api}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(token === "" ? {} : { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query, variables })
    })
    const { data, errors } = await response.json() as { readonly data?: Answer; readonly errors?: unknown }
    if (data === undefined || data === null || errors !== undefined) throw new Error(`Vendure refused: ${JSON.stringify(errors)}`)
    return { data, token: response.headers.get("vendure-auth-token") ?? token }
  }

  async administrate(query: string, variables: object = {}): Promise<Answer> {
    return (await this.ask("admin-api", query, variables, this.#administrator)).data
  }
}
