import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runAdmin } from "@overa/admin"
import { type RunningSimulator, startSimulator } from "@overa/vpfr-simulator"
import { type ThrowawayDatabase, throwawayDatabase } from "./throwawayDatabase.ts"

/** The result of a command line of the operator. */
export interface AdminAnswer {
  readonly code: number
  readonly out: string
  readonly err: string
  /** The output as JSON; null where it is no JSON. */
  // The cases read deep into answers of many commands.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any
}

/** An operator with a new installation: a database of its own, and a simulator as the V-PFR. */
export interface OperatorDesk {
  readonly database: ThrowawayDatabase
  readonly simulator: RunningSimulator
  /** The hosts' variables for this installation. */
  readonly environment: Readonly<Record<string, string>>
  /** Runs one command line; `lines` is its standard input. */
  readonly admin: (args: ReadonlyArray<string>, options?: { readonly lines?: ReadonlyArray<string>; readonly environment?: Readonly<Record<string, string>> }) => Promise<AdminAnswer>
  /** Writes a file that the operator may name, and answers its path. */
  readonly file: (name: string, content: string | Uint8Array) => string
  /** The command's whole output so far. */
  readonly written: () => string
  readonly close: () => Promise<void>
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What a desk is opened on. */
export interface DeskGround {
  readonly database: ThrowawayDatabase
  /** The simulator's files; null: new ones. */
  readonly simulatorFiles: string | null
  readonly keys: { readonly OVERA_SECRET_KEYS: string; readonly OVERA_CREDENTIAL_KEY: string }
}

/** New keys of an installation. */
export const newKeys = (): DeskGround["keys"] => ({
  OVERA_SECRET_KEYS: `one:${randomBytes(32).toString("base64")}`,
  OVERA_CREDENTIAL_KEY: randomBytes(32).toString("base64")
})

const variablesOf = ({ database, keys }: DeskGround, simulator: RunningSimulator, file: OperatorDesk["file"]) => ({
  DATABASE_URL: database.url,
  ...keys,
  OVERA_VPFR_SANDBOX_URL: simulator.sandbox.url,
  OVERA_VPFR_SANDBOX_CA_FILE: file("sandbox-root.pem", simulator.trustAnchorsPem("sandbox")),
  OVERA_VPFR_SANDBOX_VERIFICATION_ROOT: simulator.sandbox.verificationUrl,
  OVERA_VPFR_PRODUCTION_URL: simulator.production.url,
  OVERA_VPFR_PRODUCTION_CA_FILE: file("production-root.pem", simulator.trustAnchorsPem("production")),
  OVERA_VPFR_PRODUCTION_VERIFICATION_ROOT: simulator.production.verificationUrl
})

const newGround = async (): Promise<DeskGround> => ({ database: await throwawayDatabase(), simulatorFiles: null, keys: newKeys() })

/** Opens an operator's desk, on new ground or on a given one. */
export const operatorDesk = async (given?: DeskGround): Promise<OperatorDesk> => {
  const ground = given ?? await newGround()
  const { database, simulatorFiles } = ground
  const simulator = await startSimulator(simulatorFiles === null ? {} : { dataDirectory: simulatorFiles })
  const folder = mkdtempSync(join(tmpdir(), "overa-admin-"))
  const file: OperatorDesk["file"] = (name, content) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  const environment = variablesOf(ground, simulator, file)
  const everything: Array<string> = []
  const admin: OperatorDesk["admin"] = async (args, options = {}) => {
    const [out, err]: [Array<string>, Array<string>] = [[], []]
    const lines = [...options.lines ?? []]
    const code = await runAdmin(args, {
      environment: { ...environment, ...options.environment },
      write: (text) => out.push(text),
      writeError: (text) => err.push(text),
      nextLine: () => Promise.resolve(lines.shift() ?? null),
      ask: null,
      userName: "ana"
    })
    const answer = { code, out: out.join(""), err: err.join(""), json: jsonOf(out.join("")) }
    everything.push(answer.out, answer.err)
    return answer
  }
  return {
    database,
    simulator,
    environment,
    admin,
    file,
    written: () => everything.join("\n"),
    close: async () => {
      await simulator.stop()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
