import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { layerDatabase, migrate } from "@overa/adapter-postgres"
import { runAdmin } from "@overa/admin"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { byHand } from "../../src/support/byHand.ts"
import { freePort } from "../../src/support/freePort.ts"
import { mintPlace } from "../../src/support/sampleOperations.ts"
import { installedPostgres } from "../../src/support/installedPostgres.ts"
import { registerOrganization } from "../../src/support/sealingStage.ts"
import { sellSealed } from "../../src/support/sellSealed.ts"
import { withClient } from "../../src/support/withClient.ts"

const installed = installedPostgres()
const bin = installed === undefined ? "" : dirname(installed.initdb)
const repository = fileURLToPath(new URL("../../..", import.meta.url))
const script = (name: string) => join(repository, "deploy/backup", name)
const node = process.execPath

/** PostgreSQL never runs as root: root hands its commands to the account that Debian's package made. */
const asPostgres = process.getuid?.() === 0 ? ["/usr/sbin/runuser", "-u", "postgres", "--"] : []

const run = (command: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) => {
  const [program = "", ...args] = [...asPostgres, "env", ...Object.entries(environment).map(([name, value]) => `${name}=${value}`), ...command]
  const { error, status, stderr, stdout } = spawnSync(program, args, { encoding: "utf8", cwd: "/", env: { PATH: `${bin}:${join(node, "..")}:/usr/bin:/bin` } })
  if (error !== undefined) throw error
  return { code: status, out: stdout, err: stderr }
}

const succeed = (command: ReadonlyArray<string>, environment?: Readonly<Record<string, string>>): string => {
  const { code, err, out } = run(command, environment)
  expect([command.join(" "), code, err]).toEqual([command.join(" "), 0, expect.anything()])
  return out
}

const home = mkdtempSync(join(tmpdir(), "overa-backup-"))
const [data, archive, backups, kept] = ["data", "archive", "base", "kept"].map((name) => join(home, name)) as [string, string, string, string]
const shop = mintPlace()
const keys = { OVERA_SECRET_KEYS: `k1:${randomBytes(32).toString("base64")}`, OVERA_CREDENTIAL_KEY: randomBytes(32).toString("base64") }
let url = ""

const sell = (count: number) => sellSealed(url, keys.OVERA_SECRET_KEYS, shop, count)

const keep = async () => {
  let said = ""
  const write = (text: string) => void (said += text)
  const surroundings = { environment: { DATABASE_URL: url, ...keys }, write, writeError: write, nextLine: () => Promise.resolve(null), ask: null, userName: "test" }
  expect([await runAdmin(["backup", "keep", kept], surroundings), said]).toEqual([0, "1 checkpoints kept.\n"])
}

/** The present segment goes to the archive, and so does everything before it. */
const archiveAll = async () => {
  const segment = await withClient(url, async (client) => (await client.query<{ readonly name: string }>("select pg_walfile_name(pg_switch_wal()) as name")).rows[0]?.name ?? "")
  for (let tries = 0; tries < 300 && !existsSync(join(archive, segment)); tries += 1) await new Promise((resolve) => setTimeout(resolve, 100))
  expect(readdirSync(archive)).toContain(segment)
  return segment
}

const verify = (...options: ReadonlyArray<string>) =>
  run([script("verify-backup.sh"), archive, backups, kept, "--json", ...options], {
    OVERA_ADMIN: `${node} --conditions=@overa/source ${join(repository, "hosts/admin/src/main.ts")}`, ...keys
  })
const verdictOf = ({ out }: { readonly out: string }) => {
  const { findings, isFine, kept: compared } = JSON.parse(out) as { readonly findings: number; readonly isFine: boolean; readonly kept: ReadonlyArray<{ readonly verdict: string; readonly missing: number }> }
  return { findings, isFine, kept: compared.map(({ missing, verdict }) => [verdict, missing]) }
}

