import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, vi } from "vitest"
import { accessToken } from "./accessToken.ts"
import { type WholeInstallation, wholeInstallation } from "./wholeInstallation.ts"

/** Files of one receipt from a whole installation, as a buyer, an accountant or an inspector would have them. */
export interface VerifiedFiles {
  readonly installation: WholeInstallation
  readonly folder: string
  readonly path: (name: string) => string
  readonly write: (name: string, content: string | Uint8Array) => string
  readonly link: string
  readonly proof: Proof
  /** The receipt's proof as it is now. */
  readonly readProof: () => Promise<Proof>
  /** As the signer wrote it into the signed messages. */
  readonly tin: string
  readonly jids: { readonly requestedBy: string; readonly signedBy: string }
  readonly close: () => Promise<void>
}

// The cases change members of all kinds.
// oxlint-disable-next-line typescript/no-explicit-any
export type Proof = any

interface Signer {
  readonly uid: string
  readonly publicKeyPem: string
}

const sell = async ({ api, shop }: WholeInstallation, token: string): Promise<Proof> => {
  const answer = await fetch(`${api.url}/v1/fiscal-documents`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": "verified-files-0001" },
    body: JSON.stringify({
      taxpayerId: shop.taxpayerId,
      businessPremiseId: shop.businessPremiseId,
      clientReference: "=ORDER 7",
      invoiceType: "NORMAL",
      transactionType: "SALE",
      cashier: { id: "web" },
      buyer: { id: "10:100000008" },
      items: [{ name: "Књига", unitOfMeasure: "ком", quantity: 2, unitPrice: 1234.5, taxLabels: ["A"] }],
      payments: [{ type: "CARD", amount: 2469 }],
      metadata: { phone: "0641234567" }
    })
  })
  expect(answer.status).toBe(201)
  return answer.json()
}

/** Issues a receipt and stores its PDF, pictures, proof, export, the log's checkpoint, and the public keys. */
export const verifiedFiles = async (): Promise<VerifiedFiles> => {
  const installation = await wholeInstallation()
  const folder = mkdtempSync(join(tmpdir(), "overa-verify-"))
  const path = (name: string): string => join(folder, name)
  const write: VerifiedFiles["write"] = (name, content) => {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), content)
    return path(name)
  }
  const token = await accessToken(installation.api, installation.shop)
  const get = (address: string) => fetch(`${installation.api.url}${address}`, { headers: { Authorization: `Bearer ${token}` } })
  const document = await sell(installation, token)
  const proofAddress = `/v1/fiscal-documents/${document.id}/proof`
  const readProof = async () => await (await get(proofAddress)).json() as Proof
  const sealed = async () => (await readProof()).journal?.entries.length
  await vi.waitUntil(async () => await sealed() === 4, { timeout: 40_000, interval: 300 })
  const proof = await readProof()
  write("proof.json", JSON.stringify(proof))
  const representations = `/v1/fiscal-documents/${document.id}/representations`
  for (const [format, name] of [["pdf-a4", "receipt.pdf"], ["preview-png", "receipt.png"], ["qr-svg", "qr.svg"]] as const) {
    write(name, new Uint8Array(await (await get(`${representations}/${format}`)).arrayBuffer()))
  }
  write("export.csv", await (await get("/v1/journal/export?delimiter=semicolon")).text())
  write("checkpoint.txt", await (await get("/v1/journal/checkpoint")).text())
  write("keys/log.vkey", await (await get("/.well-known/overa-journal-key")).text())
  const { sandbox } = await (await fetch(`${installation.desk.simulator.controlUrl}/signers`)).json() as { readonly sandbox: ReadonlyArray<Signer> }
  for (const { publicKeyPem, uid } of sandbox) write(`keys/${uid}.pem`, publicKeyPem)
  const { requestedBy, signedBy, verificationUrl } = document.pfr
  return {
    installation,
    folder,
    path,
    write,
    link: verificationUrl,
    proof,
    readProof,
    tin: `RS${installation.element.tin}`,
    jids: { requestedBy, signedBy },
    close: async () => {
      rmSync(folder, { recursive: true, force: true })
      await installation.close()
    }
  }
}
