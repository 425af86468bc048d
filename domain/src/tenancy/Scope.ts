import { Schema } from "effect"

/** The twelve scopes of a credential. Source: Spec, Authentication 6. */
export const Scope = Schema.Literals([
  "fiscal:write",
  "fiscal:read",
  "refund:write",
  "advance:write",
  "advance:close",
  "proforma-training:write",
  "operations:read",
  "catalogue:read",
  "catalogue:write",
  "configuration:read",
  "tenant:read",
  "security-elements:read"
])
export type Scope = typeof Scope.Type
