import { BigDecimal, Result, Schema } from "effect"
import { OwnScope, Scope } from "../tenancy/Caller.ts"
import type { BusinessPremiseId } from "../tenancy/identifiers.ts"
import { requestDecoder } from "./decodeRequest.ts"
import type { RequestFaults } from "./Fault.ts"
import { listField, optional, secondsField, textField, uuidField } from "./fields.ts"

/** Bounds of what an organization makes itself. Source: docs/adr/0180. */
export const credentialLimits = {
  nameLength: 100,
  /** Premises that one credential may be restricted to. */
  premises: 50,
  /** The longest time for which a secret is accepted after it was replaced: 30 days. */
  keepSeconds: 2_592_000,
  /** Valid credentials of an environment that Owners make in the portal. */
  byOwners: 50,
  /** Valid credentials of an environment, where a program makes them over the API. */
  byPrograms: 5_000
} as const

/** The body of `POST /v1/credentials`. */
export const NewCredentialShape = Schema.Struct({
  name: textField(credentialLimits.nameLength).annotate({ description: "So that people know it in a list." }),
  scopes: optional(
    listField(OwnScope.annotate({ description: "One scope." }), { one: "scope", many: "scopes", most: OwnScope.literals.length }).annotate({ description: "What it may do; the twelve scopes of the contract if left out." })
  ),
  businessPremiseIds: optional(
    listField(uuidField.annotate({ description: "One business premise." }), { one: "premise", many: "premises", most: credentialLimits.premises }).annotate({
      description: "The only premises that it may be used for; every one of the organization, also later ones, if left out."
    })
  )
}).annotate({ identifier: "NewCredential", description: "A credential of the organization, in the environment of the calling credential." })

/** A credential to be made. */
export interface NewCredential {
  readonly name: string
  readonly scopes: ReadonlyArray<OwnScope>
  readonly premises: ReadonlyArray<BusinessPremiseId> | null
}

const decodeCredential = requestDecoder(NewCredentialShape)

export const decodeNewCredential = (body: unknown): Result.Result<NewCredential, RequestFaults> =>
  Result.map(decodeCredential(body), ({ businessPremiseIds, name, scopes }) => ({
    name,
    scopes: OwnScope.literals.filter((it) => ((scopes ?? Scope.literals) as ReadonlyArray<OwnScope>).includes(it)),
    premises: businessPremiseIds === null || businessPremiseIds === undefined ? null : [...new Set(businessPremiseIds.map((it) => it.toLowerCase() as BusinessPremiseId))]
  }))

/** The body of `POST /v1/credentials/{clientId}/rotation`. */
export const CredentialRotationShape = Schema.Struct({
  keepFormerSeconds: secondsField(credentialLimits.keepSeconds).annotate({
    description: "For how long the secret before is accepted as well, so that every machine gets the new one in time; 0 ends it at once."
  })
}).annotate({ identifier: "CredentialRotation", description: "How a secret is replaced." })

const decodeRotation = requestDecoder(CredentialRotationShape)

export const decodeCredentialRotation = (body: unknown): Result.Result<{ readonly keepSeconds: number }, RequestFaults> =>
  Result.map(decodeRotation(body), ({ keepFormerSeconds }) => ({ keepSeconds: BigDecimal.toNumberUnsafe(keepFormerSeconds) }))
