import type { BusinessPremise } from "./BusinessPremise.ts"
import type { Taxpayer, VatStatus } from "./Taxpayer.ts"
import type { SecurityElementId } from "./identifiers.ts"

export interface NewBusinessPremise {
  readonly puIdentifier: string
  readonly name: string
  readonly address: string | null
  readonly city: string | null
}

export interface NewTaxpayer {
  readonly taxIdentifier: string
  readonly name: string
  readonly address: string | null
  readonly city: string | null
  readonly vatStatus: VatStatus
  readonly businessPremises: ReadonlyArray<NewBusinessPremise>
}

/** A new premise; the element is null where none was assigned (production, or an empty sandbox pool). */
export interface CreatedPremise {
  readonly premise: BusinessPremise
  readonly elementId: SecurityElementId | null
}

export interface CreatedTaxpayer {
  readonly taxpayer: Taxpayer
  readonly premises: ReadonlyArray<CreatedPremise>
}

/** How many an organization may register by itself, in one environment. */
export interface RegistrationQuota {
  readonly taxpayers: number
  readonly premises: number
}
