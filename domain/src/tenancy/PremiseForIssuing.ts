import type { BusinessPremise } from "./BusinessPremise.ts"
import type { SecurityElement } from "./SecurityElement.ts"
import type { PaperFormat, Taxpayer } from "./Taxpayer.ts"
import type { SecurityElementId } from "./identifiers.ts"

/** A premise with everything a fiscal mutation checks or captures. */
export interface PremiseForIssuing {
  readonly taxpayer: Taxpayer
  /** Null when the premise belongs to another taxpayer or environment. */
  readonly premise: BusinessPremise | null
  readonly activeElement: {
    readonly id: SecurityElementId
    readonly jid: string
    readonly environment: SecurityElement["environment"]
    readonly validTo: SecurityElement["validTo"]
  } | null
  readonly preferredPaperFormat: PaperFormat
  readonly brandingId: string | null
}
