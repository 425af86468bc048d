import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { embeddedPostgres } from "@overa/sandbox"
import { Effect, Exit, Scope } from "effect"
import pg from "pg"
import type { Disturbance } from "./disturbances.ts"
import type { SoakSite } from "./SoakSite.ts"

const left = ["postmaster.pid", "postmaster.opts", "standby.signal"]

/** A base backup by the server's own functions: its files are copied between a start and a stop, which belong to one session. */
const baseBackup = async (site: SoakSite, to: string): Promise<void> => {
  const client = new pg.Client({ connectionString: site.pair.primaryUrl })
  await client.connect()
  try {
    await client.query("select pg_backup_start('soak', true)")
    const data = join(site.pair.primaryFolder, "data")
    mkdirSync(to, { recursive: true })
    // Files that the server removes meanwhile are missing from the copy, as the manual allows; the log brings their content.
    execFileSync("sh", ["-c", `cp -a "${data}" "${to}/data" 2>/dev/null || true`])
    for (const name of left) rmSync(join(to, "data", name), { force: true })
    execFileSync("sh", ["-c", `rm -rf "${to}"/data/pg_wal/* && mkdir -p "${to}/data/pg_wal/archive_status"`])
    const { rows: [label] } = await client.query<{ readonly labelfile: string }>("select labelfile from pg_backup_stop(false)")
    writeFileSync(join(to, "data", "backup_label"), label?.labelfile ?? "")
    // The sandbox's starter makes a new cluster where this file is not.
    writeFileSync(join(to, "initialised"), "")
    execFileSync("chown", ["-R", "--reference", data, to])
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The present segment of the log goes to the archive, and everything before it. */
const archiveAll = async (site: SoakSite): Promise<void> => {
  const client = new pg.Client({ connectionString: site.pair.primaryUrl })
  await client.connect()
  const { rows: [segment] } = await client.query<{ readonly name: string }>("select pg_walfile_name(pg_switch_wal()) as name")
  await client.end()
  const deadline = performance.now() + 60_000
  while (!existsSync(join(site.folder, "archive", segment?.name ?? "")) && performance.now() < deadline) await pause(100)
}

/** Starts a server over the copy that reads the archive, and has the operator's command compare it with the kept checkpoints. */
const verifyCopy = async (site: SoakSite, from: string): Promise<string> => {
  writeFileSync(join(from, "data", "recovery.signal"), "")
  const settings = [`restore_command=cp "${join(site.folder, "archive")}/%f" "%p"`, "recovery_target_timeline=latest", "archive_mode=off", "fsync=off"]
  const scope = Scope.makeUnsafe()
  try {
    const starting = embeddedPostgres({ folder: from, password: site.far.settings.secrets.postgresPassword, settings }).pipe(Effect.provideService(Scope.Scope, scope))
    const { url } = await Effect.runPromise(starting)
    const client = new pg.Client({ connectionString: url("overa") })
    await client.connect()
    while ((await client.query<{ readonly recovering: boolean }>("select pg_is_in_recovery() as recovering")).rows[0]?.recovering === true) await pause(100)
    await client.end()
    return await site.admin(["backup", "verify", join(site.folder, "kept"), "--json"], { DATABASE_URL: url("overa") })
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** The archive of the log is what the scripts of `deploy/backup` make; only what this backup needs is kept of it. */
export const backUp: Disturbance = {
  name: "a back-up is restored elsewhere and verified",
  run: async (site) => {
    const to = join(site.folder, "base", String(Date.now()))
    await baseBackup(site, to)
    await pause(3_000)
    await site.admin(["backup", "keep", join(site.folder, "kept")])
    await archiveAll(site)
    const { kept, leaves } = JSON.parse(await verifyCopy(site, to)) as { readonly kept: ReadonlyArray<{ readonly verdict: string }>; readonly leaves: number }
    rmSync(to, { recursive: true, force: true })
    for (const name of readdirSync(join(site.folder, "archive"))) if (!name.endsWith(".history")) rmSync(join(site.folder, "archive", name))
    return `${leaves} transitions as they were sealed, ${kept.length} kept checkpoints ${[...new Set(kept.map(({ verdict }) => verdict))].join(", ")}`
  }
}
