/**
 * A back-up of many receipts by the scripts of deploy/backup, restored into a server of its own and verified, with the time of each step.
 *
 *     node --conditions=@overa/source bench/restore.ts [documents, 1000000 if left out] [transitions sealed in the log, all if left out]
 *
 * It needs Debian's PostgreSQL (`apt-get install postgresql`), and for a million documents some 30 GB of disk; everything is removed at the end.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { tmpdir } from "node:os"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { layerDatabase, layerJournalSealer, layerOperationStore, makeSecrets, migrate } from "@overa/adapter-postgres"
import { runAdmin } from "@overa/admin"
import { JournalSealer } from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import pg from "pg"
import { freePort } from "../contract-tests/src/support/freePort.ts"
import { installedPostgres } from "../contract-tests/src/support/installedPostgres.ts"
import { multiplyDocuments, storePatterns } from "../contract-tests/src/support/manyDocuments.ts"
import { mintPlace } from "../contract-tests/src/support/sampleOperations.ts"

const documents = Number(process.argv[2] ?? 1_000_000)
/** With fewer, the rest is restored but not compared: nothing in the log speaks of it yet. */
const mostSealed = Number(process.argv[3] ?? Infinity)
const leavesAtOnce = 8_000
/** Sold after the base backup, so that the restore has segments to replay. */
const afterwards = Math.ceil(documents / 100)

const installed = installedPostgres()
const bin = installed === undefined ? "" : dirname(installed.initdb)
const repository = fileURLToPath(new URL("..", import.meta.url))
const script = (name: string): string => join(repository, "deploy/backup", name)
const home = mkdtempSync(join(tmpdir(), "overa-restore-bench-"))
const [data, archive, backups, kept, scratch] = ["data", "archive", "base", "kept", "scratch"].map((name) => join(home, name)) as [string, string, string, string, string]
const keys = { OVERA_SECRET_KEYS: `k1:${randomBytes(32).toString("base64")}`, OVERA_CREDENTIAL_KEY: randomBytes(32).toString("base64") }

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** PostgreSQL never runs as root: root hands its commands to the account that Debian's package made. */
const asPostgres = process.getuid?.() === 0 ? ["/usr/sbin/runuser", "-u", "postgres", "--"] : []
const run = (command: ReadonlyArray<string>, variables: Readonly<Record<string, string>> = {}): string => {
  const [program = "", ...args] = [...asPostgres, "env", ...Object.entries(variables).map(([name, value]) => `${name}=${value}`), ...command]
  const { status, stderr, stdout } = spawnSync(program, args, { encoding: "utf8", cwd: "/", env: { PATH: `${bin}:${join(process.execPath, "..")}:/usr/bin:/bin` } })
  if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}: ${stderr}`)
  return stdout
}

const timed = async <A>(step: string, work: () => A | Promise<A>): Promise<A> => {
  const from = performance.now()
  const value = await work()
  say(`${((performance.now() - from) / 1_000).toFixed(1).padStart(8)} s  ${step}`)
  return value
}

const sizeOf = (folder: string): string => `${(Number(execFileSync("du", ["-sm", folder], { encoding: "utf8" }).split("\t")[0]) / 1_024).toFixed(1)} GB`

const configure = (folder: string, lines: ReadonlyArray<string>): string => run(["sh", "-c", `cat >> ${folder}/postgresql.auto.conf <<'END'\n${lines.join("\n")}\nEND`])

const pgCtl = (folder: string, ...args: ReadonlyArray<string>): string =>
  run([join(bin, "pg_ctl"), "--pgdata", folder, "--log", `${folder}.log`, "--wait", "--timeout=3600", ...args])

const ports = { live: await freePort(), restored: await freePort() }
const urlOn = (port: number, name = "overa"): string => `postgres://overa@127.0.0.1:${port}/${name}`

