import { leafHash, type NoteKey, openCheckpoint, readVerifierKey, verifyConsistency, verifyInclusion } from "@overa/domain"
import { randomUUID } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { ApiClient } from "../support/ApiClient.ts"
import type { ApiTarget, ReadyCredential } from "./ApiTarget.ts"
import { sampleSale } from "./sampleSale.ts"

interface PlaceJson {
  readonly origin: string
  readonly publicKey: string
  readonly checkpoint: string
  readonly entries: ReadonlyArray<{ readonly index: number; readonly leaf: string; readonly inclusion: ReadonlyArray<string> }>
}

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64"))

/** The log of the journal: signed checkpoints, proofs that they hold a document, proofs that it only grew. Source: Decisions §14, §17. */
export const journalLogContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: the journal's log`, () => {
    let api: ApiClient
    let keys: ReadonlyArray<NoteKey>
    beforeAll(async () => {
      api = await ApiClient.of(await start())
      const answer = await fetch(`${api.target.baseUrl}/.well-known/overa-journal-key`)
      expect(answer.status).toBe(200)
      keys = (await answer.text()).trim().split("\n").map((line) => readVerifierKey(line)).filter((key) => key !== null)
      expect(keys.length).toBeGreaterThanOrEqual(1)
    })

    const issue = async (of?: ReadyCredential): Promise<string> => {
      const issued = await api.post("/v1/fiscal-documents", sampleSale(api.target, of === undefined ? {} : { of }), of === undefined ? {} : { credential: of })
      expect(issued.status).toBe(201)
      return issued.json.id as string
    }

    const get = (path: string, credential?: ReadyCredential) => api.get(path, credential)

    const checkpoint = async (credential?: ReadyCredential) => {
      const answer = await get("/v1/journal/checkpoint", credential)
      expect(answer.status).toBe(200)
      expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8")
      const origin = answer.text.split("\n")[0] ?? ""
      const found = openCheckpoint(answer.text, keys, origin)
      if (found === null) throw new Error(`the checkpoint does not verify: ${answer.text}`)
      return found
    }

    /** The worker seals every few seconds. */
    const sealed = async (id: string): Promise<PlaceJson> => {
      for (let tries = 0; tries < 150; tries += 1) {
        const answer = await get(`/v1/journal/inclusion/${id}`)
        expect(answer.status).toBe(200)
        const place = answer.json as PlaceJson
        if (place.entries.length > 0) return place
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error("the document was not sealed within fifteen seconds")
    }

    it("proves every transition of a receipt under a checkpoint that the published key verifies", async () => {
      const id = await issue()
      const place = await sealed(id)
      const found = openCheckpoint(place.checkpoint, keys, place.origin)
      expect(found).not.toBeNull()
      expect(readVerifierKey(place.publicKey)).not.toBeNull()
      expect(place.entries.map(({ leaf }) => (JSON.parse(leaf) as { to: string }).to)).toEqual(["RECEIVED", "VALIDATED", "SUBMITTING", "FISCALIZED"])
      for (const { inclusion, index, leaf } of place.entries) {
        const leafHashed = leafHash(new TextEncoder().encode(leaf))
        const asked = { index, leaf: leafHashed, proof: inclusion.map(bytes), root: found?.root ?? new Uint8Array(), size: found?.size ?? 0 }
        expect(verifyInclusion(asked)).toBe(true)
        expect((JSON.parse(leaf) as { documentId: string }).documentId).toBe(id)
      }
    })

    it("proves that the log only grew, between any two sizes", async () => {
      await sealed(await issue())
      const older = await checkpoint()
      await sealed(await issue())
      const newer = await checkpoint()
      expect(newer.size).toBeGreaterThan(older.size)
      const answer = await get(`/v1/journal/consistency?from=${older.size}&to=${newer.size}`)
      expect(answer.status).toBe(200)
      expect(answer.json).toMatchObject({ from: older.size, to: newer.size })
      const proof = (answer.json.proof as ReadonlyArray<string>).map(bytes)
      expect(verifyConsistency({ from: older.size, to: newer.size, fromRoot: older.root, toRoot: newer.root, proof })).toBe(true)
      expect((await get(`/v1/journal/consistency?from=0&to=${newer.size}`)).json).toEqual({ from: 0, to: newer.size, proof: [] })
      expect((await get(`/v1/journal/consistency?from=${newer.size}&to=${newer.size}`)).json.proof).toEqual([])
    })

    it.each([
      ["from=1", ["To"]],
      ["to=1", ["From"]],
      ["from=-1&to=1", ["From"]],
      ["from=01&to=1", ["From"]],
      ["from=1.5&to=2", ["From"]],
      ["from=a&to=b", ["From", "To"]],
      ["from=2&to=1", ["From"]],
      ["from=0&to=900000000000", ["To"]],
      ["from=0&to=1e3", ["To"]],
      ["from=0&to=99999999999999999999", ["To"]],
      ["from=0&to=0&to=0", ["To"]],
      ["from=0&to=0&more=1", ["More"]]
    ])("a query ?%s is a problem at %j", async (query, names) => {
      const answer = await get(`/v1/journal/consistency?${query}`)
      expect(answer.status).toBe(422)
      expect(Object.keys(answer.json.errors as object).toSorted()).toEqual([...names])
    })

    it("proves growth from the empty log by nothing at all", async () => {
      expect((await get("/v1/journal/consistency?from=0&to=0")).json).toEqual({ from: 0, to: 0, proof: [] })
    })

    it("answers as ever where cosignatures are not asked for", async () => {
      expect((await get("/v1/journal/checkpoint?cosigned=false")).text.split("\n")[0]).toBe((await checkpoint()).origin)
      for (const wrong of ["yes", "", "true&cosigned=true"]) {
        const answer = await get(`/v1/journal/checkpoint?cosigned=${wrong}`)
        expect([answer.status, Object.keys(answer.json.errors as object)], wrong).toEqual([422, ["Cosigned"]])
      }
    })

    it("[proves:COSIGNED_CHECKPOINT_NOT_FOUND] a checkpoint that witnesses have cosigned is not found where there are none", async () => {
      const answer = await get("/v1/journal/checkpoint?cosigned=true")
      expect([answer.status, answer.headers.get("content-type"), answer.json.code]).toEqual([404, "application/json", "COSIGNED_CHECKPOINT_NOT_FOUND"])
    })

    it("is apart for each organization and environment", async () => {
      const id = await issue(api.target.other)
      for (const path of [`/v1/journal/inclusion/${id}`, `/v1/journal/inclusion/${randomUUID()}`, "/v1/journal/inclusion/nonsense"]) {
        const answer = await get(path)
        expect([answer.status, answer.json.code]).toEqual([404, "FISCAL_DOCUMENT_NOT_FOUND"])
      }
      const origins = await Promise.all([undefined, api.target.production, api.target.other].map(async (of) => (await checkpoint(of)).origin))
      expect(new Set(origins).size).toBe(3)
    })
  })
