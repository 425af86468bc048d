import { printedTin } from "../certificates/ElementRegister.ts"
import type { Element } from "../certificates/Element.ts"
import { signatureVerifies } from "../receipts/signature.ts"
import { decodeVerificationLink, type VerificationLink } from "../receipts/verificationLink.ts"
import type { ReceiptBodies, ReceiptSummary } from "../receipts/ReceiptStore.ts"
import type { SimulatedEnvironment, Simulation } from "../Simulation.ts"

export type KeptReceipt = ReceiptBodies & { readonly summary: ReceiptSummary }

/** The result of checking a link. */
export type Verification =
  | { readonly readable: false }
  | {
    readonly readable: true
    /** The signature verifies with the key of this environment's signer and the receipt is on record. */
    readonly isValid: boolean
    readonly link: VerificationLink
    readonly invoiceNumber: string
    readonly element: Element | undefined
    readonly kept: KeptReceipt | null
  }

/** The stored receipt with the link's number, unless it is another receipt (the fault `duplicate-number`). */
const keptFor = async (environment: SimulatedEnvironment, link: VerificationLink, invoiceNumber: string): Promise<KeptReceipt | null> => {
  const kept = await environment.receipts.bodiesOf(invoiceNumber)
  if (kept === null) return null
  const signature: unknown = JSON.parse(kept.answer).signature
  return signature === Buffer.from(link.signature).toString("base64") ? kept : null
}

/** Checks the value of `vl`, already percent-decoded. */
export const verifyLink = async (simulation: Simulation, environment: SimulatedEnvironment, vl: string): Promise<Verification> => {
  const link = decodeVerificationLink(vl)
  if (link === null) return { readable: false }
  const invoiceNumber = `${link.requestedBy}-${link.signedBy}-${link.totalCounter}`
  const element = simulation.elements.find(link.requestedBy)
  const signer = environment.signers.find(({ uid }) => uid === link.signedBy)
  const genuine = element !== undefined && signer !== undefined &&
    signatureVerifies(printedTin(element), link, link.signature, signer.publicKey)
  const kept = genuine ? await keptFor(environment, link, invoiceNumber) : null
  return { readable: true, isValid: kept !== null, link, invoiceNumber, element, kept }
}
