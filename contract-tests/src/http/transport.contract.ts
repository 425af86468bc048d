import { beforeAll, describe, expect, it } from "vitest"
import { ApiClient, newKey } from "../support/ApiClient.ts"
import type { ApiTarget } from "./ApiTarget.ts"
import { sampleSale } from "./sampleSale.ts"

const path = "/v1/fiscal-documents"

/** The checks of every request before any rule of receipts: Decisions §1, order of transport checks. */
export const transportContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: transport`, () => {
    let api: ApiClient
    beforeAll(async () => {
      api = await ApiClient.of(await start())
    })
    const raw = async (body: string, headers: Readonly<Record<string, string>> = {}) =>
      api.send({ method: "POST", path, token: await api.token(), key: newKey(), body, headers })

    it("[proves:NOT_FOUND] answers 404 to a path that is none, before asking for a token", async () => {
      const answer = await api.send({ method: "GET", path: "/v1/nothing" })
      expect(answer.status).toBe(404)
      expect(answer.json.code).toBe("NOT_FOUND")
    })

    it("[proves:METHOD_NOT_ALLOWED] answers 405 with Allow to a path that takes another method", async () => {
      const answer = await api.send({ method: "DELETE", path })
      expect(answer.status).toBe(405)
      expect(answer.json.code).toBe("METHOD_NOT_ALLOWED")
      expect(answer.headers.get("allow")).toBe("POST")
    })

    it.each(["/v1/fiscal-documents/", "//v1/runtime", "/V1/runtime"])(
      "answers 404 to the malformed path %s",
      async (malformed) => {
        const answer = await api.send({ method: "GET", path: malformed })
        expect(answer.status).toBe(404)
      }
    )

    it("asks for the token before it looks at the body", async () => {
      const answer = await api.send({ method: "POST", path, body: "{", headers: { "Content-Type": "text/csv" } })
      expect(answer.status).toBe(401)
    })

    it("[proves:REQUEST_TOO_LARGE] refuses a body over 1 MiB before its media type", async () => {
      const answer = await raw(" ".repeat(1_048_577), { "Content-Type": "text/plain" })
      expect(answer.status).toBe(413)
      expect(answer.json.code).toBe("REQUEST_TOO_LARGE")
    })

    it("takes a body of exactly 1 MiB", async () => {
      const sale = JSON.stringify(sampleSale(api.target))
      const answer = await raw(sale + " ".repeat(1_048_576 - Buffer.byteLength(sale)))
      expect(answer.status).toBe(201)
    })

    it.each([
      ["text/plain", {}],
      ["application/json; charset=latin1", {}],
      ["application/json", { "Content-Encoding": "gzip" }],
      ["application/json", { "Content-Encoding": "identity" }]
    ])("[proves:UNSUPPORTED_MEDIA_TYPE] refuses %s %j", async (type, headers) => {
      const answer = await raw("{", { "Content-Type": type, ...headers })
      expect(answer.status).toBe(415)
      expect(answer.json.code).toBe("UNSUPPORTED_MEDIA_TYPE")
    })

    it.each([
      ["nothing", ""],
      ["half a document", "{\"items\": ["],
      ["a repeated member", "{\"cashier\":1,\"cashier\":1}"],
      ["half a surrogate pair", "{\"clientReference\":\"\\ud800\"}"],
      ["two documents", "{}{}"],
      ["a comment", "{} // sale"],
      ["a number that is none", "{\"n\": 01}"],
      ["deep nesting", "[".repeat(100_000)]
    ])("[proves:MALFORMED_JSON] answers 400 to %s", async (_what, body) => {
      const answer = await raw(body)
      expect(answer.status).toBe(400)
      expect(answer.json.code).toBe("MALFORMED_JSON")
    })

    it("answers 400 to bytes that are not UTF-8", async () => {
      const answer = await fetch(api.target.baseUrl + path, {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${await api.token()}` },
        body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])
      })
      expect(answer.status).toBe(400)
    })

    it("skips one leading byte-order mark", async () => {
      const answer = await raw(`\uFEFF${JSON.stringify(sampleSale(api.target))}`)
      expect(answer.status).toBe(201)
    })

    it("reports the key and every fault of the body together, as one problem", async () => {
      const sale = { ...sampleSale(api.target), cashier: undefined, colour: "red", payments: [{ type: "CARD", amount: 1 }] }
      const answer = await api.send({ method: "POST", path, token: await api.token(), key: "short", body: sale })
      expect(answer.status).toBe(422)
      expect(answer.headers.get("content-type")).toBe("application/problem+json")
      expect(Object.keys(answer.json.errors).sort()).toEqual(["Cashier", "Colour", "IdempotencyKey", "totals"])
      expect(answer.json.details).toHaveLength(4)
      // A header has no pointer, so its name begins the sentence.
      expect(answer.json.details).toContainEqual({ pointer: "", message: "Idempotency-Key must be 16 to 200 visible ASCII characters" })
      expect(answer.json).toMatchObject({ status: 422 })
    })

    it("refuses numbers it could not keep exactly", async () => {
      const answer = await raw(JSON.stringify(sampleSale(api.target)).replace("1200.5", "1200.50000000000001"))
      expect(answer.status).toBe(422)
      expect(answer.json.details[0].pointer).toBe("/items/0/unitPrice")
    })

    it("refuses unknown query parameters", async () => {
      const answer = await api.get("/v1/taxpayers?page=2")
      expect(answer.status).toBe(422)
      expect(answer.json.errors).toEqual({ Page: ["is not a parameter of this operation"] })
      expect(answer.json.details).toEqual([{ pointer: "", message: "page is not a parameter of this operation" }])
    })

    it("echoes a sane X-Request-Id and makes its own where there is none", async () => {
      const given = await api.send({ method: "GET", path: "/v1/nothing", headers: { "X-Request-Id": "order-17" } })
      expect(given.headers.get("x-request-id")).toBe("order-17")
      const strange = await api.send({ method: "GET", path: "/v1/nothing", headers: { "X-Request-Id": "a b" } })
      expect(strange.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/)
    })
  })
