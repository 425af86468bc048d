import { beforeAll, describe, expect, it } from "vitest"
import { ApiClient } from "../support/ApiClient.ts"
import type { ApiTarget, ReadyCredential } from "./ApiTarget.ts"
import { sampleSale } from "./sampleSale.ts"

interface EventJson {
  readonly id: string
  readonly sequence: number
  readonly type: string
  readonly data: { readonly fiscalDocumentId: string; readonly invoiceNumber: string | null; readonly resource: { readonly url: string } }
}

/** The events of documents: an extension of the contract. Source: docs/adr/0176. */
export const eventsContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: events`, () => {
    let api: ApiClient
    beforeAll(async () => {
      api = await ApiClient.of(await start())
    })

    const issue = async (of?: ReadyCredential) => {
      const issued = await api.post("/v1/fiscal-documents", sampleSale(api.target, of === undefined ? {} : { of }), of === undefined ? {} : { credential: of })
      expect(issued.status).toBe(201)
      return issued.json
    }

    const page = async (query: string, credential?: ReadyCredential): Promise<{ readonly items: ReadonlyArray<EventJson>; readonly last: number }> => {
      const answer = await api.get(`/v1/events?${query}`, credential)
      expect(answer.status).toBe(200)
      return answer.json
    }

    /** The event of a document; the worker numbers events every few seconds. */
    const eventOf = async (id: string, after: number): Promise<EventJson> => {
      for (let tries = 0; tries < 150; tries += 1) {
        const found = (await page(`after=${after}&pageSize=200`)).items.find(({ data }) => data.fiscalDocumentId === id)
        if (found !== undefined) return found
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error("the document had no event within fifteen seconds")
    }

    it("tell of each receipt behind the last event that the caller has, with its number and where to read it", async () => {
      const { last } = await page("pageSize=1")
      const receipt = await issue()
      const event = await eventOf(receipt.id, last)
      expect(event.type).toBe("document.fiscalized")
      expect(event.sequence).toBeGreaterThan(last)
      expect(event.data.invoiceNumber).toBe(receipt.pfr.invoiceNumber)
      expect((await api.get(event.data.resource.url)).json.id).toBe(receipt.id)
      expect((await page(`after=${event.sequence - 1}&pageSize=1`)).items).toEqual([event])
    })

    it("read in pages, have every number once and are the same in every reading", async () => {
      for (let count = 0; count < 3; count += 1) {
        const { last: before } = await page("pageSize=1")
        await eventOf((await issue()).id, before)
      }
      const { items, last } = await page("after=0&pageSize=200")
      const read: Array<EventJson> = []
      while (read.length < items.length) {
        const { items: some } = await page(`after=${read.length}&pageSize=2${read.length === 0 ? "" : `&afterId=${read.at(-1)?.id}`}`)
        expect(some.length).toBeGreaterThanOrEqual(1)
        read.push(...some)
      }
      expect(read.slice(0, items.length)).toEqual(items)
      expect(items.map(({ sequence }) => sequence)).toEqual(items.map((_, index) => index + 1))
      expect(last).toBeGreaterThanOrEqual(items.length)
    })

    it("[proves:EVENT_SEQUENCE_CHANGED] are refused to a caller who has other events: the database was restored", async () => {
      const { last } = await page("pageSize=1")
      const event = await eventOf((await issue()).id, last)
      const another = `evt_${"0".repeat(32)}`
      for (const query of [`after=${event.sequence}&afterId=${another}`, "after=900000000000", `after=900000000000&afterId=${event.id}`]) {
        const answer = await api.get(`/v1/events?${query}`)
        expect([answer.status, answer.json.code]).toEqual([409, "EVENT_SEQUENCE_CHANGED"])
      }
      await page(`after=${event.sequence}&afterId=${event.id}`)
    })

    it.each([
      ["after=-1", ["After"]],
      ["after=one", ["After"]],
      ["afterId=evt_1", ["AfterId"]],
      ["after=1&after=2", ["After"]],
      ["pageSize=201", ["PageSize"]],
      ["after=1000000000000000", ["After"]],
      ["after=x&pageSize=0", ["After", "PageSize"]],
      ["before=1", ["Before"]]
    ])("a query ?%s is a problem at %j", async (query, names) => {
      const answer = await api.get(`/v1/events?${query}`)
      expect(answer.status).toBe(422)
      expect(Object.keys(answer.json.errors as object).toSorted()).toEqual([...names])
    })

    it("are apart for each organization and environment", async () => {
      const { last } = await page("pageSize=1")
      const foreign = [await issue(api.target.other)]
      expect((await page("pageSize=200", api.target.production)).items.filter(({ data }) => data.fiscalDocumentId === foreign[0]?.id)).toEqual([])
      const own = await issue()
      await eventOf(own.id, last)
      const { items } = await page(`after=${last}&pageSize=200`)
      expect(items.filter(({ data }) => foreign.some(({ id }) => id === data.fiscalDocumentId))).toEqual([])
    })
  })
