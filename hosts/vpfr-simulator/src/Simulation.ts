import type { CertificateAuthority } from "./certificates/certificateAuthority.ts"
import type { ElementRegister } from "./certificates/ElementRegister.ts"
import type { EnvironmentName } from "./EnvironmentName.ts"
import type { FaultBoard } from "./faults/FaultBoard.ts"
import type { HeaderForm } from "./receipts/journalText.ts"
import type { PaymentDecimals } from "./protocol/readInvoiceRequest.ts"
import type { ReceiptStore } from "./receipts/ReceiptStore.ts"
import type { InternalDataBytes, Signer } from "./receipts/Signer.ts"
import type { LabelOrder } from "./taxes/taxItems.ts"
import type { TaxRateRegister } from "./taxes/TaxRateRegister.ts"

export const notFoundForms = ["200-null", "200-empty", "204", "404"] as const
/** How an unknown RequestId is answered; the real form is unknown (V-PFR §1.6). */
export type NotFoundForm = (typeof notFoundForms)[number]

/** The settings that can be changed at run time. */
export interface Settings {
  notFoundForm: NotFoundForm
  headerForm: HeaderForm
  /** HTTP status of a missing or wrong PAC; the real one is unknown (V-PFR §1.7). */
  pacRefusalStatus: 400 | 401 | 403
  labelOrder: LabelOrder
  internalDataBytes: InternalDataBytes
  /** How many decimals of a payment's amount are signed; one more is refused with 2804. */
  paymentDecimals: PaymentDecimals
}

/** One environment's state. */
export interface SimulatedEnvironment {
  readonly name: EnvironmentName
  readonly authority: CertificateAuthority
  readonly signers: ReadonlyArray<Signer>
  readonly receipts: ReceiptStore
  /** Set once the ports are known. */
  url: string
  /** Everything before the link's base64, `https://…/v/?vl=`. */
  verificationRoot: string
  /** Requests are spread round robin over the signers (V-PFR §3, Counters). */
  readonly nextSigner: () => Signer
}

/** Everything the endpoints work on. */
export interface Simulation {
  readonly now: () => number
  readonly settings: Settings
  readonly faults: FaultBoard
  readonly elements: ElementRegister
  readonly taxRates: TaxRateRegister
  readonly environments: Readonly<Record<EnvironmentName, SimulatedEnvironment>>
}
