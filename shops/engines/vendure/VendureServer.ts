import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, cpSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { installEngine, installPlugin } from "../../installEngine.ts"

const packages = { "@vendure/core": "3.7.3", "@vendure/create": "3.7.3", "@vendure/email-plugin": "3.7.3", pg: "8.23.1" }
const plugin = join(import.meta.dirname, "../../vendure")

type Answer = Readonly<Record<string, unknown>>

/** A real Vendure server with its sample data. */
export class VendureServer {
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

  /** Installs it and stores its sample data, without the plugin. */
  async prepare(): Promise<void> {
    this.#folder = installEngine("vendure", { type: "module", dependencies: packages })
    copyFileSync(join(plugin, "trial/server.mjs"), join(this.#folder, "server.mjs"))
    await this.#act("populate")
  }

  /** Installs the plugin with the template of its mail, and migrates the database. */
  async plugIn(): Promise<number> {
    const millis = installPlugin("vendure", this.#folder)
    const started = Date.now()
    for (const name of ["@vendure/email-plugin", "@overa/vendure-plugin"]) cpSync(join(this.#folder, "node_modules", name, "templates"), join(this.#folder, "templates"), { recursive: true })
    await this.#act("migrate")
    return millis + Date.now() - started
  }

  async #act(act: "populate" | "migrate"): Promise<void> {
    const [code] = await once(this.#spawn({ ACT: act }), "exit") as [number]
    if (code !== 0) throw new Error(`Vendure did not ${act}: ${code}`)
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
