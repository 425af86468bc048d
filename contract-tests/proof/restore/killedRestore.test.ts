import { spawn } from "node:child_process"
import { once } from "node:events"
import { randomUUID } from "node:crypto"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { CrashPoint } from "../crash/CrashPoint.ts"
import { MortalProcess } from "../crash/MortalProcess.ts"
import { cashRefund, type Pair } from "./madeDocuments.ts"
import { inFlightRow, RestoredShop } from "../../src/support/RestoredShop.ts"
import { snapshotDatabase } from "./snapshotDatabase.ts"
import { type ThrowawayDatabase, throwawayDatabase } from "../../src/support/throwawayDatabase.ts"

const mortalAdmin = fileURLToPath(new URL("../crash/mortalAdmin.ts", import.meta.url))

let shop: RestoredShop
let pair: Pair
let kept: string
let atThePoint: ThrowawayDatabase
const databases: Array<ThrowawayDatabase> = []

/** A database of its own, as it is after the first commands. */
const copyOf = async (database: ThrowawayDatabase): Promise<ThrowawayDatabase> => {
  const copy = await throwawayDatabase({ copyOf: database })
  databases.push(copy)
  return copy
}

/** Runs the operator's command in a process of its own, which is killed at its `hit`-th message to the database; 0 for never. */
const run = async (database: ThrowawayDatabase, args: ReadonlyArray<string>, hit: number) => {
  const child = spawn(process.execPath, ["--conditions=@overa/source", mortalAdmin, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...shop.installation.desk.environment, DATABASE_URL: database.url, CRASH_HIT: String(hit) }
  })
  let [out, err] = ["", ""]
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()))
  await once(child, "close")
  return { code: child.exitCode, out, err, messages: Number(/^given (\d+)$/m.exec(err)?.[1] ?? "0") }
}

/** Runs the command in this process, to its end. */
const whole = (database: ThrowawayDatabase, args: ReadonlyArray<string>) => shop.installation.desk.admin(args, { environment: { DATABASE_URL: database.url } })

const commands = {
  begin: () => ["restore", "begin", "--since", "2026-01-01", "--reason", "test"],
  takeBack: () => ["restore", "take-back", shop.installation.shop.organizationId, kept, "--environment", "sandbox", "--reason", "test"],
  end: () => ["restore", "end", "--reason", "test", "--yes"]
} as const

const parts = [
  `select o.operation_id, o.environment, o.key_role, o.key, o.status, o.attempt, o.revision, o.next_check_at is not null as due, o.request_id,
    array(select concat_ws(' ', a.number, a.request_id, a.outcome) from attempts a
      where a.organization_id = o.organization_id and a.operation_id = o.operation_id order by a.number) as attempts from operations o order by o.operation_id`,
  "select key, request_id from kept_attempts order by 1, 2",
  "select key, document_id, held from kept_keys order by 1",
  "select operation_id, kind, detail from attention order by 1, 2, 3",
  "select act, subject, count(*)::int from activity_log where act not in ('restore begun', 'restore ended') group by 1, 2 order by 1, 2",
  "select act, count(*)::int from activity_log where act in ('restore begun', 'restore ended') group by 1 order by 1",
  "select environment, restoring_since is not null as restoring, restored_at is not null as restored from environment_settings order by 1"
]

/** Everything that the commands store. */
const stateOf = async (database: ThrowawayDatabase): Promise<ReadonlyArray<unknown>> => {
  const client = await database.client()
  try {
    const state: Array<unknown> = []
    for (const sql of parts) state.push((await client.query(sql)).rows)
    return state
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  shop = await RestoredShop.open()
  pair = await cashRefund(shop)
  const [proven, answered] = [(await shop.sell(`proven-${randomUUID()}`)).json, (await shop.sell(`answered-${randomUUID()}`)).json]
  const later = await shop.saleSignedAfterThePoint()
  const proof = await shop.proofOf(proven.id)
  await shop.installation.stopHosts()
  await pair.toThePoint()
  await shop.restore(later.document.id, inFlightRow(later.row))
  for (const { id } of [proven, answered]) await shop.forget(id)
  kept = shop.installation.desk.file("kept.json", JSON.stringify([{ ...proof, journal: null }, answered, later.proof, pair.made, pair.first]))
  atThePoint = await snapshotDatabase(shop.installation.desk.database.url)
  databases.push(atThePoint)
}, 120_000)
afterAll(async () => {
  for (const database of databases) await database.drop()
  await shop.close()
})

