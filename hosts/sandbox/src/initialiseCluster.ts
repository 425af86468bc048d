import { spawn } from "node:child_process"
import { chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { SandboxProblem } from "./SandboxProblem.ts"
import type { ServerAccount } from "./serverAccount.ts"

export const superuser = "overa"

/** Without these a cluster in a container with LANG=C would be SQL_ASCII. */
const clusterFlags = ["--encoding=UTF8", "--auth=scram-sha-256"]

/** The same locale on every machine; included since PostgreSQL 17. */
const builtinLocale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]

const runToEnd = (program: string, args: ReadonlyArray<string>, account: ServerAccount) =>
  Effect.callback<void, SandboxProblem>((resume) => {
    const command = account.command(program, args)
    const child = spawn(command.program, command.args, { ...command.identity, stdio: ["ignore", "ignore", "pipe"] })
    let errors = ""
    child.stderr.on("data", (chunk: Buffer) => {
      errors += chunk.toString()
    })
    const fail = (why: string) =>
      resume(Effect.fail(new SandboxProblem({ line: `PostgreSQL could not make its data folder: ${why}` })))
    child.once("error", (error) => fail(error.message))
    child.once("close", (code) => code === 0 ? resume(Effect.void) : fail(errors.trim().split("\n").at(-1) ?? `exit ${code}`))
  })

/** The folders of a cluster under the sandbox's own. */
export const clusterPaths = (folder: string) => ({
  data: join(folder, "data"),
  log: join(folder, "postgres.log"),
  /** Written last: without it the data folder is incomplete. */
  complete: join(folder, "initialised"),
  password: join(folder, "initial-password")
})

const prepareFolders = (paths: ReturnType<typeof clusterPaths>, password: string, account: ServerAccount) =>
  Effect.sync(() => {
    // A first start that was killed before its end leaves an incomplete cluster.
    rmSync(paths.data, { recursive: true, force: true })
    mkdirSync(paths.data, { recursive: true, mode: 0o700 })
    writeFileSync(paths.password, `${password}\n`, { mode: 0o600 })
    if (account.ids === null) return
    chownSync(paths.data, account.ids.uid, account.ids.gid)
    chownSync(paths.password, account.ids.uid, account.ids.gid)
  })

/** Creates the cluster once; a complete one is not changed. */
export const initialiseCluster = Effect.fn("initialiseCluster")(function*(options: {
  readonly folder: string
  readonly password: string
  readonly initdb: string
  readonly account: ServerAccount
  /** Flags of initdb for a release without the builtin locale. */
  readonly localeFlags?: ReadonlyArray<string>
}) {
  const paths = clusterPaths(options.folder)
  if (existsSync(paths.complete)) return
  yield* prepareFolders(paths, options.password, options.account)
  const flags = [`--pgdata=${paths.data}`, `--username=${superuser}`, `--pwfile=${paths.password}`, ...clusterFlags, ...(options.localeFlags ?? builtinLocale)]
  yield* runToEnd(options.initdb, flags, options.account).pipe(
    Effect.ensuring(Effect.sync(() => rmSync(paths.password, { force: true })))
  )
  yield* Effect.sync(() => writeFileSync(paths.complete, ""))
})