try {
  if (installed === undefined) throw new Error("PostgreSQL's server programs are not installed: apt-get install postgresql")
  for (const folder of [home, archive, backups, kept]) {
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o777)
  }
  run([join(bin, "initdb"), "--pgdata", data, "--username", "overa", "--auth", "trust", "--encoding", "UTF8", "--locale", "C"])
  configure(data, [`port = ${ports.live}`, "listen_addresses = '127.0.0.1'", `unix_socket_directories = '${home}'`, "max_wal_size = '4GB'", "archive_mode = on",
    `archive_command = '${script("archive-wal.sh")} "%p" "%f" ${archive}'`])
  pgCtl(data, "start")
  const making = new pg.Client({ connectionString: urlOn(ports.live, "postgres") })
  await making.connect()
  await making.query("create database overa")
  await making.end()
  const url = urlOn(ports.live)
  const database = layerDatabase({ url: Redacted.make(url), applicationName: "bench", statementTimeoutMillis: 600_000 })
  const runtime = ManagedRuntime.make(Layer.mergeAll(layerOperationStore, layerJournalSealer(Result.getOrThrow(makeSecrets(Redacted.make(keys.OVERA_SECRET_KEYS))))).pipe(Layer.provideMerge(database)))
  await runtime.runPromise(migrate())
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const [pattern, laterPattern, shop] = [mintPlace(), mintPlace(), mintPlace()]
  for (const { organizationId } of [pattern, laterPattern, shop]) await client.query("insert into organizations values ($1, 'Продавница', now())", [organizationId])
  let sealed = 0
  const sealAll = async (): Promise<void> => {
    const seal = Effect.flatMap(Effect.service(JournalSealer), (sealer) => sealer.seal({ limit: leavesAtOnce }))
    for (let added = 1; added > 0 && sealed < mostSealed; sealed += added) added = (await runtime.runPromise(seal)).added
  }
  const admin = async (environment: string, ...args: ReadonlyArray<string>): Promise<string> => {
    let said = ""
    const write = (text: string): void => void (said += text)
    const code = await runAdmin(args, { environment: { DATABASE_URL: environment, ...keys }, write, writeError: write, nextLine: () => Promise.resolve(null), ask: null, userName: "bench" })
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${said}`)
    return said
  }
  await runtime.runPromise(storePatterns(pattern))
  await timed(`${documents} documents made by the server from 400 that the real path stored`, () => multiplyDocuments(client, pattern, shop, { count: documents, days: 365 }))
  await timed("their transitions sealed in the log", sealAll)
  say(`            ${sealed} transitions are in the log`)
  say(`            the database is ${sizeOf(data)}`)
  await timed("base backup, with its manifest verified (base-backup.sh)", () => run([script("base-backup.sh"), archive, backups, "2"], { PGHOST: "127.0.0.1", PGPORT: String(ports.live), PGUSER: "overa" }))
  await timed(`${afterwards} more documents`, async () => {
    // Patterns of their own: those of before are sealed, and so would their copies be.
    await runtime.runPromise(storePatterns(laterPattern))
    await multiplyDocuments(client, laterPattern, shop, { count: afterwards, days: 1 })
    await sealAll()
  })
  await timed("checkpoints kept (admin backup keep)", () => admin(url, "backup", "keep", kept))
  await timed("the last segment archived", async () => {
    const { rows: [segment] } = await client.query<{ readonly name: string }>("select pg_walfile_name(pg_switch_wal()) as name")
    while (!existsSync(join(archive, segment?.name ?? ""))) await pause(100)
  })
  await client.end()
  await runtime.dispose()
  pgCtl(data, "--mode", "immediate", "stop")
  rmSync(data, { recursive: true })
  say(`            the server is lost; the archive is ${sizeOf(archive)}, the base backup ${sizeOf(backups)}`)
  await timed("the base backup copied to the new server", () => run(["cp", "-R", join(backups, readdirSync(backups).sort().at(-1) ?? ""), scratch]))
  await timed("started, and the archived segments replayed", () => {
    run(["chmod", "700", scratch])
    run(["touch", join(scratch, "recovery.signal")])
    configure(scratch, [`port = ${ports.restored}`, `restore_command = 'cp "${archive}/%f" "%p"'`, "archive_mode = off"])
    pgCtl(scratch, "start")
  })
  const restored = new pg.Client({ connectionString: urlOn(ports.restored) })
  await restored.connect()
  await timed("until it accepts writes", async () => {
    while ((await restored.query<{ readonly recovering: boolean }>("select pg_is_in_recovery() as recovering")).rows[0]?.recovering === true) await pause(100)
  })
  const { rows: [count] } = await restored.query<{ readonly count: string }>("select count(*) as count from operations")
  await restored.end()
  const said = await timed("compared with the kept checkpoints (admin backup verify)", () => admin(urlOn(ports.restored), "backup", "verify", kept))
  say(`            ${count?.count} documents restored\n${said}`)
} finally {
  for (const folder of [data, scratch]) if (existsSync(join(folder, "postmaster.pid"))) pgCtl(folder, "--mode", "immediate", "stop")
  rmSync(home, { recursive: true, force: true })
}
