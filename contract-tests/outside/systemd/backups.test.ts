import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { mintPlace } from "../../src/support/sampleOperations.ts"
import { registerOrganization } from "../../src/support/sealingStage.ts"
import { sellSealed } from "../../src/support/sellSealed.ts"
import { withClient } from "../../src/support/withClient.ts"
import { installRelease } from "./installRelease.ts"
import { blockOf, Machine } from "./Machine.ts"

const page = readFileSync("docs/operations/back-up-and-restore.md", "utf8")
const keys = { OVERA_SECRET_KEYS: `k1:${randomBytes(32).toString("base64")}`, OVERA_CREDENTIAL_KEY: randomBytes(32).toString("base64") }
const shop = mintPlace()
let machine: Machine

/** The machine's database, over its socket. */
const url = (): string => `postgres://postgres@localhost/overa?host=${machine.path("/run/postgresql")}`
const databaseUrl = "postgres://postgres@localhost/overa?host=/run/postgresql"

const admin = (...args: ReadonlyArray<string>) =>
  machine.do("runuser", "-u", "postgres", "--", "env", `DATABASE_URL=${databaseUrl}`, ...Object.entries(keys).map(([name, value]) => `${name}=${value}`),
    "/opt/overa/node/bin/node", "/opt/overa/current/deploy/overa.mjs", "admin", ...args)

const sell = (count: number) => sellSealed(url(), keys.OVERA_SECRET_KEYS, shop, count)

const archiveAll = async (): Promise<string> => {
  const segment = (await machine.do("runuser", "-u", "postgres", "--", "psql", "-Atc", "select pg_walfile_name(pg_switch_wal())")).trim()
  await vi.waitFor(async () => expect((await machine.try("ls", `/srv/backup/wal/${segment}`)).code).toBe(0), { timeout: 30_000, interval: 100 })
  return segment
}

beforeAll(async () => {
  machine = new Machine()
  installRelease(machine)
  for (const [name, value] of Object.entries(keys)) machine.write(`/etc/overa/credentials/${name}`, `${value}\n`, 0o600)
  await machine.boot()
  // Debian's own cluster, as its package makes it; nobody connects over the network, so that a second server of this computer is not in the way.
  await machine.paste(`if [ -z "$(pg_lsclusters -h)" ]; then pg_createcluster "$(ls /usr/lib/postgresql | sort -n | tail -n 1)" main; fi
conf=$(echo /etc/postgresql/*/main)
echo "listen_addresses = ''" >>"$conf/postgresql.conf"
echo "local all all trust" >"$conf/pg_hba.conf"
echo "local replication all trust" >>"$conf/pg_hba.conf"
systemctl start postgresql`)
  await vi.waitFor(async () => expect((await machine.try("runuser", "-u", "postgres", "--", "createdb", "overa")).code).toBe(0), { timeout: 30_000, interval: 500 })
  await admin("schema", "migrate")
  await withClient(url(), (client) => registerOrganization(client, shop.organizationId))
  await sell(3)
})
afterAll(() => machine?.remove())

describe("the timers of the back-up, set up by the commands of the page", () => {
  it("are scheduled each night, and the first base backup is taken at once", async () => {
    await machine.paste(blockOf(page, "Set it up"))
    expect((await machine.do("ls", "/srv/backup/base")).trim().split("\n")).toHaveLength(1)
    const timers = await machine.do("systemctl", "list-timers", "--no-pager", "--all")
    for (const name of ["overa-base-backup", "overa-verify-backup"]) {
      expect([name, await machine.property(`${name}.timer`, "ActiveState"), await machine.property(`${name}.service`, "Result"), timers.includes(`${name}.timer`)])
        .toEqual([name, "active", "success", true])
    }
  })

  it("what was sold since is archived, restored into a scratch server and compared with the kept checkpoints", async () => {
    await sell(2)
    await admin("backup", "keep", "/srv/backup/kept")
    await archiveAll()
    const started = await machine.try("systemctl", "start", "overa-verify-backup")
    expect([started.code, await machine.do("journalctl", "--no-pager", "--unit", "overa-verify-backup")]).toEqual([0, expect.stringContaining("CONTAINED")])
    expect([await machine.property("overa-verify-backup", "Result"), await machine.property("overa-verify-backup", "ExecMainStatus")]).toEqual(["success", "0"])
  })

  it("a lost segment makes the service fail, which an operator's monitoring sees", async () => {
    await sell(2)
    await admin("backup", "keep", "/srv/backup/kept")
    const segment = await archiveAll()
    await machine.do("mv", `/srv/backup/wal/${segment}`, "/srv/backup/lost")
    await machine.do("find", "/srv/backup/kept", "-type", "f", "-exec", "touch", "-d", "1 hour ago", "{}", ";")
    expect((await machine.try("systemctl", "start", "overa-verify-backup")).code).not.toBe(0)
    expect([await machine.property("overa-verify-backup", "ActiveState"), await machine.property("overa-verify-backup", "ExecMainStatus")]).toEqual(["failed", "3"])
    await machine.do("mv", "/srv/backup/lost", `/srv/backup/wal/${segment}`)
  })

  it("a new server is restored by the commands of the page: every sale is there", async () => {
    await machine.paste(blockOf(page, "Restore it"))
    await vi.waitFor(async () => expect((await machine.do("runuser", "-u", "postgres", "--", "psql", "-Atc", "select pg_is_in_recovery()")).trim()).toBe("f"), { timeout: 60_000, interval: 500 })
    expect((await machine.do("runuser", "-u", "postgres", "--", "psql", "-At", "overa", "-c", "select count(*) from operations")).trim()).toBe("7")
    expect(await admin("backup", "verify", "/srv/backup/kept")).toContain("CONTAINED")
  })
})
