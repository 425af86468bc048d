import { OwnScope, Scope } from "@overa/domain"
import { operations } from "@overa/rest-api"
import { randomInt, randomUUID } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { ApiClient, newKey } from "../support/ApiClient.ts"
import type { ApiTarget, ClientCredential } from "./ApiTarget.ts"
import { callOperation } from "./callOperation.ts"
import { keyedKinds } from "./keyedRequests.ts"
import { sampleSale } from "./sampleSale.ts"

const path = "/v1/credentials"

/** What the contract gives a restricted credential, by the declarations: a new operation must be put somewhere, and here a reader sees where. */
const open = [
  "readProduct", "exportProducts", "listProducts", "createProduct", "replaceProduct", "importProducts", "readLicense", "readRuntime", "listTaxpayers",
  "readJournalCheckpoint", "proveJournalConsistency"
]

/** Credentials over the API, and what one that is restricted to premises can reach. Source: docs/adr/0180. */
export const credentialsContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: credentials`, () => {
    let api: ApiClient
    /** Restricted to the ready premise, and to another premise of the same organization. */
    let here: ClientCredential
    let elsewhere: ClientCredential
    const manager = (): ClientCredential => {
      if (api.target.management === undefined) throw new Error("This deployment has no credential that manages others.")
      return api.target.management
    }
    const issue = async (body: object) => api.send({ method: "POST", path, token: await api.token(manager()), body })
    const restricted = async (premise: string): Promise<ClientCredential> => {
      const issued = await issue({ name: `premise ${premise}`, scopes: OwnScope.literals, businessPremiseIds: [premise] })
      expect(issued.status).toBe(201)
      return issued.json
    }
    const act = async (clientId: string, what: "rotation" | "revocation", body?: object, by = manager()) =>
      api.send({ method: "POST", path: `${path}/${clientId}/${what}`, token: await api.token(by), ...(body === undefined ? {} : { body }) })
    const tokenStatus = async ({ clientId, clientSecret }: ClientCredential): Promise<number> => {
      const form = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret })
      return (await fetch(api.target.authUrl, { method: "POST", body: form })).status
    }

    beforeAll(async () => {
      api = await ApiClient.of(await start())
      const other = await api.post("/v1/taxpayers", {
        taxIdentifier: String(randomInt(100_000_000, 999_999_999)), name: "Друга", vatStatus: "IN_VAT", businessPremises: [{ puIdentifier: randomUUID().slice(0, 8), name: "Друга" }]
      })
      here = await restricted(api.target.businessPremiseId)
      elsewhere = await restricted(other.json.businessPremises[0].id)
    })

    it("issues one with name, scopes and premises; its secret is in that answer alone, and no cache keeps it", async () => {
      const issued = await issue({ name: "Продавница 17", scopes: ["fiscal:read", "fiscal:write"], businessPremiseIds: [api.target.businessPremiseId.toUpperCase()] })
      expect(issued.headers.get("cache-control")).toBe("no-store")
      expect(issued.json).toMatchObject({
        name: "Продавница 17", environment: "sandbox", scopes: ["fiscal:write", "fiscal:read"], businessPremiseIds: [api.target.businessPremiseId], revokedAt: null
      })
      const listed = await api.get(path, manager())
      expect(listed.text).not.toContain(issued.json.clientSecret)
      const { clientSecret: _, ...shown } = issued.json
      expect(listed.json.items).toContainEqual(shown)
      expect((await api.get(`/v1/journal?businessPremiseId=${api.target.businessPremiseId}`, issued.json)).status).toBe(200)
      expect((await api.get("/v1/runtime", issued.json)).json).toMatchObject({ code: "INSUFFICIENT_SCOPE" })
    })

    it("issues the twelve scopes where none are named, and never the one that manages", async () => {
      expect((await issue({ name: "all" })).json.scopes).toEqual(Scope.literals)
      expect((await issue({ name: "more", scopes: ["credentials:manage"] })).status).toBe(422)
      const byShop = await api.send({ method: "POST", path, token: await api.token(), body: { name: "own" } })
      expect([byShop.status, byShop.json.code]).toEqual([403, "INSUFFICIENT_SCOPE"])
    })

    it("names a premise that is not the organization's, or of the other environment", async () => {
      for (const premise of [api.target.other.businessPremiseId, api.target.production.businessPremiseId, randomUUID()]) {
        const refused = await issue({ name: "x", businessPremiseIds: [api.target.businessPremiseId, premise] })
        expect([refused.status, refused.json.details[0].pointer]).toEqual([422, "/businessPremiseIds/1"])
      }
    })

    it("accepts two secrets after a rotation for as long as was chosen, and one where none was", async () => {
      const first = (await issue({ name: "rotates" })).json
      const second = (await act(first.clientId, "rotation", { keepFormerSeconds: 60 })).json
      expect(second.clientSecret).not.toBe(first.clientSecret)
      expect(Date.parse(second.formerSecretUntil) - Date.now()).toBeGreaterThan(30_000)
      expect([await tokenStatus(first), await tokenStatus(second)]).toEqual([200, 200])
      const third = (await act(first.clientId, "rotation", { keepFormerSeconds: 60 })).json
      // Only the one before: the first ends, although its time is not over.
      expect([await tokenStatus(first), await tokenStatus(second), await tokenStatus(third)]).toEqual([401, 200, 200])
      const last = (await act(first.clientId, "rotation", { keepFormerSeconds: 0 })).json
      expect(last.formerSecretUntil).toBeNull()
      expect([await tokenStatus(third), await tokenStatus(last)]).toEqual([401, 200])
      expect((await act(first.clientId, "rotation", { keepFormerSeconds: 2_592_001 })).status).toBe(422)
    })

    it("[proves:CREDENTIAL_NOT_FOUND] revokes for good, and knows neither another organization's, another environment's nor a managing one", async () => {
      const gone = (await issue({ name: "goes" })).json
      const revoked = await act(gone.clientId, "revocation")
      expect(revoked.json.revokedAt).not.toBeNull()
      expect((await act(gone.clientId, "revocation")).json).toEqual(revoked.json)
      expect(await tokenStatus(gone)).toBe(401)
      for (const clientId of [api.target.other.clientId, api.target.production.clientId, manager().clientId, "svc-sbx-nobody"]) {
        for (const refused of [await act(clientId, "revocation"), await act(clientId, "rotation", { keepFormerSeconds: 0 })]) {
          expect([refused.status, refused.json.code], clientId).toEqual([404, "CREDENTIAL_NOT_FOUND"])
        }
      }
      expect(await tokenStatus(api.target.production)).toBe(200)
    })

    it("[proves:OWN_CREDENTIALS_NOT_ALLOWED] issues and rotates nothing where the operator forbids it, and revokes all the same", async () => {
      const { forbidCredentials } = api.target
      if (forbidCredentials === undefined) throw new Error("This deployment forbids nothing.")
      const made = (await issue({ name: "before" })).json
      forbidCredentials(true)
      try {
        for (const refused of [await issue({ name: "after" }), await act(made.clientId, "rotation", { keepFormerSeconds: 0 })]) {
          expect([refused.status, refused.json.code]).toEqual([403, "OWN_CREDENTIALS_NOT_ALLOWED"])
        }
        expect((await act(made.clientId, "revocation")).status).toBe(200)
      } finally {
        forbidCredentials(false)
      }
    })

    describe("restricted to premises", () => {
      it.each(keyedKinds.map((kind) => [kind.name, kind] as const))("%s of another premise is refused, before and after it was issued under the same key", async (_name, { prepare }) => {
        const { body, path: where } = await prepare(api)
        const key = newKey()
        const before = await api.post(where, body, { key, credential: elsewhere })
        expect([403, 404]).toContain(before.status)
        const own = await api.post(where, body, { key, credential: here })
        expect([201, 202]).toContain(own.status)
        const after = await api.post(where, body, { key, credential: elsewhere })
        expect([after.status, after.text]).toEqual([before.status, before.text])
      })

      it("reads what is of its premise, and finds what is of another one as little as what does not exist", async () => {
        const sale = (await api.post("/v1/fiscal-documents", sampleSale(api.target))).json.id
        const made = await Promise.all(keyedKinds.filter((it) => ["a refund", "opening a case", "a proforma", "a delivery"].includes(it.name)).map(async ({ name: what, prepare }) => {
          const { body, path: where } = await prepare(api)
          return [what, (await api.post(where, body)).json.id as string] as const
        }))
        const ids: Readonly<Record<string, string>> = Object.fromEntries(made)
        const named: Readonly<Record<string, string | undefined>> = {
          fiscalDocumentId: sale, operationId: sale, refundWorkflowId: ids["a refund"], advanceCaseId: ids["opening a case"], workflowId: ids["a proforma"], receiptDeliveryId: ids["a delivery"], representationFormat: "official-text"
        }
        const reading = operations.filter(({ method, premises }) => method === "GET" && premises === "path")
        expect(reading.length).toBeGreaterThanOrEqual(9)
        for (const operation of reading) {
          const at = (id: (text: string) => string) => operation.path.replaceAll(/\{(\w+)\}/g, (_all, parameter: string) => parameter === "representationFormat" ? "official-text" : id(named[parameter] ?? ""))
          const own = await api.get(at((id) => id), here)
          // The log of the journal has it some moments later; another refusal would have another code.
          expect(own.status === 200 || ["proveJournalInclusion", "readProof"].includes(operation.id), `${operation.id}: ${own.text}`).toBe(true)
          const unknown = randomUUID()
          const absent = await api.get(at(() => unknown), here)
          const foreign = await api.get(at((id) => id), elsewhere)
          expect([foreign.status, foreign.text], operation.id).toEqual([404, absent.text.replaceAll(unknown, at((id) => id).match(/[0-9a-f-]{36}/)?.[0] ?? "")])
        }
      })

      it("[proves:CREDENTIAL_RESTRICTED_TO_PREMISES] asks for one premise where a list or report is about all, and for another credential where it always is", async () => {
        const { businessPremiseId, taxpayerId } = api.target
        const paths = operations.filter(({ premises }) => premises === "query").map((operation) => operation.path)
        expect(paths.length).toBeGreaterThanOrEqual(4)
        for (const list of paths) {
          const required = list === "/v1/tax-rates" ? `&taxpayerId=${taxpayerId}` : ""
          expect((await api.get(`${list}?businessPremiseId=${businessPremiseId.toUpperCase()}${required}`, here)).status, list).toBe(200)
          for (const query of [`businessPremiseId=${businessPremiseId}${required}`, ...(required === "" ? ["pageSize=1", ""] : [])]) {
            const refused = await api.get(`${list}?${query === "pageSize=1" && list !== "/v1/journal" ? "" : query}`, elsewhere)
            expect([refused.status, refused.json.code], `${list}?${query}`).toEqual([403, "CREDENTIAL_RESTRICTED_TO_PREMISES"])
          }
        }
        for (const operation of operations.filter(({ premises, scope }) => premises === "whole" && scope !== "credentials:manage")) {
          const refused = await callOperation(api, operation, await api.token(here))
          expect([refused.status, refused.json.code], operation.id).toEqual([403, "CREDENTIAL_RESTRICTED_TO_PREMISES"])
        }
      })

      it("sees only its own premise and element in their lists; what is not of one premise stays as it is", async () => {
        const premises = `/v1/taxpayers/${api.target.taxpayerId}/business-premises`
        expect((await api.get(premises, here)).json.items.map(({ id }: { readonly id: string }) => id)).toEqual([api.target.businessPremiseId])
        expect((await api.get(premises, elsewhere)).json.items).toEqual([])
        const elementsOf = async (credential: ClientCredential) =>
          (await api.get("/v1/security-elements", credential)).json.items.map((it: { readonly businessPremiseId: string }) => it.businessPremiseId)
        expect(await elementsOf(here)).toContain(api.target.businessPremiseId)
        expect(await elementsOf(elsewhere)).not.toContain(api.target.businessPremiseId)
        expect(operations.filter((it) => it.premises === "everybody").map(({ id }) => id).toSorted()).toEqual(open.toSorted())
      })

      it.each([["spaces", (id: string) => ` ${id}`], ["braces", (id: string) => `{${id}}`], ["no hyphens", (id: string) => id.replaceAll("-", "")], ["a list", (id: string) => [id]], ["nothing", () => null]])(
        "no other spelling of a premise gets around it: %s",
        async (_what, spell) => {
          const body = { ...sampleSale(api.target), businessPremiseId: spell(api.target.businessPremiseId) }
          expect([403, 422]).toContain((await api.post("/v1/fiscal-documents", body, { credential: elsewhere })).status)
          const upper = { ...sampleSale(api.target), businessPremiseId: api.target.businessPremiseId.toUpperCase() }
          expect((await api.post("/v1/fiscal-documents", upper, { credential: elsewhere })).status).toBe(403)
        }
      )
    })
  })
