import { layerDatabase, layerJournalSealer, layerOperationStore, makeSecrets } from "@overa/adapter-postgres"
import { JournalSealer } from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { byHand } from "../src/support/byHand.ts"
import { type OperatorDesk, operatorDesk } from "../src/support/operatorDesk.ts"
import { mintPlace } from "../src/support/sampleOperations.ts"
import { issued, registerOrganization } from "../src/support/sealingStage.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let desk: OperatorDesk
/** The database as it was when the back-up was taken. */
let restored: ThrowawayDatabase
const kept = mkdtempSync(join(tmpdir(), "overa-kept-"))
const [shop, later] = [mintPlace(), mintPlace()]

/** Sells and seals; the connections are closed, because a database with connections cannot be copied. */
const sell = async (place: typeof shop, count: number) => {
  const secrets = Result.getOrThrow(makeSecrets(Redacted.make(desk.environment["OVERA_SECRET_KEYS"] ?? "")))
  const worker = ManagedRuntime.make(
    Layer.mergeAll(layerJournalSealer(secrets), layerOperationStore).pipe(
      Layer.provide(layerDatabase({ url: Redacted.make(desk.database.url), applicationName: "worker" }))
    )
  )
  const operations = await worker.runPromise(Effect.gen(function*() {
    const sold = yield* Effect.forEach(Array.from({ length: count }), () => issued(place))
    yield* (yield* JournalSealer).seal({ limit: 1_000 })
    return sold
  }))
  await worker.dispose()
  return operations
}

beforeAll(async () => {
  desk = await operatorDesk()
  const client = await desk.database.client()
  for (const { organizationId } of [shop, later]) await registerOrganization(client, organizationId)
  await client.end()
})
afterAll(async () => {
  await restored.drop()
  await desk.close()
  rmSync(kept, { recursive: true })
})

const keep = () => desk.admin(["backup", "keep", kept, "--json"])
const verify = (...options: ReadonlyArray<string>) =>
  desk.admin(["backup", "verify", kept, "--json", ...options], { environment: { ...desk.environment, DATABASE_URL: restored.url } })
const keptFile = (of: typeof shop) => join(kept, readdirSync(kept).find((name) => name.startsWith(of.organizationId)) ?? "none")
const verdicts = (answer: { readonly json: { readonly kept?: unknown } }) =>
  (answer.json.kept as ReadonlyArray<{ readonly file: string; readonly verdict: string; readonly missing: number }>).map(({ file, missing, verdict }) => [file.startsWith(kept), verdict, missing])

describe("`admin backup`", () => {
  it("a back-up that holds every kept checkpoint ends with 0, and its newest receipt is named", async () => {
    const sold = await sell(shop, 3)
    expect((await keep()).code).toBe(0)
    await sell(shop, 1)
    restored = await throwawayDatabase({ copyOf: desk.database })
    const answer = await verify()
    expect([answer.code, answer.err]).toEqual([0, ""])
    expect(verdicts(answer)).toEqual([[true, "CONTAINED", 0]])
    expect(answer.json).toMatchObject({ isFine: true, findings: 0, newest: { pfrNumber: expect.any(String) as string } })
    expect(sold.map(({ id }) => id)).not.toContain((answer.json.newest as { readonly id: string }).id)
  })

  it("an empty folder proves nothing and ends with 3; one that cannot be read is named", async () => {
    const empty = mkdtempSync(join(tmpdir(), "overa-kept-"))
    const answer = await desk.admin(["backup", "verify", empty, "--json"])
    expect([answer.code, answer.json.isFine]).toEqual([3, false])
    const none = await desk.admin(["backup", "verify", join(empty, "none")])
    expect([none.code, none.err]).toEqual([2, `The folder ${join(empty, "none")} cannot be read.\n`])
    rmSync(empty, { recursive: true })
  })

  it("transitions after the back-up are missing: allowed for a while, a finding after it", async () => {
    await sell(shop, 2)
    await sell(later, 1)
    expect((await keep()).code).toBe(0)
    const soon = await verify("--may-lack", "30")
    expect([soon.code, verdicts(soon).toSorted()]).toEqual([3, [[true, "AHEAD", 8], [true, "NO_SUCH_LOG", 0]]])
    rmSync(keptFile(later))
    expect((await verify("--may-lack", "30")).code).toBe(0)
    const hourAgo = new Date(Date.now() - 3_600_000)
    utimesSync(keptFile(shop), hourAgo, hourAgo)
    const late = await verify("--may-lack", "30")
    expect([late.code, verdicts(late)]).toEqual([3, [[true, "AHEAD", 8]]])
  })

  it("a kept checkpoint that the log no longer contains stays kept, and `keep` ends with 3", async () => {
    const before = readFileSync(keptFile(shop), "utf8")
    const rolledBack = await desk.admin(["backup", "keep", kept, "--json"], { environment: { ...desk.environment, DATABASE_URL: restored.url } })
    expect([rolledBack.code, rolledBack.json.kept]).toMatchObject([3, [{ kept: false, verdict: "AHEAD", missing: 8 }]])
    expect(readFileSync(keptFile(shop), "utf8")).toBe(before)
  })

  it("a changed row, a changed file and a stranger's file are findings", async () => {
    const client = await restored.client()
    await byHand(client, "operations", "update operations set content = replace(content, 'ком', 'кос') where organization_id = $1", [shop.organizationId])
    const changed = await verify("--may-lack", "100000")
    expect([changed.code, changed.json.isFine]).toEqual([3, false])
    expect(changed.json.findings).toBeGreaterThan(0)
    writeFileSync(keptFile(shop), readFileSync(keptFile(shop), "utf8").replace(/\n\d+\n/, "\n1\n"))
    writeFileSync(join(kept, "other.checkpoint"), "hello")
    expect(verdicts(await verify()).toSorted()).toEqual([[true, "NO_CHECKPOINT", 0], [true, "UNSIGNED", 0]])
  })
})
