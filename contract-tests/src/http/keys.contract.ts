import { operations } from "@overa/rest-api"
import { beforeAll, describe, expect, it } from "vitest"
import { type ApiAnswer, ApiClient, newKey } from "../support/ApiClient.ts"
import type { ApiTarget } from "./ApiTarget.ts"
import { type KeyedKind, keyedKinds, type KeyedRequest } from "./keyedRequests.ts"
import { sampleSale } from "./sampleSale.ts"

const differs = "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST"
const elsewhere = "IDEMPOTENCY_KEY_REUSED_IN_OTHER_ENVIRONMENT"

/** The deployment from the view of its production credential. */
const inProduction = ({ labels, production, ...target }: ApiTarget): ApiTarget => ({
  ...target,
  ...production,
  production,
  labels: { sandbox: labels.production, production: labels.production }
})

/** Where what holds a key is read: a document, a case that the key opened, a delivery. */
const holderPaths = ["/v1/operations", "/v1/advance-cases", "/v1/receipt-deliveries"]

/** Kinds that store no document under their key. */
const withoutDocument = keyedKinds.filter(({ name }) => name === "opening a case" || name === "a delivery")

const pairs = withoutDocument.flatMap((one, index) =>
  keyedKinds.filter((other) => other !== one && !withoutDocument.slice(0, index).includes(other)).map((other) => [one.name, other.name, one, other] as const))

/**
 * An organization's keys are one set, whatever operation they were used for: every keyed operation is tested against every other, generated from the
 * list of kinds. Source: Decisions §3; Spec, Limits.
 */
export const keysContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: one set of keys for all operations`, () => {
    let api: ApiClient
    let production: ApiClient
    beforeAll(async () => {
      const target = await start()
      api = await ApiClient.of(target)
      production = await ApiClient.of(inProduction(target))
    })
    const send = (by: ApiClient, { body, path }: KeyedRequest, key: string) => by.post(path, body, { key })
    const refused = ({ json, status }: ApiAnswer) => ({ status, code: json.code, operationId: json.operationId })

    it("tries every operation that takes a key", () => {
      const declared = operations.filter(({ idempotent }) => idempotent).map(({ id }) => id)
      expect([...new Set(keyedKinds.map(({ operation }) => operation))].sort()).toEqual([...new Set(declared)].sort())
    })

    describe.each(keyedKinds.map((kind) => [kind.name, kind] as const))("a key used by %s", (_name, kind: KeyedKind) => {
      let key: string
      let first: ApiAnswer
      let request: KeyedRequest
      beforeAll(async () => {
        key = newKey()
        request = await kind.prepare(api)
        first = await send(api, request, key)
        expect(first.status, first.text).toBe(201)
      })

      it("is refused to every kind of other content, in both environments, and each is told whose it is", async () => {
        const operationId = kind.holder(first.json)
        for (const other of keyedKinds) {
          const here = await send(api, other.ofNothing(api.target), key)
          expect(refused(here), other.name).toEqual({ status: 409, code: differs, operationId })
          const there = await send(production, other.ofNothing(production.target), key)
          expect(refused(there), other.name).toEqual({ status: 409, code: elsewhere, operationId })
        }
      })

      it("is refused to every other kind that succeeds under a key of its own", async () => {
        const operationId = kind.holder(first.json)
        for (const other of keyedKinds.filter((one) => one !== kind)) {
          const ready = await other.prepare(api)
          expect(refused(await send(api, ready, key)), other.name).toEqual({ status: 409, code: differs, operationId })
          expect((await send(api, ready, newKey())).status, other.name).toBe(201)
        }
      })

      it("is refused with words that say where its holder is read", async () => {
        const { json } = await send(api, kind.ofNothing(api.target), key)
        const found = []
        for (const path of holderPaths) if ((await api.get(`${path}/${json.operationId}`)).status === 200) found.push(path)
        expect(found).toHaveLength(1)
        expect(json.message).toContain(`${found[0]}/{id}`)
      })

      it("still answers its own request", async () => {
        const again = await send(api, request, key)
        expect(again.status).toBe(200)
        expect(again.headers.get("idempotency-replayed")).toBe("true")
        expect(kind.holder(again.json)).toBe(kind.holder(first.json))
      })
    })

    it.each(pairs)("has one winner between %s and %s at once", async (_one, _other, one, other) => {
      for (let round = 0; round < 3; round += 1) {
        const key = newKey()
        const requests = await Promise.all([one.prepare(api), other.prepare(api)])
        const answers = await Promise.all(requests.map((request) => send(api, request, key)))
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
        const [won] = answers.flatMap((answer, index) => (answer.status === 201 ? [(index === 0 ? one : other).holder(answer.json)] : []))
        const lost = answers.find(({ status }) => status === 409)
        expect(lost?.json).toMatchObject({ code: differs, operationId: won })
      }
    })

    it.each(withoutDocument.map((kind) => [kind.name, kind] as const))("shows %s nowhere as a document", async (_name, kind) => {
      const { json } = await send(api, await kind.prepare(api), newKey())
      for (const path of ["/v1/operations", "/v1/fiscal-documents"]) expect((await api.get(`${path}/${json.id}`)).status).toBe(404)
      const journal = await api.get("/v1/journal?pageSize=20")
      expect(journal.json.items.map(({ id }: { readonly id: string }) => id)).not.toContain(json.id)
    })

    it("never matches a key that the service has composed", async () => {
      const closing = keyedKinds.find(({ name: kind }) => kind === "a closing")
      if (closing === undefined) throw new Error("there is no closing")
      const key = newKey()
      expect((await send(api, await closing.prepare(api), key)).status).toBe(201)
      const composed = await api.post("/v1/fiscal-documents", sampleSale(api.target), { key: `${key}:advance-refund` })
      expect(composed.status).toBe(201)
    })
  })
