import { copyFileSync, cpSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EngineProcess, type EngineStart } from "../../EngineProcess.ts"
import { checkTypes } from "../../checkTypes.ts"
import { installEngine, installPlugin } from "../../installEngine.ts"

const packages = { "@vendure/core": "3.7.3", "@vendure/create": "3.7.3", "@vendure/email-plugin": "3.7.3", "@vendure/admin-ui-plugin": "3.7.3", pg: "8.23.1" }
const program = "server.mjs"
const plugin = join(import.meta.dirname, "../../vendure")

const administrator = { username: "superadmin", password: "superadmin" }

type Answer = Readonly<Record<string, unknown>>

/** A real Vendure server with its sample data. */
export class VendureServer {
  readonly url: string
  /** Where its mails are written. */
  readonly mails = mkdtempSync(join(tmpdir(), "overa-shops-mails-"))
  #folder = ""
  readonly #environment: Record<string, string>
  readonly #process = new EngineProcess()
  #administrator = ""

  constructor(databaseUrl: string, port: number) {
    this.url = `http://127.0.0.1:${port}`
    this.#environment = { DATABASE_URL: databaseUrl, SHOP_PORT: String(port), MAIL_FOLDER: this.mails, NODE_OPTIONS: "--max-old-space-size=900" }
  }

  /** Installs it and stores its sample data, without the plugin. */
  async prepare(): Promise<void> {
    this.#folder = installEngine("vendure", { type: "module", dependencies: packages })
    copyFileSync(join(plugin, "trial", program), join(this.#folder, program))
    this.#takeTemplates("@vendure/email-plugin")
    await this.#act("populate")
  }

  /** Installs the plugin with the template of its mail, and migrates the database. */
  async plugIn(): Promise<number> {
    const millis = installPlugin("vendure", this.#folder)
    checkTypes("vendure", this.#folder)
    const started = Date.now()
    this.#takeTemplates("@overa/vendure-plugin")
    await this.#act("migrate")
    return millis + Date.now() - started
  }

  /** The mail plugin reads all templates from one folder. */
  #takeTemplates(from: string): void {
    cpSync(join(this.#folder, "node_modules", from, "templates"), join(this.#folder, "templates"), { recursive: true })
  }

  /** Its pages come built. */
  buildAdmin(): Promise<string> {
    this.#environment["WITH_ADMIN"] = "1"
    return Promise.resolve(`${this.url}/admin, ${administrator.username}, ${administrator.password}`)
  }

  #act(act: "populate" | "migrate"): Promise<void> {
    return this.#process.command(this.#start({ ACT: act }), [program])
  }

  #start(more: Readonly<Record<string, string>>): EngineStart {
    return { folder: this.#folder, environment: { ...this.#environment, ...more }, shown: /Overa|error/i }
  }

  async run(): Promise<void> {
    const child = this.#process.start(this.#start({}), [program])
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on("data", (chunk: Buffer) => chunk.toString().includes("ready") ? resolve() : undefined)
      child.once("exit", (code) => reject(new Error(`Vendure ended: ${code}`)))
    })
    this.#administrator = (await this.ask("admin-api", 'mutation ($username: String!, $password: String!) { login(username: $username, password: $password) { __typename } }', administrator, "")).token
  }

  kill(): Promise<void> {
    return this.#process.kill()
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
