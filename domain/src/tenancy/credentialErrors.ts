import { Schema } from "effect"

/** The request is not about one of the premises that the credential is restricted to. Source: docs/adr/0180. */
export class CredentialRestrictedToPremises
  extends Schema.TaggedError<CredentialRestrictedToPremises>()("CredentialRestrictedToPremises", {})
{
  readonly code = "CREDENTIAL_RESTRICTED_TO_PREMISES"
}

/** No credential of that id in the organization and environment, or one that an operator alone manages. Source: docs/adr/0180. */
export class CredentialNotFound extends Schema.TaggedError<CredentialNotFound>()("CredentialNotFound", { clientId: Schema.String }) {
  readonly code = "CREDENTIAL_NOT_FOUND"
}

/** The operator has forbidden the organization to issue credentials itself. Source: docs/adr/0180. */
export class OwnCredentialsNotAllowed extends Schema.TaggedError<OwnCredentialsNotAllowed>()("OwnCredentialsNotAllowed", {}) {
  readonly code = "OWN_CREDENTIALS_NOT_ALLOWED"
}
