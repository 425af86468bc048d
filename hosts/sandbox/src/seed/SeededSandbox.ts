import { Schema } from "effect"

const Client = Schema.Struct({ clientId: Schema.String, clientSecret: Schema.String })

const Shop = Schema.Struct({ ...Client.fields, taxpayerId: Schema.String, businessPremiseId: Schema.String })

/** The ready organization and the other one, with the secrets of their credentials (Decisions §8). */
export const SeededSandbox = Schema.Struct({
  organizationId: Schema.String,
  sandbox: Shop,
  production: Shop,
  other: Shop,
  noEnvironment: Client,
  /** Credentials with scopes beside the twelve; absent in a sandbox of an earlier release. */
  webhooks: Schema.optionalKey(Schema.Struct({ sandbox: Client, production: Client, other: Client })),
  management: Schema.optionalKey(Client)
})
export type SeededSandbox = typeof SeededSandbox.Type
export type SeededShop = typeof Shop.Type
export type SeededClient = typeof Client.Type
