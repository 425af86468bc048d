import type { EnvironmentName } from "./EnvironmentName.ts"
import type { HeaderForm } from "./receipts/journalText.ts"
import type { PaymentDecimals } from "./protocol/readInvoiceRequest.ts"
import type { InternalDataBytes } from "./receipts/Signer.ts"
import type { LabelOrder } from "./taxes/taxItems.ts"
import type { ClientCertificateMode } from "./server/EnvironmentServer.ts"
import type { NotFoundForm } from "./Simulation.ts"

export interface EnvironmentOptions {
  /** The HTTPS port; 0 or absent means any free one. */
  readonly port?: number
  /** The plain HTTP port of the verification page; 0 or absent means any free one. */
  readonly verificationPort?: number
  /** What links begin with, up to and including `?vl=`; the own verification page when absent. */
  readonly verificationRoot?: string
}

export interface SimulatorOptions {
  /** Where keys, elements, rates and receipts are kept. Absent: a temporary directory, deleted on stop. */
  readonly dataDirectory?: string
  /** The address the HTTPS and verification servers listen on; 127.0.0.1 when absent. Control is always 127.0.0.1. */
  readonly host?: string
  /** Further names and addresses for the server certificates, beside localhost, 127.0.0.1 and ::1. */
  readonly hostNames?: ReadonlyArray<string>
  readonly controlPort?: number
  readonly environments?: Partial<Record<EnvironmentName, EnvironmentOptions>>
  /** Signers per environment, 1..20; three when absent. */
  readonly signers?: number
  /** Default `handshake`. */
  readonly clientCertificate?: ClientCertificateMode
  /** Default `200-null`. */
  readonly notFoundForm?: NotFoundForm
  /** Default `centred`. */
  readonly headerForm?: HeaderForm
  /** Default 400. */
  readonly pacRefusalStatus?: 400 | 401 | 403
  /** Default `first-use`. */
  readonly labelOrder?: LabelOrder
  /** Default 256. */
  readonly internalDataBytes?: InternalDataBytes
  /** Default 2. */
  readonly paymentDecimals?: PaymentDecimals
  /** The clock of receipts, rates and element validity, Unix milliseconds; the system clock when absent. */
  readonly now?: () => number
}
