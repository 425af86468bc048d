import { type Operations, OveraClient } from "@overa/client"
import { operations } from "@overa/rest-api"
import { randomInt, randomUUID } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import type { ApiTarget, ClientCredential } from "./ApiTarget.ts"
import { sampleCancellation, sampleCase, sampleClosing, samplePayment } from "./sampleAdvance.ts"
import { sampleRefund } from "./sampleRefund.ts"
import { sampleSale } from "./sampleSale.ts"

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Calls every operation through the client, against a running service. Source: the contract; `client/README.md`. */
export const clientContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: the client`, () => {
    let target: ApiTarget
    let client: OveraClient
    let clientOf: (credential: ClientCredential) => OveraClient
    const succeeded = new Set<string>()
    const patterns = operations.map(({ id, method, path }) => ({ id, method, path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`) }))

    beforeAll(async () => {
      target = await start()
      const noting = async (url: string, init: RequestInit): Promise<Response> => {
        const answer = await fetch(url, init)
        const at = patterns.find(({ method, path }) => method === init.method && path.test(new URL(url).pathname))
        if (answer.ok && at !== undefined) succeeded.add(at.id)
        return answer
      }
      const { authUrl, baseUrl } = target
      clientOf = ({ clientId, clientSecret }) => new OveraClient({ baseUrl, authUrl, clientId, clientSecret, surroundings: { fetch: noting } })
      client = clientOf(target)
    })
    const sale = () => sampleSale(target) as Operations["issueFiscalDocument"]["body"]

    it("issues, reads, copies and refunds receipts", async () => {
      const trial = await client.dryRun(sale())
      const receipt = await client.sale(sale()).send()
      expect(trial.totalAmount).toBe(2401)
      const path = { fiscalDocumentId: receipt.id }
      expect((await client.call("readFiscalDocument", { path })).id).toBe(receipt.id)
      expect((await client.untilResolved(receipt.id)).status).toBe("FISCALIZED")
      expect(text(await client.call("readRepresentation", { path: { ...path, representationFormat: "official-text" } }))).toBe(receipt.pfr.journal)
      expect((await client.call("readProof", { path })).document.id).toBe(receipt.id)
      const copy = await client.copy(receipt.id, { clientReference: "COPY-1", cashier: { id: "web" } }).send()
      expect(copy.invoiceType).toBe("COPY")
      expect((await client.call("readRefundable", { path })).lines).toHaveLength(1)
      const refund = await client.refund(sampleRefund(target, receipt.id) as Operations["refundSale"]["body"]).send()
      expect((await client.call("readRefundWorkflow", { path: { refundWorkflowId: refund.id } })).status).toBe("COMPLETED")
    })

    it("takes an advance case from its opening to its closing", async () => {
      const opened = await client.openAdvanceCase(sampleCase(target)).send()
      const advance = client.advanceCase(opened.id)
      const paid = await advance.pay(samplePayment(target, 1000)).send()
      await advance.cancel(sampleCancellation(paid.advanceSales[0]?.id ?? "")).send()
      await advance.pay(samplePayment(target, 500)).send()
      await advance.close(sampleClosing(target, 1200, 700)).send()
      expect((await advance.read()).state).toBe("CLOSED")
    })

    it("issues proforma documents and sends receipts to buyers", async () => {
      const offer = { ...sampleSale(target), invoiceType: "PROFORMA", transactionType: "SALE" } as Operations["issueProformaTraining"]["body"]
      const workflow = await client.proformaOrTraining(offer).send()
      expect((await client.call("readProformaTrainingWorkflow", { path: { workflowId: workflow.id } })).status).toBe("COMPLETED")
      const receipt = await client.sale(sale()).send()
      const delivery = await client.deliver({ fiscalDocumentId: receipt.id, recipient: "kupac@example.rs", formats: ["pdf-a4"], locale: "sr-Latn" }).send()
      expect((await client.call("readReceiptDelivery", { path: { receiptDeliveryId: delivery.id } })).fiscalDocumentId).toBe(receipt.id)
      const listed = []
      for await (const { id } of client.each("listReceiptDeliveries", { query: { fiscalDocumentId: receipt.id } })) listed.push(id)
      expect(listed).toEqual([delivery.id])
    })

    it("reads and makes the setup", async () => {
      expect((await client.call("readRuntime", {})).clientId).toBe(target.clientId)
      const made = await client.call("registerTaxpayer", {
        body: {
          taxIdentifier: String(randomInt(100_000_000, 999_999_999)),
          name: "Нова Продавница Д.О.О.",
          vatStatus: "IN_VAT",
          businessPremises: [{ puIdentifier: randomUUID().slice(0, 8), name: "Веб" }]
        }
      })
      const taxpayers = await client.call("listTaxpayers", {})
      expect(taxpayers.items.map(({ id }) => id)).toContain(made.id)
      const { businessPremiseId, taxpayerId } = target
      const premises = await client.call("listBusinessPremises", { path: { taxpayerId } })
      expect(premises.items.map(({ id }) => id)).toContain(businessPremiseId)
      expect(JSON.stringify(await client.call("readTaxRates", { query: { taxpayerId, businessPremiseId } }))).toContain(target.labels.sandbox)
      await client.call("readLicense", {})
      await client.call("listSecurityElements", {})
    })

    it("keeps a catalogue", async () => {
      const { taxpayerId } = target
      const sku = `CLIENT-${randomUUID()}`
      const fields = { sku, name: "Чарапе", unitOfMeasure: "пар", grossUnitPrice: 120.5, taxLabels: [target.labels.sandbox] }
      const product = await client.call("createProduct", { body: { taxpayerId, ...fields } })
      const path = { productId: product.id }
      const replaced = await client.call("replaceProduct", { path, body: { ...fields, grossUnitPrice: 130, isActive: true } })
      expect([replaced.grossUnitPrice, (await client.call("readProduct", { path })).grossUnitPrice]).toEqual([130, 130])
      const found = []
      for await (const { id } of client.products({ search: sku })) found.push(id)
      expect(found).toEqual([product.id])
      const file = await client.exportProducts(taxpayerId)
      expect(file).toContain(sku)
      expect((await client.importProducts(taxpayerId, file)).created).toBe(0)
    })

    it("searches, exports, sums up and proves the journal", async () => {
      const receipt = await client.sale(sale()).send()
      const found = []
      for await (const { id } of client.journal({ pfrNumber: receipt.pfr.invoiceNumber })) found.push(id)
      expect(found).toEqual([receipt.id])
      expect(text(await client.call("exportJournal", { query: { pfrNumber: receipt.pfr.invoiceNumber } }))).toContain(receipt.id)
      expect((await client.call("reportTurnover", { query: { groupBy: ["day"] } })).rows.length).toBeGreaterThan(0)
      const path = { fiscalDocumentId: receipt.id }
      await expect.poll(() => client.call("proveJournalInclusion", { path }).then(({ entries }) => entries.length, () => 0), { timeout: 20_000 }).toBeGreaterThan(0)
      const to = Number(text(await client.call("readJournalCheckpoint", {})).split("\n")[1])
      expect((await client.call("proveJournalConsistency", { query: { from: 1, to } })).to).toBe(to)
    })

    it("lists workflows, cases and events", async () => {
      expect((await client.call("listRefundWorkflows", { query: {} })).items.length).toBeGreaterThan(0)
      expect((await client.call("listAdvanceCases", { query: {} })).items.length).toBeGreaterThan(0)
      expect((await client.call("listEvents", { query: {} })).items).toBeInstanceOf(Array)
    })

    it("has events sent to an address, and manages credentials, with the credentials for that", async () => {
      const hooks = clientOf(target.webhooks.sandbox)
      const url = `https://shop.example/${randomUUID()}`
      const endpoint = await hooks.call("createWebhookEndpoint", { body: { url } })
      const path = { webhookEndpointId: endpoint.id }
      expect((await hooks.call("listWebhookEndpoints", {})).items.map(({ id }) => id)).toContain(endpoint.id)
      expect((await hooks.call("readWebhookEndpoint", { path })).url).toBe(url)
      await hooks.call("rotateWebhookSecret", { path })
      await hooks.call("testWebhookEndpoint", { path })
      await hooks.call("resendWebhookEvents", { path, body: { from: 900_000_000_000, to: 900_000_000_001 } })
      expect((await hooks.call("listWebhookAttempts", { path })).items).toBeInstanceOf(Array)
      expect((await hooks.call("replaceWebhookEndpoint", { path, body: { url, status: "REMOVED" } })).status).toBe("REMOVED")
      if (target.management === undefined) throw new Error("This deployment has no credential that manages others.")
      const manager = clientOf(target.management)
      const issued = await manager.call("issueCredential", { body: { name: "till" } })
      expect((await manager.call("listCredentials", {})).items.map(({ clientId }) => clientId)).toContain(issued.clientId)
      await manager.call("rotateCredential", { path: { clientId: issued.clientId }, body: { keepFormerSeconds: 0 } })
      await manager.call("revokeCredential", { path: { clientId: issued.clientId } })
    })

    it("has had success with every operation of the contract", () => {
      expect(operations.map(({ id }) => id).filter((id) => !succeeded.has(id))).toEqual([])
    })
  })
