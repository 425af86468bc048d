import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EngineProcess, type EngineStart } from "../../EngineProcess.ts"
import { checkTypes } from "../../checkTypes.ts"
import { installEngine, installPlugin } from "../../installEngine.ts"

const version = "2.21.2"
const packages = { "@medusajs/medusa": version, "@medusajs/framework": version, "@medusajs/cli": version, "@medusajs/admin-sdk": version, "@types/react": "18.3.32", typescript: "5.9.3" }
const trial = join(import.meta.dirname, "../../medusa/trial")
const program = "node_modules/@medusajs/cli/cli.js"
const plugged = { WITH_PLUGIN: "1" }
const administrator = { email: "admin@primer.example", password: "administrator" }

interface Seeded {
  readonly region: string
  readonly option: string
  /** The storefront's publishable key. */
  readonly key: string
  readonly location: string
  readonly variants: ReadonlyArray<string>
}

/** A real Medusa server with a sample shop in dinars. */
export class MedusaServer {
  readonly url: string
  seeded: Seeded = { region: "", option: "", key: "", location: "", variants: [] }
  readonly #port: number
  readonly #files = mkdtempSync(join(tmpdir(), "overa-shops-medusa-"))
  #folder = ""
  readonly #environment: Record<string, string>
  readonly #process = new EngineProcess()
  #token = ""

  constructor(databaseUrl: string, port: number) {
    this.url = `http://127.0.0.1:${port}`
    this.#port = port
    this.#environment = {
      DATABASE_URL: databaseUrl, SEED_FILE: join(this.#files, "seed.json"), MEDUSA_DISABLE_TELEMETRY: "1", NODE_ENV: "production", JWT_SECRET: "trial", COOKIE_SECRET: "trial",
      NODE_OPTIONS: "--max-old-space-size=900", LOG_LEVEL: "warn"
    }
  }

  /** Installs it and stores its sample data, without the plugin. */
  async prepare(): Promise<void> {
    this.#folder = installEngine("medusa", { dependencies: packages })
    for (const file of ["medusa-config.js", "seed.js", "tsconfig.json"]) copyFileSync(join(trial, file), join(this.#folder, file))
    await this.#command({}, "db:migrate")
    await this.#command({}, "exec", "./seed.js")
    await this.#command({}, "user", "--email", administrator.email, "--password", administrator.password)
    this.seeded = JSON.parse(readFileSync(join(this.#files, "seed.json"), "utf8")) as Seeded
  }

  /** Installs the plugin and migrates the database. */
  async plugIn(): Promise<number> {
    const millis = installPlugin("medusa", this.#folder)
    checkTypes("medusa", this.#folder)
    const started = Date.now()
    await this.#command(plugged, "db:migrate")
    return millis + Date.now() - started
  }

  /** Builds the admin's pages with the plugin's; the engine shows them from its next start on. Answers where, and who signs in. */
  async buildAdmin(): Promise<string> {
    this.#environment["WITH_ADMIN"] = "1"
    await this.#command({ ...plugged, NODE_OPTIONS: "--max-old-space-size=3000" }, "build", "--admin-only")
    cpSync(join(this.#folder, ".medusa/admin"), join(this.#folder, "public/admin"), { recursive: true })
    return `${this.url}/app, ${administrator.email}, ${administrator.password}`
  }

  #command(more: Readonly<Record<string, string>>, ...words: ReadonlyArray<string>): Promise<void> {
    return this.#process.command(this.#start(more), [program, ...words])
  }

  #start(more: Readonly<Record<string, string>>): EngineStart {
    return { folder: this.#folder, environment: { ...this.#environment, ...more }, shown: /Overa|"error"/ }
  }

  async run(): Promise<void> {
    const child = this.#process.start(this.#start(plugged), [program, "start", "--port", String(this.#port), "--host", "127.0.0.1"])
    const deadline = Date.now() + 300_000
    while (!(await fetch(`${this.url}/health`).then(({ ok }) => ok, () => false))) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`Medusa did not start: ${child.exitCode}`)
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    this.#token = ((await this.#send("POST", "/auth/user/emailpass", administrator, {})) as { readonly token: string }).token
  }

  kill(): Promise<void> {
    return this.#process.kill()
  }

  clean(): void {
    rmSync(this.#files, { recursive: true, force: true })
  }

  async #send(method: string, path: string, body: object | null, headers: Readonly<Record<string, string>>): Promise<unknown> {
    const response = await fetch(`${this.url}${path}`, { method, headers: { "Content-Type": "application/json", ...headers }, ...(body === null ? {} : { body: JSON.stringify(body) }) })
    const text = await response.text()
    if (!response.ok) throw new Error(`Medusa answered ${response.status} to ${method} ${path}: ${text.slice(0, 500)}`)
    return text === "" ? {} : JSON.parse(text)
  }

  /** With the storefront's key. */
  store<Answer>(method: "GET" | "POST", path: string, body: object | null = null): Promise<Answer> {
    return this.#send(method, `/store${path}`, body, { "x-publishable-api-key": this.seeded.key }) as Promise<Answer>
  }

  /** As the administrator. */
  admin<Answer>(method: "GET" | "POST", path: string, body: object | null = null): Promise<Answer> {
    return this.#send(method, `/admin${path}`, body, { Authorization: `Bearer ${this.#token}` }) as Promise<Answer>
  }
}
