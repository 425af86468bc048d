import { canonicalContent, leafHash, openCheckpoint, readBodyTree, readVerifierKey, verifyInclusion } from "@overa/domain"
import { Result } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { beforeAll, describe, expect, it } from "vitest"
import { ApiClient } from "../support/ApiClient.ts"
import type { ApiTarget } from "./ApiTarget.ts"
import { sampleSale } from "./sampleSale.ts"

const path = "/v1/fiscal-documents"

interface Place {
  readonly origin: string
  readonly publicKey: string
  readonly checkpoint: string
  readonly entries: ReadonlyArray<{ readonly index: number; readonly leaf: string; readonly inclusion: ReadonlyArray<string> }>
}

const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex")

/** Checks every entry against the checkpoint and the key in the same answer. */
const expectInLog = (place: Place): void => {
  const key = readVerifierKey(place.publicKey) ?? expect.fail("no verifier key")
  const checkpoint = openCheckpoint(place.checkpoint, [key], place.origin) ?? expect.fail("the checkpoint is not signed by the key")
  for (const { inclusion, index, leaf } of place.entries) {
    const proof = inclusion.map((hash) => Uint8Array.from(Buffer.from(hash, "base64")))
    expect(verifyInclusion({ index, leaf: leafHash(Buffer.from(leaf)), proof, root: checkpoint.root, size: checkpoint.size })).toBe(true)
  }
}

/** One file for a dispute or an inspection. Source: Decisions §14, Proof of a document; §17. `signs`: this deployment's V-PFR signs as the real one does. */
export const proofContract = (name: string, start: () => Promise<ApiTarget>, { signs }: { readonly signs: boolean }) =>
  describe(`${name}: proof`, () => {
    let api: ApiClient
    beforeAll(async () => {
      api = await ApiClient.of(await start())
    })
    const issued = async () => {
      const sale = JSON.stringify(sampleSale(api.target, { clientReference: randomUUID() }), null, 1)
      const { json } = await api.post(path, sale)
      return { sale, document: json }
    }
    const proofOf = async (id: string) => (await api.get(`${path}/${id}/proof`)).json

    it("has the members of the specification, and the request byte for byte with what its fingerprint is taken of", async () => {
      const { document, sale } = await issued()
      const proof = await proofOf(document.id)
      expect(Object.keys(proof)).toEqual(["version", "document", "request", "attempts", "transitions", "answer", "journal"])
      expect(proof.version).toBe(1)
      expect(proof.document).toEqual(document)
      expect(proof.request).toMatchObject({ method: "POST", path, received: sale, fingerprintRule: 1 })
      expect(sha256(proof.request.canonical)).toBe(proof.request.fingerprint)
      expect(proof.request.canonical).toBe(canonicalContent(`POST ${path}`, Result.getOrThrow(readBodyTree(sale))))
    })

    it("tells every attempt and every transition, with who made it", async () => {
      const { document } = await issued()
      const { attempts, transitions } = await proofOf(document.id)
      expect(attempts).toEqual([expect.objectContaining({ number: 1, jid: document.pfr.requestedBy, outcome: "SIGNED", lastSearch: null })])
      expect(attempts[0].requestId).toMatch(/^[0-9a-f]{32}$/)
      expect(transitions.map(({ to }: { readonly to: string }) => to)).toEqual(["RECEIVED", "VALIDATED", "SUBMITTING", "FISCALIZED"])
      expect(transitions[3]).toMatchObject({ from: "SUBMITTING", cause: "signed", attempt: 1, actor: expect.stringMatching(/^api:/) })
    })

    it("is read by the tenant alone, and is a 404 for what is not there", async () => {
      const { document } = await issued()
      const { other } = api.target
      const foreign = await api.get(`${path}/${document.id}/proof`, other)
      expect([foreign.status, foreign.json.code]).toEqual([404, "FISCAL_DOCUMENT_NOT_FOUND"])
      expect((await api.get(`${path}/17/proof`)).json.code).toBe("FISCAL_DOCUMENT_NOT_FOUND")
    })

    it.each(signs ? ["has the V-PFR's answer byte for byte, and says of two facts of its link that no signature covers them"] : [])("%s", async () => {
      const { document } = await issued()
      const { answer } = await proofOf(document.id)
      const signed = JSON.parse(Buffer.from(answer.text, "base64").toString())
      expect([signed.journal, signed.verificationUrl, signed.invoiceNumber]).toEqual([document.pfr.journal, document.pfr.verificationUrl, document.pfr.invoiceNumber])
      expect(answer.verification).toMatchObject({
        link: { requestedBy: document.pfr.requestedBy, signedBy: document.pfr.signedBy, totalCounter: document.pfr.totalCounter, totalAmount: 2401 },
        undamaged: true,
        leadsToAuthority: true,
        standing: { requestedBy: "NOT_COVERED", signedBy: "NOT_COVERED" }
      })
      expect(["VALID", "NOT_CHECKED"]).toContain(answer.verification.signature)
      expect(answer.verification.standing.totalAmount).toBe(answer.verification.signature === "VALID" ? "PROVEN" : "CLAIMED")
    })

    it("places every transition in the journal's log within seconds, with digests of request and answer in the leaf", { timeout: 60_000 }, async () => {
      const { document, sale } = await issued()
      await expect.poll(async () => (await proofOf(document.id)).journal?.entries.length, { timeout: 40_000, interval: 500 }).toBe(4)
      const { answer, journal, transitions } = await proofOf(document.id)
      expectInLog(journal)
      const leaves = (journal as Place).entries.map(({ leaf }) => JSON.parse(leaf) as Readonly<Record<string, unknown>>)
      expect(leaves.map(({ to }) => to)).toEqual(transitions.map(({ to }: { readonly to: string }) => to))
      expect(new Set(leaves.map(({ request }) => request))).toEqual(new Set([sha256(sale)]))
      expect(leaves[3]).toMatchObject({ documentId: document.id, invoiceNumber: document.pfr.invoiceNumber, answer: sha256(Buffer.from(answer.text, "base64")) })
    })
  })
