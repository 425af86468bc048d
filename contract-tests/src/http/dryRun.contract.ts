import { randomUUID } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { type ApiAnswer, ApiClient } from "../support/ApiClient.ts"
import type { ApiTarget } from "./ApiTarget.ts"
import { sampleSale } from "./sampleSale.ts"

const path = "/v1/fiscal-documents"
const dryRunPath = `${path}/dry-run`

/** Dry runs: the answers of the sale itself, and nothing stored. Source: Decisions §14, Dry run; §17. */
export const dryRunContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: dry run`, () => {
    let api: ApiClient
    beforeAll(async () => {
      api = await ApiClient.of(await start())
    })
    const tryOut = async (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<ApiAnswer> =>
      api.send({ method: "POST", path: dryRunPath, token: await api.token(), body, headers })
    const documentsOf = async (clientReference: string): Promise<number> =>
      (await api.get(`/v1/journal?clientReference=${clientReference}`)).json.items.length

    it("says that the sale would be reserved, with total, taxes and text", async () => {
      const answer = await tryOut(sampleSale(api.target))
      expect(answer.status).toBe(200)
      expect(Object.keys(answer.json)).toEqual(["valid", "totalAmount", "taxes", "journalPreview"])
      expect(answer.json).toMatchObject({ valid: true, totalAmount: 2401, taxes: [{ label: api.target.labels.sandbox }] })
      expect(answer.text).toMatch(/"amount":\d+\.\d{4}\}/)
      expect(answer.json.journalPreview).toContain(`Чарапе/пар (${api.target.labels.sandbox})`)
      expect(answer.json.journalPreview).toContain(`ПФР број рачуна:${" ".repeat(10)}НИЈЕ ПОТПИСАНО\r\n`)
      expect(answer.json.journalPreview).toMatch(/^=+ ПРЕГЛЕД, НИЈЕ ФИСКАЛНИ РАЧУН =+\r\n/)
      expect(answer.json.journalPreview).not.toContain("= ФИСКАЛНИ РАЧУН =")
    })

    it("stores nothing, and binds no key: the Idempotency-Key is ignored", async () => {
      const clientReference = randomUUID()
      const sale = sampleSale(api.target, { clientReference })
      const key = `key-${randomUUID()}`
      for (const sent of [key, key, "too short", ""]) expect((await tryOut(sale, { "Idempotency-Key": sent })).status).toBe(200)
      expect(await documentsOf(clientReference)).toBe(0)
      const other = await api.post(path, { ...sale, cashier: { id: "other" } }, { key })
      expect(other.status).toBe(201)
      expect((await tryOut(sale, { "Idempotency-Key": key })).status).toBe(200)
      expect(await documentsOf(clientReference)).toBe(1)
    })

    it("is no document to be read, refunded or repeated", async () => {
      expect((await api.get(dryRunPath)).json.code).toBe("FISCAL_DOCUMENT_NOT_FOUND")
    })

    it("tries the copy of another ESIR's document too", async () => {
      const sale = sampleSale(api.target)
      const reference = { source: "EXTERNAL", pfrNumber: "ABCD1234-EFGH5678-15", pfrTime: "2026-08-29T09:05:00.1234567+02:00", invoiceType: "NORMAL", transactionType: "SALE" }
      const answer = await tryOut({ ...sale, invoiceType: "COPY", reference })
      expect(answer.status).toBe(200)
      expect(answer.json.journalPreview).toContain("Реф. број:          ABCD1234-EFGH5678-15\r\nРеф. време:          29.08.2026. 9:05:00\r\n")
    })

    it("says no to payments with more than two decimals, which the V-PFR rejects; the sale itself goes there", async () => {
      const sale = sampleSale(api.target, { clientReference: randomUUID() })
      const body = { ...sale, payments: [{ type: "CARD", amount: 2300.005 }, { type: "CASH", amount: 100.995 }] }
      const tried = await tryOut(body)
      expect(tried.status).toBe(422)
      expect(tried.headers.get("content-type")).toContain("application/problem+json")
      expect(tried.json.errors["Payments.Amount"]).toHaveLength(2)
      expect(tried.json.details.map(({ pointer }: { readonly pointer: string }) => pointer)).toEqual(["/payments/0/amount", "/payments/1/amount"])
      expect(tried.json.details[0].message).toContain("2804")
      // Refusals that the sale gets before it is sent come first.
      const wrongLabel = { ...body, items: sale.items.map((item) => ({ ...item, taxLabels: ["Љ"] })) }
      expect((await tryOut(wrongLabel)).json.code).toBe("TAX_LABEL_NOT_CURRENT")
      const issued = await api.post(path, body)
      expect(issued.json).toMatchObject({ clientReference: sale.clientReference, id: expect.any(String) })
    })

    it("refuses what the sale is refused for, in the same words", async () => {
      const sale = sampleSale(api.target)
      const wrong: ReadonlyArray<unknown> = [
        { ...sale, payments: [{ type: "CARD", amount: 1 }], cashier: {} },
        { ...sale, items: sale.items.map((item) => ({ ...item, taxLabels: ["Љ"] })) },
        { ...sale, taxpayerId: api.target.other.taxpayerId },
        { ...sale, businessPremiseId: randomUUID() },
        { ...sale, transactionType: "REFUND" },
        { ...sale, surplus: 1 },
        "{",
        "[]"
      ]
      for (const body of wrong) {
        const [tried, issued] = [await tryOut(body), await api.post(path, body)]
        expect([tried.status, tried.json]).toEqual([issued.status, issued.json])
        expect(tried.status).toBeGreaterThanOrEqual(400)
      }
    })
  })