beforeAll(async () => {
  if (installed === undefined) throw new Error("PostgreSQL's server programs are not installed: apt-get install postgresql")
  for (const folder of [archive, backups, kept]) mkdirSync(folder)
  for (const folder of [home, archive, backups, kept]) chmodSync(folder, 0o777)
  const port = await freePort()
  succeed([join(bin, "initdb"), "--pgdata", data, "--username", "overa", "--auth", "trust", "--encoding", "UTF8", "--locale", "C"])
  const settings = [`port = ${port}`, "listen_addresses = '127.0.0.1'", `unix_socket_directories = '${home}'`, "archive_mode = on",
    `archive_command = '${script("archive-wal.sh")} "%p" "%f" ${archive}'`]
  succeed(["sh", "-c", `cat >> ${data}/postgresql.conf <<'END'\n${settings.join("\n")}\nEND`])
  succeed([join(bin, "pg_ctl"), "--pgdata", data, "--log", join(home, "log"), "--wait", "start"])
  url = `postgres://overa@127.0.0.1:${port}/postgres`
  await withClient(url, (client) => client.query("create database overa"))
  url = `postgres://overa@127.0.0.1:${port}/overa`
  await Effect.runPromise(Effect.provide(migrate(), layerDatabase({ url: Redacted.make(url), applicationName: "migrate" })))
  await withClient(url, (client) => registerOrganization(client, shop.organizationId))
  await sell(3)
  succeed([script("base-backup.sh"), archive, backups, "2"], { PGHOST: "127.0.0.1", PGPORT: String(port), PGUSER: "overa" })
})
afterAll(() => {
  run([join(bin, "pg_ctl"), "--pgdata", data, "--mode", "immediate", "stop"])
  rmSync(home, { recursive: true, force: true })
})

describe("the back-up's scripts", () => {
  it("what was sold after the base backup comes back from the archived segments, and nothing is left running", async () => {
    await sell(2)
    await keep()
    await archiveAll()
    const answer = verify()
    expect([answer.code, verdictOf(answer)]).toEqual([0, { findings: 0, isFine: true, kept: [["CONTAINED", 0]] }])
    expect(succeed(["sh", "-c", "pgrep -fc 'postgres .*/tmp/tmp[.]' || true"]).trim()).toBe("0")
  })

  it("a segment is archived once: the same bytes again are success, other bytes are refused", () => {
    const [name = ""] = readdirSync(archive).filter((file) => /^[0-9A-F]{24}$/.test(file))
    const [same, other] = [join(home, "same"), join(home, "other")]
    writeFileSync(same, readFileSync(join(archive, name)))
    writeFileSync(other, "something else")
    chmodSync(same, 0o644)
    expect(run([script("archive-wal.sh"), same, name, archive]).code).toBe(0)
    expect(run([script("archive-wal.sh"), other, name, archive]).code).not.toBe(0)
    expect(readFileSync(join(archive, name)).equals(readFileSync(same))).toBe(true)
  })

  it("a lost segment is found by the kept checkpoint", async () => {
    await sell(2)
    await keep()
    const segment = await archiveAll()
    rmSync(join(archive, segment))
    const hourAgo = new Date(Date.now() - 3_600_000)
    for (const name of readdirSync(kept)) utimesSync(join(kept, name), hourAgo, hourAgo)
    const answer = verify("--may-lack", "30")
    expect([answer.code, verdictOf(answer)]).toEqual([3, { findings: 0, isFine: false, kept: [["AHEAD", 8]] }])
  })

  it("a row that was changed by hand is a finding, and a damaged base backup is not restored", async () => {
    await withClient(url, (client) => byHand(client, "operations", "update operations set content = replace(content, 'ком', 'кос')"))
    const port = new URL(url).port
    succeed([script("base-backup.sh"), archive, backups, "2"], { PGHOST: "127.0.0.1", PGPORT: port, PGUSER: "overa" })
    await archiveAll()
    const changed = verify()
    expect([changed.code, verdictOf(changed).findings > 0]).toEqual([3, true])
    const newest = readdirSync(backups).sort().at(-1) ?? ""
    writeFileSync(join(backups, newest, "PG_VERSION"), "0\n")
    const damaged = verify()
    expect([damaged.code === 0, damaged.out]).toEqual([false, ""])
    expect(damaged.err).toContain("PG_VERSION")
  })

  it("only as many base backups are kept as asked, and segments that only the removed ones need are removed", async () => {
    const before = readdirSync(archive).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort()
    await sell(1)
    const port = new URL(url).port
    succeed([script("base-backup.sh"), archive, backups, "1"], { PGHOST: "127.0.0.1", PGPORT: port, PGUSER: "overa" })
    expect(readdirSync(backups)).toHaveLength(1)
    await archiveAll()
    expect(readdirSync(archive)).not.toContain(before[0])
    await keep()
    expect(verdictOf(verify()).kept).toEqual([["CONTAINED", 0]])
  })
})
