import { randomInt, randomUUID } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { ApiClient } from "../support/ApiClient.ts"
import type { ApiTarget } from "./ApiTarget.ts"

/** Setup, licence, runtime. Source: Spec, Endpoints; Decisions §5, Operations, setup, licence. */
export const setupContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: setup`, () => {
    let api: ApiClient
    beforeAll(async () => {
      api = await ApiClient.of(await start())
    })
    const rates = (taxpayerId: string, businessPremiseId: string) =>
      api.get(`/v1/tax-rates?taxpayerId=${taxpayerId}&businessPremiseId=${businessPremiseId}`)
    const registration = () => ({
      taxIdentifier: String(randomInt(100_000_000, 999_999_999)),
      name: "Нова Продавница Д.О.О.",
      vatStatus: "IN_VAT",
      businessPremises: [{ puIdentifier: randomUUID().slice(0, 8), name: "Веб" }]
    })

    it("tells what runs here, and that fiscal calls can succeed", async () => {
      const { json } = await api.get("/v1/runtime")
      expect(json).toMatchObject({
        organizationId: api.target.organizationId,
        clientId: api.target.clientId,
        fiscalEndpointsEnabled: true,
        pfrAdapter: "configured"
      })
    })

    it("[proves:CREDENTIAL_ENVIRONMENT_REQUIRED] serves a credential without an environment the runtime and nothing else", async () => {
      const { noEnvironment } = api.target
      const runtime = await api.get("/v1/runtime", noEnvironment)
      expect(runtime.json).toMatchObject({ fiscalEndpointsEnabled: false, clientId: noEnvironment.clientId })
      const refused = await api.get("/v1/taxpayers", noEnvironment)
      expect([refused.status, refused.json.code]).toEqual([403, "CREDENTIAL_ENVIRONMENT_REQUIRED"])
      const register = await api.post("/v1/taxpayers", registration(), { credential: noEnvironment })
      expect([register.status, register.json.code]).toEqual([403, "CREDENTIAL_ENVIRONMENT_REQUIRED"])
    })

    it("lists the taxpayers of the credential's environment only", async () => {
      const sandbox = await api.get("/v1/taxpayers")
      const ids = sandbox.json.items.map(({ id }: { readonly id: string }) => id)
      expect(ids).toContain(api.target.taxpayerId)
      expect(ids).not.toContain(api.target.production.taxpayerId)
      expect(ids).not.toContain(api.target.other.taxpayerId)
    })

    it("lists a taxpayer's premises; another tenant's taxpayer is not there", async () => {
      const own = await api.get(`/v1/taxpayers/${api.target.taxpayerId}/business-premises`)
      expect(own.json.items[0]).toMatchObject({ id: api.target.businessPremiseId, commerceMode: "distance", environment: "sandbox" })
      const foreign = await api.get(`/v1/taxpayers/${api.target.other.taxpayerId}/business-premises`)
      expect([foreign.status, foreign.json.code]).toEqual([404, "TAXPAYER_NOT_FOUND"])
    })

    it("registers a taxpayer with its premises in the credential's environment", async () => {
      const asked = registration()
      const created = await api.post("/v1/taxpayers", asked)
      expect(created.status).toBe(201)
      expect(created.json).toMatchObject({ taxIdentifier: asked.taxIdentifier, environment: "sandbox", status: "active" })
      expect(created.json.businessPremises).toHaveLength(1)
      const premises = await api.get(`/v1/taxpayers/${created.json.id}/business-premises`)
      expect(premises.json.items).toEqual(created.json.businessPremises)
    })

    it("[proves:TAXPAYER_ALREADY_EXISTS] refuses a tax identifier that is taken, not saying whose it is", async () => {
      const asked = registration()
      await api.post("/v1/taxpayers", asked, { credential: api.target.other })
      const again = await api.post("/v1/taxpayers", { ...asked, businessPremises: registration().businessPremises })
      expect([again.status, again.json.code]).toEqual([409, "TAXPAYER_ALREADY_EXISTS"])
      expect(again.text).not.toContain(api.target.other.taxpayerId)
    })

    it("refuses a registration whose shape is wrong", async () => {
      const answer = await api.post("/v1/taxpayers", { ...registration(), taxIdentifier: "12", businessPremises: [] })
      expect(answer.status).toBe(422)
      expect(Object.keys(answer.json.errors).sort()).toEqual(["BusinessPremises", "TaxIdentifier"])
    })

    it("reads the labels a premise may use", async () => {
      const { json } = await rates(api.target.taxpayerId, api.target.businessPremiseId)
      expect(json.source).toBe("V-PFR")
      expect(json.labels.map(({ label }: { readonly label: string }) => label)).toContain(api.target.labels.sandbox)
      expect(json.validFrom).not.toMatch(/Z|\+/)
    })

    it("refuses a tax-rate read without its parameters, all at once", async () => {
      const answer = await api.get("/v1/tax-rates?taxpayerId=17")
      expect(answer.status).toBe(422)
      expect(answer.json.errors).toEqual({ TaxpayerId: ["must be a UUID"], BusinessPremiseId: ["is required"] })
    })

    it("answers 404 to taxpayers and premises that are not there", async () => {
      const taxpayer = await rates(api.target.other.taxpayerId, api.target.businessPremiseId)
      expect(taxpayer.json.code).toBe("TAXPAYER_NOT_FOUND")
      const premise = await rates(api.target.taxpayerId, randomUUID())
      expect(premise.json.code).toBe("BUSINESS_PREMISE_NOT_FOUND")
    })

    it("reads the licence", async () => {
      const { json } = await api.get("/v1/license", api.target.production)
      expect(json).toMatchObject({ licensed: true, productionFiscalizationAllowed: true, reason: null, includedDocumentsPerMonth: 600 })
    })

    it("lists the security elements, never a key", async () => {
      const { json, text } = await api.get("/v1/security-elements")
      const element = json.items.find(({ businessPremiseId }: { readonly businessPremiseId: string }) =>
        businessPremiseId === api.target.businessPremiseId)
      expect(element).toMatchObject({ status: "ACTIVE", environment: "sandbox" })
      expect(element.daysLeft).toBeGreaterThan(0)
      expect(text).not.toMatch(/PRIVATE|BEGIN|pac/i)
    })
  })
