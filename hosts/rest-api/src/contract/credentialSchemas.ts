import { Environment, GrantableScope } from "@overa/domain"
import { type JsonSchema, list, nullable, object, oneOfTexts, ref, text, utcTime, uuid } from "@overa/host-kit/contract"

const credentialFields: Readonly<Record<string, JsonSchema>> = {
  clientId: text("Its client id."),
  name: nullable(text("Its name; null where it was issued without one.")),
  environment: oneOfTexts("The environment of the calling credential.", Environment.literals),
  scopes: list("What it may do.", oneOfTexts("One scope.", GrantableScope.literals)),
  businessPremiseIds: nullable(list("The only premises that it may be used for; null where every one.", uuid("One premise."))),
  createdAt: utcTime("When it was issued."),
  lastUsedAt: nullable(utcTime("When it last got a token, to the hour; null if it never did.")),
  formerSecretUntil: nullable(utcTime("Until when the secret before the last rotation is accepted; null where none is.")),
  revokedAt: nullable(utcTime("When it was revoked; null while it is valid."))
}

/** Credentials of an organization. Source: docs/adr/0180. */
export const credentialSchemas: Readonly<Record<string, JsonSchema>> = {
  Credential: object("A credential, without its secret.", credentialFields),
  CredentialList: object("The organization's credentials in the environment of the calling one, oldest first.", { items: list("The credentials.", ref("Credential")) }),
  CredentialWithSecret: object("A credential and its new secret, which no other answer has.", { ...credentialFields, clientSecret: text("The secret: keep it, it cannot be read again.") })
}
