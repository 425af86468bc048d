import { Result, Schema } from "effect"
import { VatStatus } from "../tenancy/Taxpayer.ts"
import { listMember, textMember } from "./bodyTree.ts"
import { type BodyRule, requestDecoder } from "./decodeRequest.ts"
import { faultAt, type RequestFaults } from "./Fault.ts"
import { formOf, listField, optional, textField } from "./fields.ts"

const address = optional(textField(300).annotate({ description: "Street and number." }))
const city = optional(textField(100).annotate({ description: "City." }))

const taxIdentifierField = textField(9, formOf(/^[0-9]{9}$/, "must be nine digits"))

const PremiseRegistrationShape = Schema.Struct({
  puIdentifier: textField(50).annotate({ description: "The tax authority's premise identifier; immutable." }),
  name: textField(350).annotate({ description: "Its name." }),
  address,
  city
}).annotate({ identifier: "BusinessPremiseRegistration", description: "One business premise." })

/** The body of `POST /v1/taxpayers`. Source: Decisions §5, setup; bounds as of BuyerDetails (Spec, Resources). */
export const TaxpayerRegistrationShape = Schema.Struct({
  taxIdentifier: taxIdentifierField.annotate({ description: "The tax identifier (PIB), nine digits; immutable." }),
  name: textField(350).annotate({ description: "Registered name." }),
  address,
  city,
  vatStatus: VatStatus.annotate({ description: "Whether the taxpayer is in the VAT system." }),
  businessPremises: listField(PremiseRegistrationShape, { one: "premise", many: "premises", most: 1000 }).annotate({
    description: "Its premises."
  })
}).annotate({ identifier: "TaxpayerRegistration", description: "A taxpayer and its premises, in the credential's environment." })

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
  const known = new Set<string>()
  return listMember(body, "businessPremises").flatMap((premise, index) => {
    const identifier = textMember(premise, "puIdentifier")
    if (identifier === undefined) return []
    if (known.has(identifier)) return [faultAt(["businessPremises", index, "puIdentifier"], "must differ from the other premises' identifiers")]
    known.add(identifier)
    return []
  })
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

/** One more premise of a taxpayer, with the same bounds as in the registration. */
export const decodePremiseRegistration = (body: unknown): Result.Result<PremiseRegistration, RequestFaults> => Result.map(decodePremise(body), toPremise)
