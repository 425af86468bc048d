import { execFileSync, spawnSync } from "node:child_process"
import { statSync } from "node:fs"
import { userInfo } from "node:os"
import { dirname, resolve } from "node:path"
import { Effect } from "effect"
import { SandboxProblem } from "./SandboxProblem.ts"

/** The command that starts a program under the account that runs PostgreSQL. */
export interface AccountCommand {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly identity: { readonly uid?: number; readonly gid?: number }
}

/** The account that runs PostgreSQL. */
export interface ServerAccount {
  /** Null for an ordinary user: PostgreSQL runs as the user who started the sandbox. */
  readonly ids: { readonly uid: number; readonly gid: number } | null
  readonly command: (program: string, args: ReadonlyArray<string>) => AccountCommand
}

const ordinary: ServerAccount = { ids: null, command: (program, args) => ({ program, args, identity: {} }) }

const idOf = (flag: "-u" | "-g", user: string): number =>
  Number(execFileSync("id", [flag, user], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }))

const idsOf = (user: string): NonNullable<ServerAccount["ids"]> | null => {
  try {
    return { uid: idOf("-u", user), gid: idOf("-g", user) }
  } catch {
    return null
  }
}

/** Whether every user of this machine may enter the folder, that is, each folder of its path. */
const isOpenToAll = (folder: string): boolean => {
  const parent = dirname(folder)
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || isOpenToAll(parent))
}

const dropTo = (ids: { readonly uid: number; readonly gid: number }): ServerAccount => ({
  ids,
  command: (program, args) => ({ program, args, identity: ids })
})

/**
 * Under a private folder, for example a checkout in root's home, the account could not even find its programs. It then gets the one capability that
 * permits entering folders; `access(2)`, which initdb calls, honours it only without the setuid fix-up.
 */
const dropKeepingPassage = (ids: { readonly uid: number; readonly gid: number }): ServerAccount => ({
  ids,
  command: (program, args) => ({
    program: "setpriv",
    args: [
      `--reuid=${ids.uid}`,
      `--regid=${ids.gid}`,
      "--clear-groups",
      "--securebits=+no_setuid_fixup",
      "--inh-caps=+dac_override",
      "--ambient-caps=+dac_override",
      program,
      ...args
    ],
    identity: {}
  })
})

const canKeepPassage = (account: ServerAccount): boolean => {
  const probe = account.command("true", [])
  return spawnSync(probe.program, probe.args, { stdio: "ignore" }).status === 0
}

/**
 * PostgreSQL refuses to run as root, so root starts it as the user `postgres`, or as `nobody` where there is none; no user is ever created. `folders`
 * are those that the server must be able to enter.
 */
export const serverAccount = (folders: ReadonlyArray<string>): Effect.Effect<ServerAccount, SandboxProblem> =>
  Effect.suspend(() => {
    if (userInfo().uid !== 0) return Effect.succeed(ordinary)
    const ids = idsOf("postgres") ?? idsOf("nobody")
    if (ids === null) {
      return Effect.fail(new SandboxProblem({ line: "PostgreSQL does not run as root; run npm start as an ordinary user" }))
    }
    const closed = folders.map((folder) => resolve(folder)).find((folder) => !isOpenToAll(folder))
    if (closed === undefined) return Effect.succeed(dropTo(ids))
    const account = dropKeepingPassage(ids)
    return canKeepPassage(account)
      ? Effect.succeed(account)
      : Effect.fail(
        new SandboxProblem({
          line: `PostgreSQL does not run as root and no other user may enter ${closed}; run npm start as an ordinary user`
        })
      )
  })
