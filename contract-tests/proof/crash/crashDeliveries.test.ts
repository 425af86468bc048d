import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { setTimeout as pause } from "node:timers/promises"
import { OveraClient } from "@overa/client"
import pg from "pg"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { identity, type MailPeer, mailPeer } from "../../../adapters/mail/test/support/mailPeer.ts"
import { CrashSite } from "./CrashSite.ts"
import { MortalProcess } from "./MortalProcess.ts"
import { Till } from "./Till.ts"
import { freePort } from "../../src/support/freePort.ts"

const workerEntry = fileURLToPath(new URL("../../../hosts/worker/src/main.ts", import.meta.url))
const patient = { timeout: 30_000, interval: 20 }

// The worker is the one of production, in a process of its own, and ends by SIGKILL. The mail server is a real one over TLS, in this process, so that
// it knows at which byte the worker is killed.
describe("the worker of production and a real mail server: no message is lost, and at most one comes a second time (Decisions §12)", () => {
  let site: CrashSite
  let peer: MailPeer
  let database: pg.Client
  let client: OveraClient
  let receipt: string
  let port: number
  const processes: Array<MortalProcess> = []
  /** How many copies of each message arrived until it was final. */
  const final = new Map<string, number>()

  const variables = () => {
    const file = join(site.home, "mail.pem")
    writeFileSync(file, identity.cert)
    return { ...site.variables("mail worker", port), OVERA_SMTP_URL: `smtps://localhost:${peer.port}`, OVERA_SMTP_CA_FILE: file }
  }
  const started = async (options: Parameters<typeof MortalProcess.start>[0]): Promise<MortalProcess> => {
    const running = await MortalProcess.start(options)
    processes.push(running)
    return running
  }
  /** The running worker, or a new one. */
  const worker = async (): Promise<MortalProcess> =>
    processes.slice(1).find(({ alive }) => alive) ?? await started({ role: "worker", entry: workerEntry, variables: variables() })

  const deliver = async (): Promise<string> => {
    const recipient = "kupac@example.rs"
    return (await client.deliver({ fiscalDocumentId: receipt, recipient }).send()).id
  }
  const stored = (id: string) => client.call("readReceiptDelivery", { path: { receiptDeliveryId: id } })
  const copiesOf = async (id: string): Promise<number> => {
    const ids = await Promise.all(peer.arrived.map(async (_, index) => (await peer.read(index)).messageId))
    return ids.filter((messageId) => messageId?.startsWith(`<${id}@`) === true).length
  }
  const isBeingHandedOver = async (id: string): Promise<boolean> => {
    const { rows } = await database.query("select handing_over_at is not null as marked from receipt_deliveries where delivery_id = $1", [id])
    return rows[0].marked
  }
  /** As if the killed worker's ten minutes, and every wait between attempts, were over. */
  const letClaimsEnd = () =>
    database.query("update receipt_deliveries set due_at = now(), claimed_until = case when claim is null then null else now() end where status = 'QUEUED'")
  const settledAs = async (id: string, status: string) => {
    await vi.waitUntil(async () => {
      await letClaimsEnd()
      return (await stored(id)).status !== "QUEUED"
    }, patient)
    expect((await stored(id)).status).toBe(status)
  }
  /** Kills a worker at the moment when the mail server has received that part of the message. */
  const dieWhen = async (moment: "atRecipient" | "atMessage") => {
    const dying = await worker()
    let reached = false
    peer.mood = {
      [moment]: async () => {
        reached = true
        await dying.kill()
      }
    }
    return { dying, reached: () => reached }
  }

  beforeAll(async () => {
    site = await CrashSite.open()
    port = await freePort()
    peer = await mailPeer({ secure: true })
    database = new pg.Client({ connectionString: site.settings.databaseUrl })
    await database.connect()
    await started({ role: "api", variables: { ...site.variables("mail api", port), OVERA_SMTP_URL: `smtps://localhost:${peer.port}` } })
    const { clientId, clientSecret } = site.seeded.sandbox
    const baseUrl = `http://127.0.0.1:${port}`
    const surroundings = { fetch, wait: () => Promise.resolve() }
    client = new OveraClient({ baseUrl, authUrl: `${baseUrl}/oauth/token`, clientId, clientSecret, surroundings })
    const till = new Till(baseUrl, site.seeded.sandbox, await site.anyLabel())
    receipt = (JSON.parse((await till.send(till.newSale())) ?? "{}") as { readonly id: string }).id
  }, 60_000)

  afterEach(() => {
    peer.mood = {}
  })

  afterAll(async () => {
    await Promise.all(processes.filter(({ alive }) => alive).map((running) => running.kill()))
    await database.end()
    await peer.close()
    await site.close()
  })

  it.each([
    { at: "atRecipient", says: "before the message: it goes once, by the next worker", before: 0, copies: 1 },
    {
      at: "atMessage",
      says: "when the server has the whole message and has not answered: one second copy, with the same Message-ID",
      before: 1,
      copies: 2
    }
  ] as const)("killed $says", async ({ at, before, copies }) => {
    const { dying, reached } = await dieWhen(at)
    const id = await deliver()
    await dying.ended
    expect([reached(), await isBeingHandedOver(id), await copiesOf(id)]).toEqual([true, true, before])
    peer.mood = {}
    await worker()
    await settledAs(id, "SENT")
    expect(await copiesOf(id)).toBe(copies)
    final.set(id, copies)
  }, 90_000)

  it("killed when the server has said yes and the result is not stored: one second copy, with the same Message-ID", async () => {
    const dying = await worker()
    const lock = new pg.Client({ connectionString: site.settings.databaseUrl })
    await lock.connect()
    let id = ""
    peer.mood = {
      atMessage: async () => {
        await lock.query("begin")
        await lock.query("select 1 from receipt_deliveries where delivery_id = $1 for update", [id])
      }
    }
    id = await deliver()
    await vi.waitUntil(async () => {
      const { rows } = await database.query("select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'update receipt_deliveries set status%'")
      return rows.length > 0
    }, patient)
    await dying.kill()
    // The killed worker's statement must end with its connection before the row is free again.
    await database.query("select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and query like 'update receipt_deliveries set status%'")
    await lock.query("rollback")
    await lock.end()
    expect(await stored(id)).toMatchObject({ status: "QUEUED", attempts: 0 })
    expect([await isBeingHandedOver(id), await copiesOf(id)]).toEqual([true, 1])
    peer.mood = {}
    await worker()
    await settledAs(id, "SENT")
    expect(await copiesOf(id)).toBe(2)
    final.set(id, 2)
  }, 90_000)

  it("killed when the result is stored: nothing is sent again", async () => {
    const dying = await worker()
    const id = await deliver()
    await vi.waitUntil(async () => (await stored(id)).status === "SENT", patient)
    await dying.kill()
    await worker()
    expect(await copiesOf(id)).toBe(1)
    final.set(id, 1)
  }, 90_000)

  it("killed twice at the same message: it is given up as uncertain, and no third copy goes", async () => {
    const id = await deliver()
    for (const copies of [1, 2]) {
      const { dying } = await dieWhen("atMessage")
      // The next worker notices the first crash; only then is the message due once more.
      await vi.waitUntil(async () => {
        await letClaimsEnd()
        return !dying.alive
      }, patient)
      expect(await copiesOf(id)).toBe(copies)
    }
    peer.mood = {}
    await worker()
    await settledAs(id, "FAILED")
    expect(await stored(id)).toMatchObject({ lastError: expect.stringContaining("the mail server may have it") })
    expect(await copiesOf(id)).toBe(2)
    final.set(id, 2)
  }, 120_000)

  it("while a worker dies with a message in its hands, receipts are issued as ever", async () => {
    const { dying } = await dieWhen("atMessage")
    const till = new Till(`http://127.0.0.1:${port}`, site.seeded.sandbox, await site.anyLabel())
    const id = await deliver()
    const sales = Array.from({ length: 20 }, () => till.newSale())
    await Promise.all(sales.map((sale) => till.send(sale)))
    await dying.ended
    expect(sales.map(({ status }) => status)).toEqual(sales.map(() => "FISCALIZED"))
    peer.mood = {}
    await worker()
    await settledAs(id, "SENT")
  }, 90_000)

  it("the same request many times at once is one delivery, and comes once", async () => {
    await worker()
    const asked = { fiscalDocumentId: receipt, recipient: "kupac@example.rs" }
    const { key } = client.deliver(asked)
    const answers = await Promise.all(Array.from({ length: 16 }, () => client.deliver(asked, key).send()))
    const ids = [...new Set(answers.map(({ id }) => id))]
    expect(ids).toHaveLength(1)
    for (const id of ids) await settledAs(id, "SENT")
    for (const id of ids) expect(await copiesOf(id)).toBe(1)
  }, 60_000)

  it("asked to stop, it finishes what it is handing over and gives the rest back at once", async () => {
    const stopping = await worker()
    let letThrough = (): void => undefined
    const held = new Promise<void>((resolve) => (letThrough = resolve))
    const before = peer.arrived.length
    peer.mood = { atMessage: () => held }
    const ids: Array<string> = []
    for (let message = 0; message < 12; message += 1) ids.push(await deliver())
    await vi.waitUntil(() => peer.arrived.length > before, patient)
    const stopped = stopping.stop()
    await pause(300)
    peer.mood = {}
    letThrough()
    await stopped
    const { rows } = await database.query("select status, claim, handing_over_at from receipt_deliveries where delivery_id = any ($1::uuid[])", [ids])
    expect(rows.filter(({ claim, handing_over_at: marked }) => claim !== null || marked !== null)).toEqual([])
    const sent = rows.filter(({ status }) => status === "SENT").length
    expect([sent >= 1 && sent <= 4, rows.filter(({ status }) => status === "QUEUED").length]).toEqual([true, 12 - sent])
    await worker()
    for (const id of ids) await vi.waitUntil(async () => (await stored(id)).status === "SENT", patient)
    for (const id of ids) expect(await copiesOf(id)).toBe(1)
  }, 90_000)

  it("and of what was settled nothing comes again", async () => {
    await worker()
    await letClaimsEnd()
    // Passes of the worker, counted by the messages sent in them.
    for (let pass = 0; pass < 2; pass += 1) await settledAs(await deliver(), "SENT")
    for (const [id, copies] of final) expect(await copiesOf(id)).toBe(copies)
    expect(final.size).toBe(5)
    // In every case no log contains an address, nor do the transport's state and the attention list.
    const { rows } = await database.query("select detail from mail_transport union all select detail from attention")
    const said = [...processes.map(({ log }) => log), JSON.stringify(rows)].join("\n")
    expect(said).toContain("\"event\":\"running\"")
    expect(said).not.toMatch(/kupac|example\.rs/i)
  }, 90_000)

  it("while the mail server is gone callers are told and nothing is queued; what was queued goes when it is back, at no cost of attempts", async () => {
    await worker()
    await peer.close()
    const id = await deliver()
    await vi.waitUntil(async () => {
      await database.query("update mail_transport set try_at = now()")
      await letClaimsEnd()
      return (await database.query("select 1 from mail_transport where failures >= 5")).rows.length > 0
    }, { timeout: 60_000, interval: 200 })
    const queued = async () => (await database.query("select count(*)::int as count from receipt_deliveries")).rows[0].count
    const before = await queued()
    await expect(deliver()).rejects.toMatchObject({ code: "RECEIPT_DELIVERY_UNAVAILABLE" })
    expect(await queued()).toBe(before)
    const till = new Till(`http://127.0.0.1:${port}`, site.seeded.sandbox, await site.anyLabel())
    const sale = till.newSale()
    await till.send(sale)
    expect(sale.status).toBe("FISCALIZED")
    peer = await mailPeer({ secure: true }, "127.0.0.1", peer.port)
    await database.query("update mail_transport set try_at = now()")
    await settledAs(id, "SENT")
    expect(await stored(id)).toMatchObject({ attempts: 1, lastError: null })
    await vi.waitUntil(async () => (await database.query("select 1 from mail_transport where failures = 0")).rows.length > 0, patient)
    await settledAs(await deliver(), "SENT")
  }, 120_000)
})
