import { type ElementCredentials, SellerDetails, type SellerOnReceipt } from "@overa/domain"
import { Effect, Layer } from "effect"
import { X509Certificate } from "node:crypto"
import { VpfrElements } from "./VpfrElements.ts"

/** An attribute's text as in the certificate, trailing blanks included; the first one where it is repeated, the empty text where it is missing. */
const textOf = (attribute: unknown): string => {
  const first: unknown = Array.isArray(attribute) ? attribute[0] : attribute
  return typeof first === "string" ? first : ""
}

/** The subject of the element's certificate, which is the first of the chain (V-PFR §3, §9). */
const sellerOf = ({ certificateChain, tin }: ElementCredentials): SellerOnReceipt => {
  const subject: Readonly<Record<string, unknown>> = { ...new X509Certificate(certificateChain).toLegacyObject().subject }
  return {
    tin,
    businessName: textOf(subject["O"]),
    locationName: textOf(subject["OU"]),
    address: textOf(subject["street"]),
    district: textOf(subject["ST"])
  }
}

/** The seller as the V-PFR prints it, from the certificates of the elements this process has. */
export const VpfrSellerDetails = {
  layer: Layer.effect(
    SellerDetails,
    Effect.gen(function*() {
      const elements = yield* VpfrElements
      return SellerDetails.of({
        ofElement: (organizationId, id) =>
          elements.open(organizationId, id).pipe(
            Effect.map(({ credentials }) => sellerOf(credentials)),
            Effect.catchTag("SubmissionNotPossible", () => Effect.succeed(null))
          )
      })
    })
  ).pipe(Layer.provide(VpfrElements.layer))
}