describe("An operator's command that is killed at each of its messages to the database", () => {
  it.each([
    ["restore begin", "begin", []],
    ["restore take-back", "takeBack", ["begin"]],
    ["restore end", "end", ["begin", "takeBack"]]
  ] as const)("`%s` has stored everything or nothing of each act, and ends in the same state when it is repeated", async (_what, name, before) => {
    const point = await copyOf(atThePoint)
    for (const earlier of before) expect((await whole(point, commands[earlier]())).code).toBe(0)
    const unkilled = await copyOf(point)
    const { code, messages } = await run(unkilled, commands[name](), 0)
    expect([code, messages > 5]).toEqual([0, true])
    const expected = await stateOf(unkilled)
    expect(expected).not.toEqual(await stateOf(point))
    let killed = 0
    for (let hit = 1; hit <= messages; hit++) {
      const database = await copyOf(point)
      const { code: died } = await run(database, commands[name](), hit)
      if (died === null) killed += 1
      const repeated = await whole(database, commands[name]())
      // What was committed before the end is said to be done already.
      expect([0, 2], `killed at ${hit}: ${repeated.err}`).toContain(repeated.code)
      expect(await stateOf(database), `killed at ${hit} of ${messages}`).toEqual(expected)
      await database.drop()
      databases.splice(databases.indexOf(database), 1)
    }
    expect(killed).toBeGreaterThan(5)
  }, 600_000)
})

describe("A worker that is killed while it finds what a restore lost", () => {
  const startWorker = (database: ThrowawayDatabase, point?: CrashPoint, hit?: number) =>
    MortalProcess.start({
      role: "worker",
      variables: { ...shop.installation.desk.environment, DATABASE_URL: database.url, OVERA_HOST_ID: "mortal", OVERA_WORKER_ID: "mortal" },
      ...(point === undefined ? {} : { point }), ...(hit === undefined ? {} : { hit })
    })
  const receiptsOf = async (database: ThrowawayDatabase): Promise<ReadonlyArray<string>> => {
    const client = await database.client()
    try {
      const { rows } = await client.query<{ readonly number: string }>("select invoice_number as number from operations where operation_id = any ($1::uuid[]) and status = 'FISCALIZED' order by 1", [
        [pair.first.document.id, pair.made.document.id]
      ])
      return rows.map(({ number }) => number)
    } finally {
      await client.end()
    }
  }

  const steps: ReadonlyArray<readonly [point: CrashPoint, hit: number]> = [
    ["afterClaim", 1], ["afterClaim", 2], ["beforeSecondCommit", 1], ["afterSecondCommit", 1], ["beforeSecondCommit", 2], ["afterSecondCommit", 2]
  ]
  const deaths: ReadonlyArray<readonly [how: string, point: CrashPoint, hit: number]> = [
    ...steps.map(([point, hit]) => ["with the copy's proof", point, hit] as const),
    ...steps.map(([point, hit]) => ["without a proof", point, hit] as const),
    ["without a proof", "beforeSending", 1],
    ["without a proof", "afterMarkedSent", 1]
  ]

  it.each(deaths)("%s, at %s, time %i: the next one finds the same receipts, and nothing is signed", async (how, point, hit) => {
    const database = await copyOf(atThePoint)
    const expected = [pair.first, pair.made].map(({ document }) => document.pfr.invoiceNumber).toSorted()
    const signed = await shop.signed()
    for (const name of how === "without a proof" ? ["begin", "end"] as const : ["begin", "takeBack"] as const) expect((await whole(database, commands[name]())).code).toBe(0)
    const dying = await startWorker(database, point, hit)
    await dying.ended
    const next = await startWorker(database)
    await expect.poll(() => receiptsOf(database), { timeout: 60_000, interval: 250 }).toEqual(expected)
    await next.kill()
    expect(await shop.signed()).toBe(signed)
  }, 120_000)
})
