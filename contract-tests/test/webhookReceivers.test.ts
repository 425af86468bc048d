import { layerWebhookKeys, signatureHeader } from "@overa/adapter-webhooks"
import { WebhookKeys, type WebhookSecret, type WebhookSignature } from "@overa/domain"
import { Effect, Redacted } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { blocksOf } from "../outside/guides/guidePage.ts"
import { freePort } from "../src/support/freePort.ts"

const root = join(import.meta.dirname, "../..")
const blocks = blocksOf(readFileSync(join(root, "docs/guides/events.md"), "utf8"))

const languages = {
  ts: { file: "receiver.ts", command: (file: string) => [process.execPath, "--conditions=@overa/source", file] },
  php: { file: "receiver.php", command: (file: string, port: number) => ["php", "-S", `127.0.0.1:${port}`, file] },
  python: { file: "receiver.py", command: (file: string) => ["python3", "-B", file] }
} as const
type Language = keyof typeof languages

const make = (signature: WebhookSignature): Promise<WebhookSecret> =>
  Effect.runPromise(Effect.provide(Effect.flatMap(WebhookKeys, (keys) => keys.make(signature)), layerWebhookKeys))

describe.each(Object.keys(languages) as ReadonlyArray<Language>)("The receiver of webhooks in %s", (language) => {
  const folder = mkdtempSync(join(tmpdir(), "overa-receiver-"))
  const { command, file } = languages[language]
  const body = JSON.stringify({ id: "evt_1", sequence: 7, type: "document.found", data: { clientReference: "порџбина", amount: 99.99 } })
  let receiver: ChildProcess
  let url: string
  let secret: WebhookSecret
  let other: WebhookSecret

  beforeAll(async () => {
    ;[secret, other] = [await make("v1"), await make("v1")]
    // The last program of the page: the one before it asks for events.
    writeFileSync(join(folder, file), blocks.findLast((block) => block.language === language)?.code ?? "")
    for (const name of ["php/Overa.php", "python/overa.py"]) copyFileSync(join(root, "docs/examples", name), join(folder, name.replace(/.*\//, "")))
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    mkdirSync(join(folder, "node_modules"))
    symlinkSync(join(root, "node_modules/@overa"), join(folder, "node_modules/@overa"))
    const port = await freePort()
    const [program = "", ...given] = command(file, port)
    receiver = spawn(program, given, { cwd: folder, env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: Redacted.value(secret.secret) }, stdio: "ignore" })
    url = `http://127.0.0.1:${port}/`
    while (!await fetch(url, { method: "POST", body: "{}" }).then(() => true, () => false)) {
      if (receiver.exitCode !== null) throw new Error(`${program} has ended`)
      await wait(50)
    }
  })
  afterAll(async () => {
    const ended = once(receiver, "exit")
    receiver.kill()
    await ended
    rmSync(folder, { recursive: true })
  })

  interface Sent {
    readonly by?: ReadonlyArray<WebhookSecret>
    readonly at?: number
    readonly text?: string
    readonly headers?: Readonly<Record<string, string>>
  }
  const send = async ({ at = Date.now(), by = [secret], headers = {}, text = body }: Sent = {}): Promise<number> => {
    const time = new Date(at)
    const signed = { "webhook-id": "evt_1", "webhook-timestamp": String(Math.floor(at / 1_000)), "webhook-signature": signatureHeader(by, "evt_1", time, body) }
    return (await fetch(url, { method: "POST", body: text, headers: { "Content-Type": "application/json", ...signed, ...headers } })).status
  }
  const stored = (): ReadonlyArray<unknown> =>
    existsSync(join(folder, "events.jsonl")) ? readFileSync(join(folder, "events.jsonl"), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line) as unknown) : []

  it("refuses what is not signed, signed by another, changed, under another id, early, late, or damaged", async () => {
    const away = [-310_000, 310_000].map((millis) => ({ at: Date.now() + millis }))
    const damaged = [{ "webhook-id": "evt_2" }, { "webhook-id": "" }, { "webhook-timestamp": "now" }, { "webhook-timestamp": "1e9" }, { "webhook-signature": "" }, { "webhook-signature": "v1,%%% v1a,AAAA v2,AAAA" }]
    const wrong: ReadonlyArray<Sent> = [{ by: [other] }, { by: [] }, { text: `${body} ` }, ...away, ...damaged.map((headers) => ({ headers }))]
    for (const one of wrong) expect([one.headers, await send(one)]).toEqual([one.headers, 400])
    expect(stored()).toEqual([])
  })

  it("takes what is signed, also beside another secret's signature, byte for byte", async () => {
    expect([await send(), await send({ by: [other, secret] })]).toEqual([204, 204])
    expect(stored()).toMatchObject([{ id: "evt_1", data: { clientReference: "порџбина" } }, { id: "evt_1" }])
  })
})
