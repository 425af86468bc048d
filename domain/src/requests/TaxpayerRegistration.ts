import { Result, Schema } from "effect"
import { VatStatus } from "../tenancy/Taxpayer.ts"
import { listMember, textMember } from "./bodyTree.ts"
import { type BodyRule, requestDecoder } from "./decodeRequest.ts"
import { faultAt, type RequestFaults } from "./Fault.ts"
import { optional, textField } from "./textField.ts"

const address = optional(textField(300))
const city = optional(textField(100))

const taxIdentifierField = textField(9, {
  form: (text) => (/^\d{9}$/.test(text) ? undefined : "must be nine digits"),
  pattern: "^[0-9]{9}$"
})

const PremiseRegistrationShape = Schema.Struct({ puIdentifier: textField(50), name: textField(350), address, city })

/** The body of `POST /v1/taxpayers`. Source: Decisions §5, setup; bounds as of BuyerDetails (Spec, Resources). */
export const TaxpayerRegistrationShape = Schema.Struct({
  taxIdentifier: taxIdentifierField,
  name: textField(350),
  address,
  city,
  vatStatus: VatStatus,
  businessPremises: Schema.Array(PremiseRegistrationShape)
    .check(
      Schema.makeFilter(
        (premises: ReadonlyArray<unknown>) => {
          if (premises.length === 0) return "must have at least one premise"
          return premises.length > 1000 ? "must have at most 1000 premises" : undefined
        },
        { toJsonSchema: () => ({ minItems: 1, maxItems: 1000 }) }
      )
    )
})

interface Place {
  readonly name: string
  readonly address: string | null
  readonly city: string | null
}

/** A taxpayer with its premises, to be registered in the credential's environment. */
export interface TaxpayerRegistration extends Place {
  readonly taxIdentifier: string
  readonly vatStatus: VatStatus
  readonly businessPremises: ReadonlyArray<PremiseRegistration>
}

/** A premise to be registered. */
export interface PremiseRegistration extends Place {
  readonly puIdentifier: string
}

const premisesDiffer: BodyRule = (body) => {
  const identifiers = listMember(body, "businessPremises").map((premise) => textMember(premise, "puIdentifier"))
  return identifiers.flatMap((identifier, index) =>
    identifier !== undefined && identifiers.indexOf(identifier) < index
      ? [faultAt(["businessPremises", index, "puIdentifier"], "must differ from the other premises' identifiers")]
      : []
  )
}

const toAddress = (at: { readonly address?: string | null; readonly city?: string | null }) => ({
  address: at.address ?? null,
  city: at.city ?? null
})

const toPremise = (premise: typeof PremiseRegistrationShape.Type): PremiseRegistration => ({
  puIdentifier: premise.puIdentifier,
  name: premise.name,
  ...toAddress(premise)
})

const decode = requestDecoder(TaxpayerRegistrationShape)

export const decodeTaxpayerRegistration = (body: unknown): Result.Result<TaxpayerRegistration, RequestFaults> =>
  Result.map(decode(body, [premisesDiffer]), (request) => ({
    taxIdentifier: request.taxIdentifier,
    name: request.name,
    ...toAddress(request),
    vatStatus: request.vatStatus,
    businessPremises: request.businessPremises.map(toPremise)
  }))

const decodePremise = requestDecoder(PremiseRegistrationShape)

/** One more premise of a taxpayer, with the bounds of the registration. */
export const decodePremiseRegistration = (body: unknown): Result.Result<PremiseRegistration, RequestFaults> => Result.map(decodePremise(body), toPremise)
