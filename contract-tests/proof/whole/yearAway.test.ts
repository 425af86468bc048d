import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { EmptyFolder } from "../../../tools/EmptyFolder.ts"
import { accessToken } from "../../src/support/accessToken.ts"
import { type WholeInstallation, wholeInstallation } from "../../src/support/wholeInstallation.ts"

/** Sales of each of twelve rounds, which stand for months; all are signed today. `OVERA_YEAR_SALES=250` makes some three thousand receipts. */
const salesOfMonth = Number(process.env["OVERA_YEAR_SALES"] ?? 10)
const months = 12
const say = (line: string): void => void process.stderr.write(`year away: ${line}\n`)

const into = mkdtempSync(join(tmpdir(), "overa-year-"))
let installation: WholeInstallation
let folder: EmptyFolder
let token = ""
beforeAll(async () => {
  folder = EmptyFolder.with(["verify"])
  installation = await wholeInstallation()
}, 600_000)
afterAll(async () => {
  await installation.close()
  folder.remove()
  rmSync(into, { recursive: true, force: true })
}, 120_000)

interface Answered {
  readonly id: string
  readonly refund: { readonly id: string }
  readonly lines: ReadonlyArray<{ readonly item: object; readonly amount: number }>
}

const call = async (path: string, body?: object): Promise<Answered> => {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": randomUUID() }
  const answer = await fetch(installation.api.url + path, { headers, method: body === undefined ? "GET" : "POST", ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const read = await answer.json()
  if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(read)}`)
  return read as Answered
}

const place = () => ({ taxpayerId: installation.shop.taxpayerId, businessPremiseId: installation.shop.businessPremiseId })
const cashier = { cashier: { id: "web" } }
const items = (count: number) => [{ name: "Књига „Сеобе“", unitOfMeasure: "ком", quantity: 1 + count % 3, unitPrice: 411.5, taxLabels: ["A"] }]
const paid = (count: number, type = "CARD") => [{ type, amount: 411.5 * (1 + count % 3) }]

const sell = (count: number) => call("/v1/fiscal-documents", { ...place(), ...cashier, clientReference: `ORDER-${count}`, invoiceType: "NORMAL", transactionType: "SALE", items: items(count), payments: paid(count) })

const refund = async (sale: Answered): Promise<void> => {
  const { lines: [line] } = await call(`/v1/fiscal-documents/${sale.id}/refundable`)
  await call("/v1/refund-workflows", {
    ...place(), ...cashier, clientReference: "REFUND", original: { source: "SVC", fiscalDocumentId: sale.id }, buyer: { id: "11:0101990710009" },
    items: [line?.item], payments: [{ type: "CASH", amount: line?.amount }]
  })
}

const advance = async (count: number): Promise<void> => {
  const { id } = await call("/v1/advance-cases", { ...place(), clientReference: `ADVANCE-${count}`, buyer: { id: "20:123456789" } })
  await call(`/v1/advance-cases/${id}/payments`, { ...cashier, items: [{ name: "10: Аванс (A)", quantity: 1, unitPrice: 500, taxLabels: ["A"] }], payments: [{ type: "CARD", amount: 500 }] })
  await call(`/v1/advance-cases/${id}/closing`, { ...cashier, items: [{ name: "Сто", unitOfMeasure: "ком", quantity: 1, unitPrice: 900, taxLabels: ["A"] }], remainingPayments: [{ type: "CASH", amount: 400 }] })
}

const notFiscal = (invoiceType: "PROFORMA" | "TRAINING") =>
  call("/v1/proforma-training-workflows", { ...place(), ...cashier, clientReference: invoiceType, invoiceType, transactionType: "SALE", items: items(1), payments: paid(1) })

/** One round of the shop: every family. */
const fillMonth = async (month: number): Promise<void> => {
  token = await accessToken(installation.api, installation.shop)
  const sales: Array<Answered> = []
  for (let from = 0; from < salesOfMonth; from += 10) {
    sales.push(...await Promise.all(Array.from({ length: Math.min(10, salesOfMonth - from) }, (_, at) => sell(month * 1_000 + from + at))))
  }
  for (const sale of sales.slice(0, 2)) await refund(sale)
  await advance(month)
  for (const kind of ["PROFORMA", "TRAINING"] as const) await notFiscal(kind)
}

/** Runs the packed command without a network, in the empty folder; also how much memory it had at most. */
const verify = async (...args: ReadonlyArray<string>) => {
  const command = ["-n", process.execPath, join(folder.path, "node_modules/@overa/verify/dist/overa-verify.js"), ...args]
  const child = spawn("unshare", command, { cwd: folder.path, stdio: ["ignore", "pipe", "pipe"] })
  const [out, from]: [Array<Uint8Array>, number] = [[], performance.now()]
  child.stdout.on("data", (part: Uint8Array) => out.push(part))
  child.stderr.on("data", (part: Uint8Array) => out.push(part))
  let most = 0
  const watch = setInterval(() => {
    try {
      most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0))
    } catch {
      // It has ended meanwhile.
    }
  }, 20)
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  clearInterval(watch)
  return { code, out: Buffer.concat(out).toString(), seconds: (performance.now() - from) / 1_000, megabytes: most / 1_024 }
}

it("as many documents as an organization has in a year, of every family, are handed over and verified by the packed command in an empty folder without a network", async () => {
  const begun = performance.now()
  for (let month = 0; month < months; month += 1) {
    await fillMonth(month)
  }
  say(`${months} rounds in ${((performance.now() - begun) / 1_000).toFixed(0)} s`)
  // The worker seals what was signed, oldest first within a few passes: the newest twenty are asked one after the other, below the credential's rate.
  const { items: newest } = await call("/v1/journal?pageSize=20") as unknown as { readonly items: ReadonlyArray<{ readonly id: string }> }
  for (const { id } of newest) {
    await vi.waitUntil(async () => {
      const { journal } = await call(`/v1/fiscal-documents/${id}/proof`) as unknown as { readonly journal: { readonly entries: ReadonlyArray<object> } | null }
      return (journal?.entries.length ?? 0) >= 4
    }, { timeout: 120_000, interval: 500 })
  }

  const exporting = performance.now()
  const answer = await installation.desk.admin(["hand-over", installation.shop.organizationId, join(into, "year"), "--reason", "leaves", "--json"])
  expect({ code: answer.code, err: answer.err }).toEqual({ code: 0, err: "" })
  const [taxpayer] = answer.json.taxpayers as ReadonlyArray<{ readonly folder: string; readonly tin: string; readonly documents: number; readonly receipts: number }>
  say(`${taxpayer?.documents} documents handed over in ${((performance.now() - exporting) / 1_000).toFixed(1)} s`)
  const documents = months * (salesOfMonth + 2 * 2 + 3 + 2)
  expect(taxpayer?.receipts).toBeGreaterThanOrEqual(documents)

  const proofs = join(into, "year", taxpayer?.folder ?? "", "proofs")
  const kinds = readdirSync(proofs).map((name) => (JSON.parse(readFileSync(join(proofs, name), "utf8")) as { readonly document: { readonly invoiceType: string } }).document.invoiceType)
  expect([...new Set(kinds)].toSorted()).toEqual(["ADVANCE", "COPY", "NORMAL", "PROFORMA", "TRAINING"])

  const tin = taxpayer?.tin ?? ""
  const keys = readdirSync(join(into, "year", taxpayer?.folder ?? "")).filter((name) => /\.pem$|^journal-key/.test(name)).map((name) => join(into, "year", taxpayer?.folder ?? "", name))
  const proven = await verify("--tin", tin, "--summary", "--require-proven", proofs, ...keys)
  expect({ code: proven.code, out: proven.out }).toEqual({ code: 0, out: expect.stringContaining("contradicted: 0") })
  say(`proofs verified in ${proven.seconds.toFixed(1)} s with ${proven.megabytes.toFixed(0)} MB at most`)
  const whole = await verify("--tin", tin, "--summary", join(into, "year"))
  expect({ code: whole.code, out: whole.out }).toEqual({ code: 0, out: expect.stringMatching(/Whole: \d+ files/) })
  say(`the whole folder verified in ${whole.seconds.toFixed(1)} s with ${whole.megabytes.toFixed(0)} MB at most`)

  const [one = ""] = readdirSync(proofs)
  writeFileSync(join(proofs, one), readFileSync(join(proofs, one), "utf8").replace(/"totalAmount":(\d)/, (_, digit: string) => `"totalAmount":${Number(digit) % 9 + 1}`))
  expect(await verify("--tin", tin, "--summary", join(into, "year"))).toMatchObject({ code: 1, out: expect.stringContaining("Files changed: 1") })
}, 3_600_000)
