import { managementScope } from "@overa/domain"
import { operations } from "@overa/rest-api"
import { beforeAll, describe, expect, it } from "vitest"
import { ApiClient, newKey } from "../support/ApiClient.ts"
import type { ApiTarget, ClientCredential, ReadyCredential } from "./ApiTarget.ts"
import { callOperation, type Named, nothing } from "./callOperation.ts"
import { sampleSale } from "./sampleSale.ts"

/** Operations that take an identifier, and so can be called with another tenant's. */
const naming = operations.filter(({ id, path, query }) =>
  path.includes("{") || query["taxpayerId"]?.required === true || ["issueFiscalDocument", "dryRunFiscalDocument", "createProduct"].includes(id))

/**
 * Another organization's or environment's object gets a 404 that equals the one for a missing object, byte for byte. Generated from the declarations.
 * Source: Decisions §7; Spec, Authentication 7.
 */
export const tenancyContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: tenancy`, () => {
    let api: ApiClient
    let foreign: Named
    let crossed: Named
    beforeAll(async () => {
      api = await ApiClient.of(await start())
      foreign = await issuedBy(api.target.other, api.target.webhooks.other, "sandbox")
      crossed = await issuedBy(api.target.production, api.target.webhooks.production, "production")
    })
    const issuedBy = async (of: ReadyCredential, webhooks: ClientCredential, environment: "sandbox" | "production"): Promise<Named> => {
      const sale = sampleSale(api.target, { of, environment })
      const issued = await api.post("/v1/fiscal-documents", sale, { credential: of })
      expect(issued.status).toBe(201)
      const product = { taxpayerId: of.taxpayerId, sku: newKey(), name: "Хлеб", unitOfMeasure: "kom", grossUnitPrice: 1, taxLabels: ["Ђ"] }
      const made = await api.post("/v1/products", product, { credential: of })
      expect(made.status).toBe(201)
      const endpoint = await api.post("/v1/webhook-endpoints", { url: `https://shop.example/${newKey()}` }, { credential: webhooks })
      expect(endpoint.status).toBe(201)
      return { document: issued.json.id, taxpayer: of.taxpayerId, premise: of.businessPremiseId, product: made.json.id, webhook: endpoint.json.id, credential: of.clientId }
    }

    describe.each(naming.map((operation) => [operation.id, operation] as const))("%s", (_id, operation) => {
      it.each([["organization", () => foreign], ["environment", () => crossed]] as const)(
        "answers what belongs to another %s exactly as what does not exist",
        async (_whose, named) => {
          const token = await api.token(operation.scope === managementScope ? api.target.management : api.target.webhooks.sandbox)
          const theirs = named()
          const asked = await callOperation(api, operation, token, theirs)
          const absent = nothing()
          const unknown = await callOperation(api, operation, token, absent)
          expect([asked.status, unknown.status]).toEqual([404, 404])
          const renamed = unknown.text
            .replaceAll(absent.document, theirs.document)
            .replaceAll(absent.taxpayer, theirs.taxpayer)
            .replaceAll(absent.premise, theirs.premise)
            .replaceAll(absent.product, theirs.product)
            .replaceAll(absent.webhook, theirs.webhook)
            .replaceAll(absent.credential, theirs.credential)
          expect(asked.text).toBe(renamed)
        }
      )
    })
  })
