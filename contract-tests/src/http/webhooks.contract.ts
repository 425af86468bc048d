import { beforeAll, describe, expect, it } from "vitest"
import { ApiClient } from "../support/ApiClient.ts"
import { mintUuid } from "../support/mintIdentity.ts"
import type { ApiTarget } from "./ApiTarget.ts"

const newUrl = (): string => `https://shop.example/${mintUuid()}`

/** Endpoints that events are sent to: an extension of the contract. Source: docs/adr/0203. */
export const webhooksContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: webhook endpoints`, () => {
    let api: ApiClient
    beforeAll(async () => {
      const target = await start()
      api = await ApiClient.of({ ...target, ...target.webhooks.sandbox })
    })
    const put = async (at: string, body: object) => api.send({ method: "PUT", path: at, body, token: await api.token() })
    const made = async (body: object = {}) => {
      const answer = await api.post("/v1/webhook-endpoints", { url: newUrl(), ...body })
      expect(answer.status).toBe(201)
      return answer.json
    }
    const path = ({ id }: { readonly id: string }, rest = "") => `/v1/webhook-endpoints/${id}${rest}`
    const remove = async (endpoint: { readonly id: string; readonly url: string }) =>
      expect((await put(path(endpoint), { url: endpoint.url, status: "REMOVED" })).status).toBe(200)

    it("is made, read, listed, paused, resumed and removed; its secret is answered once", async () => {
      const url = newUrl()
      const answer = await api.post("/v1/webhook-endpoints", { url, description: "ERP", eventTypes: ["document.found"] })
      expect([answer.status, answer.headers.get("location")]).toEqual([201, `/v1/webhook-endpoints/${answer.json.id}`])
      const { secret, ...endpoint } = answer.json
      expect(Buffer.from(String(/^whsec_(.+)$/.exec(secret)?.[1]), "base64")).toHaveLength(32)
      expect(endpoint).toMatchObject({ url, description: "ERP", eventTypes: ["document.found"], signature: "v1", status: "ACTIVE", keys: [{ publicKey: null, validUntil: null }] })
      expect((await api.get(path(endpoint))).json).toEqual(endpoint)
      expect((await api.get("/v1/webhook-endpoints")).json.items).toContainEqual(endpoint)
      const paused = await put(path(endpoint), { url, status: "PAUSED" })
      expect(paused.json).toMatchObject({ status: "PAUSED", pausedBecause: "REQUESTED", description: null, eventTypes: null })
      expect((await put(path(endpoint), { url, status: "ACTIVE" })).json).toMatchObject({ status: "ACTIVE", pausedBecause: null })
      expect((await put(path(endpoint), { url, status: "REMOVED" })).json.status).toBe("REMOVED")
      expect((await api.get(path(endpoint))).status).toBe(404)
      expect((await api.get("/v1/webhook-endpoints")).json.items.map(({ id }: { readonly id: string }) => id)).not.toContain(endpoint.id)
    })

    it("is given another address, checked as a new one is; its keys, its place in the sequence and its id stay", async () => {
      const [endpoint, other] = [await made({ signature: "v1a", eventTypes: ["document.found"] }), await made()]
      const { id, keys, sequence } = endpoint
      const move = (url: string) => put(path(endpoint), { url, eventTypes: ["document.found"], status: "ACTIVE" })
      const url = newUrl()
      expect((await move(url)).json).toMatchObject({ id, url, keys, sequence, eventTypes: ["document.found"], status: "ACTIVE" })
      expect((await api.get(path(endpoint))).json.url).toBe(url)
      const taken = await move(other.url)
      expect([taken.status, taken.json.code, taken.json.webhookEndpointId]).toEqual([409, "WEBHOOK_ENDPOINT_ALREADY_EXISTS", other.id])
      for (const wrong of ["ftp://shop.example/", "https://user:secret@shop.example/", "https://shop.example/#part", "shop.example"]) {
        const answer = await move(wrong)
        expect([answer.status, Object.keys(answer.json.errors as object)]).toEqual([422, ["Url"]])
      }
      expect((await api.get(path(endpoint))).json.url).toBe(url)
      await remove({ id, url })
      await remove(other)
    })

    it("outside of the sandbox another address begins with https:// too", async () => {
      const credential = { credential: api.target.webhooks.production }
      const { json } = await api.post("/v1/webhook-endpoints", { url: newUrl() }, credential)
      const token = await api.token(api.target.webhooks.production)
      const change = (body: object) => api.send({ method: "PUT", path: path(json), body, token })
      const answer = await change({ url: `http://shop.example/${mintUuid()}`, status: "ACTIVE" })
      expect([answer.status, Object.keys(answer.json.errors as object)]).toEqual([422, ["Url"]])
      expect((await change({ url: json.url, status: "REMOVED" })).status).toBe(200)
    })

    it("is given another secret, and the former one signs beside it; of Ed25519 the public keys are shown", async () => {
      const endpoint = await made({ signature: "v1a" })
      expect(Buffer.from(String(/^whpk_(.+)$/.exec(endpoint.secret)?.[1]), "base64")).toHaveLength(32)
      expect(endpoint.keys).toEqual([{ publicKey: endpoint.secret, validUntil: null }])
      const rotated = await api.post(path(endpoint, "/secrets"), undefined)
      expect(rotated.status).toBe(201)
      expect(rotated.json.secret).not.toBe(endpoint.secret)
      expect(rotated.json.keys).toEqual([{ publicKey: rotated.json.secret, validUntil: null }, { publicKey: endpoint.secret, validUntil: expect.any(String) }])
      const hours = (Date.parse(rotated.json.keys[1].validUntil) - Date.parse(rotated.json.updatedAt)) / 3_600_000
      expect(hours).toBe(24)
      await remove(endpoint)
    })

    it("a test message and events are queued, and the log is empty until something was sent", async () => {
      const endpoint = await made()
      const tested = await api.post(path(endpoint, "/tests"), undefined)
      expect([tested.status, tested.json.queued]).toEqual([202, 1])
      expect(tested.json.eventId).toMatch(/^evt_test_[0-9a-f]{32}$/)
      const resent = await api.post(path(endpoint, "/resends"), { from: 900_000_000_000, to: 900_000_000_001 })
      expect([resent.status, resent.json]).toEqual([202, { queued: 0, eventId: null }])
      expect((await api.get(path(endpoint, "/attempts"))).status).toBe(200)
      await remove(endpoint)
    })

    it("[proves:WEBHOOK_ENDPOINT_ALREADY_EXISTS] an address has one endpoint", async () => {
      const endpoint = await made()
      const again = await api.post("/v1/webhook-endpoints", { url: endpoint.url })
      expect([again.status, again.json.code, again.json.webhookEndpointId]).toEqual([409, "WEBHOOK_ENDPOINT_ALREADY_EXISTS", endpoint.id])
      await remove(endpoint)
    })

    it("[proves:WEBHOOK_ENDPOINT_LIMIT_REACHED] an environment has at most twenty", async () => {
      const credential = { credential: api.target.webhooks.production }
      const all: Array<{ readonly id: string; readonly url: string }> = []
      let last = await api.post("/v1/webhook-endpoints", { url: newUrl() }, credential)
      for (; last.status === 201 && all.length <= 20; last = await api.post("/v1/webhook-endpoints", { url: newUrl() }, credential)) all.push(last.json)
      expect([last.status, last.json.code, last.json.limit]).toEqual([409, "WEBHOOK_ENDPOINT_LIMIT_REACHED", 20])
      for (const { id, url } of all) await api.send({ method: "PUT", path: path({ id }), body: { url, status: "REMOVED" }, token: await api.token(api.target.webhooks.production) })
    })

    it("[proves:WEBHOOK_ENDPOINT_NOT_FOUND] what is no endpoint is not found", async () => {
      for (const id of [mintUuid(), "one"]) {
        const answer = await api.get(path({ id }))
        expect([answer.status, answer.json.code]).toEqual([404, "WEBHOOK_ENDPOINT_NOT_FOUND"])
      }
    })

    it.each([
      [{ url: "ftp://shop.example/" }, ["Url"]],
      [{ url: "shop.example" }, ["Url"]],
      [{ url: "https://user:secret@shop.example/" }, ["Url"]],
      [{ url: "https://shop.example/#part" }, ["Url"]],
      [{ url: "https://shop.example/", eventTypes: [] }, ["EventTypes"]],
      [{ url: "https://shop.example/", eventTypes: ["document.signed"] }, ["EventTypes"]],
      [{ url: "https://shop.example/", signature: "v2" }, ["Signature"]],
      [{}, ["Url"]]
    ])("%j is a problem at %j", async (body, names) => {
      const answer = await api.post("/v1/webhook-endpoints", body)
      expect(answer.status).toBe(422)
      expect(Object.keys(answer.json.errors as object)).toEqual(names)
    })

    it("outside of the sandbox an address begins with https://", async () => {
      const answer = await api.post("/v1/webhook-endpoints", { url: `http://shop.example/${mintUuid()}` }, { credential: api.target.webhooks.production })
      expect([answer.status, Object.keys(answer.json.errors as object)]).toEqual([422, ["Url"]])
    })

    it.each([[{ from: 2, to: 1 }, ["To"]], [{ from: 1, to: 1_001 }, ["To"]], [{ from: 0, to: 1 }, ["From"]], [{ from: 1 }, ["To"]]])("a range %j is a problem at %j", async (range, names) => {
      const endpoint = await made()
      const answer = await api.post(path(endpoint, "/resends"), range)
      expect([answer.status, Object.keys(answer.json.errors as object)]).toEqual([422, names])
      await remove(endpoint)
    })
  })
