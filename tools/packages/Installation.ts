import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { throwawayDatabase, type ThrowawayDatabase } from "../../contract-tests/src/support/throwawayDatabase.ts"
import { makeRelease } from "../release.ts"

type Json = Readonly<Record<string, string>>

export interface Place {
  readonly businessName: string
  readonly tin: string
  readonly locationName: string
  readonly address: string
  readonly city: string
}

/** What a shop's program is told. */
export interface Shop {
  readonly OVERA_URL: string
  readonly OVERA_AUTH_URL: string
  readonly OVERA_CLIENT_ID: string
  readonly OVERA_CLIENT_SECRET: string
  readonly TAXPAYER: string
  readonly PREMISE: string
}

const path = { PATH: process.env["PATH"] ?? "" }
const because = ["--reason", "made for a test", "--json"]

/** The first line of a program's output that is wanted; the rest is read and dropped. */
const firstLine = async (child: ChildProcess, wanted: (line: string) => boolean): Promise<string> => {
  if (child.stdout === null) throw new Error("its output is no pipe")
  let found: string | null = null
  for await (const line of createInterface(child.stdout)) {
    found = wanted(line) ? line : null
    if (found !== null) break
  }
  if (found === null) throw new Error("the program ended before it was ready")
  child.stdout.resume()
  return found
}

/** The command of the page on installing, as it stands there. */
const installCommand = (): string => /^ *(npm ci --omit=dev.*)$/m.exec(readFileSync("docs/operations/install.md", "utf8"))?.[1] ?? "no command"

/** An installation as an operator makes it: the release from its archive, the simulator from its package, an empty database of PostgreSQL. */
export class Installation {
  readonly folder = mkdtempSync(join(tmpdir(), "overa-installation-"))
  readonly #database: ThrowawayDatabase
  readonly #name: string
  readonly #running: Array<ChildProcess> = []
  #variables: Json = {}
  #release = ""
  controlUrl = ""

  private constructor(database: ThrowawayDatabase, name: string) {
    this.#database = database
    this.#name = name
  }

  static async open(): Promise<Installation> {
    const database = await throwawayDatabase()
    const name = `overa_installed_${randomBytes(4).toString("hex")}`
    await (await database.client()).query(`create database ${name} encoding 'UTF8' template template0`)
    return new Installation(database, name)
  }

  /** Makes the archive, unpacks it, and installs what its lockfile names. */
  async install(): Promise<void> {
    const name = await makeRelease(this.folder)
    execFileSync("tar", ["-xzf", join(this.folder, `${name}.tar.gz`), "-C", this.folder])
    this.#release = join(this.folder, name)
    execFileSync("sh", ["-ec", installCommand()], { cwd: this.#release, stdio: "ignore" })
  }

  /** Starts the simulator's command, and sets the variables that an operator sets. */
  async startSimulator(command: string): Promise<void> {
    const ports = ["SANDBOX", "PRODUCTION", "SANDBOX_VERIFICATION", "PRODUCTION_VERIFICATION", "CONTROL"].map((port) => [`OVERA_SIMULATOR_${port}_PORT`, "0"])
    const child = spawn(process.execPath, [command], { cwd: this.folder, env: { ...path, ...Object.fromEntries(ports) as Json }, stdio: ["ignore", "pipe", "inherit"] })
    this.#running.push(child)
    const { controlUrl, sandbox } = JSON.parse(await firstLine(child, (line) => line.startsWith("{"))) as { readonly controlUrl: string; readonly sandbox: Json }
    this.controlUrl = controlUrl
    const authorities = await this.control<{ readonly sandbox: { readonly rootPem: string } }>("ca")
    this.#variables = {
      DATABASE_URL: Object.assign(new URL(this.#database.url), { pathname: `/${this.#name}` }).toString(),
      OVERA_SECRET_KEYS: `one:${randomBytes(32).toString("base64")}`,
      OVERA_CREDENTIAL_KEY: randomBytes(32).toString("base64"),
      OVERA_VPFR_SANDBOX_URL: sandbox["url"] ?? "",
      OVERA_VPFR_SANDBOX_CA_FILE: this.write("root.pem", authorities.sandbox.rootPem),
      OVERA_VPFR_SANDBOX_VERIFICATION_ROOT: sandbox["verificationUrl"] ?? "",
      OVERA_LISTEN_HOST: "127.0.0.1", PORT: "0", OVERA_WORKER_PORT: "0"
    }
  }

  write(name: string, content: string | Uint8Array): string {
    const file = join(this.folder, name)
    writeFileSync(file, content)
    return file
  }

  /** A call of the simulator's control API. */
  async control<A>(call: string, body?: unknown): Promise<A> {
    const given = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }
    const answer = await fetch(`${this.controlUrl}/${call}`, given)
    if (!answer.ok) throw new Error(await answer.text())
    return await answer.json() as A
  }

  /** The operator's command, as the page on installing calls it in a release. */
  admin(args: ReadonlyArray<string>, more: Json = {}): string {
    return execFileSync(process.execPath, [join(this.#release, "deploy/overa.mjs"), "admin", ...args], {
      cwd: "/", env: { ...path, ...this.#variables, ...more }, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"]
    })
  }

  /** One act of the operator, with its answer. */
  act(args: ReadonlyArray<string>, more: Json = {}): Json {
    return JSON.parse(this.admin([...args, ...because], more)) as Json
  }

  /** Starts a program of the release, and answers the address that it serves at. */
  async start(program: "api" | "worker"): Promise<string> {
    const child = spawn(process.execPath, [join(this.#release, "deploy/overa.mjs"), program], { cwd: "/", env: { ...path, ...this.#variables }, stdio: ["ignore", "pipe", "inherit"] })
    this.#running.push(child)
    const line = await firstLine(child, (said) => /"event":"(?:serving|running)"/.test(said))
    return /"url":"([^"]+)"/.exec(line)?.[1] ?? ""
  }

  /** Ends every program, the newest first, and answers their exit codes. */
  async stop(): Promise<ReadonlyArray<number | null>> {
    const codes: Array<number | null> = []
    for (const child of this.#running.splice(0).toReversed()) {
      if (child.exitCode === null) {
        const ended = once(child, "exit")
        child.kill("SIGTERM")
        await ended
      }
      codes.push(child.exitCode)
    }
    return codes
  }

  async close(): Promise<void> {
    await this.stop()
    await (await this.#database.client()).query(`drop database if exists ${this.#name} with (force)`)
    await this.#database.drop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
