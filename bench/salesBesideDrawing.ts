/**
 * Whether sales are delayed by receipts being drawn: the p99 of sales with and without 20 PDFs a second in parallel, alternately, in a sandbox of its
 * own: `node --conditions=@overa/source bench/salesBesideDrawing.ts`.
 */
import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { sampleSale } from "../contract-tests/src/http/sampleSale.ts"
import { sandboxTarget } from "../contract-tests/src/http/sandboxTarget.ts"
import { startSandboxProcess } from "../contract-tests/src/support/sandboxProcess.ts"

const salesPerSecond = 30
const drawingsPerSecond = 20
const phaseSeconds = 5
const rounds = 3

const sandbox = await startSandboxProcess()
const target = await sandboxTarget(sandbox.file)
const form = new URLSearchParams({ grant_type: "client_credentials", client_id: target.clientId, client_secret: target.clientSecret })
const granted = await (await fetch(target.authUrl, { method: "POST", body: form })).json() as { readonly access_token: string }
const authorization = { Authorization: `Bearer ${granted.access_token}` }

/** Issues one receipt; its id and the milliseconds it took. */
const sell = async (): Promise<{ readonly id: string; readonly took: number }> => {
  const start = performance.now()
  const answer = await fetch(`${target.baseUrl}/v1/fiscal-documents`, {
    method: "POST",
    headers: { ...authorization, "Content-Type": "application/json", "Idempotency-Key": randomUUID() },
    body: JSON.stringify(sampleSale(target))
  })
  const { id } = await answer.json() as { readonly id: string }
  if (answer.status !== 201) throw new Error(`a sale was answered ${answer.status}`)
  return { id, took: performance.now() - start }
}

const drawn = async (id: string): Promise<number> => {
  const answer = await fetch(`${target.baseUrl}/v1/fiscal-documents/${id}/representations/pdf-a4`, { headers: authorization })
  await answer.arrayBuffer()
  return answer.status
}

/** Starts a work the given number of times a second, whether or not the earlier ones have ended. */
const steadily = async <A>(perSecond: number, work: (index: number) => Promise<A>): Promise<ReadonlyArray<A>> => {
  const running: Array<Promise<A>> = []
  for (let index = 0; index < perSecond * phaseSeconds; index++) {
    running.push(work(index))
    await setTimeout(1_000 / perSecond)
  }
  return await Promise.all(running)
}

const percentile = (times: ReadonlyArray<number>, share: number): string =>
  (times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0).toFixed(1)

const alone: Array<number> = []
const beside: Array<number> = []
await steadily(salesPerSecond, sell)
for (let round = 0; round < rounds; round++) {
  const sales = await steadily(salesPerSecond, sell)
  alone.push(...sales.map(({ took }) => took))
  const [crowded, statuses] = await Promise.all([
    steadily(salesPerSecond, sell),
    steadily(drawingsPerSecond, (index) => drawn(sales[index]?.id ?? ""))
  ])
  beside.push(...crowded.map(({ took }) => took))
  if (statuses.some((status) => status !== 200)) throw new Error(`a drawing was answered ${statuses.find((status) => status !== 200)}`)
}
await sandbox.stop()

for (const [name, times] of [["alone", alone], [`beside ${drawingsPerSecond} PDFs a second`, beside]] as const) {
  process.stdout.write(`sales ${name.padEnd(24)} p50 ${percentile(times, 0.5)} ms   p99 ${percentile(times, 0.99)} ms   (${times.length} sales)\n`)
}
