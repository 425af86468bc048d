import type { Permission } from "@overa/domain"
import type { Effect } from "effect"
import type { PortalServices } from "../layers.ts"
import type { Reply } from "./Reply.ts"
import type { MemberVisit, PersonVisit, Visit } from "./Visit.ts"

/** Who may use a route. */
export type Access =
  /** No sign-in is needed. */
  | { readonly area: "open" }
  /** A person who has given the password; the second factor may still be missing. */
  | { readonly area: "half" }
  /** Every person who is signed in. */
  | { readonly area: "person" }
  /** Members whose role has the permission, in their chosen organization. */
  | { readonly area: "organization"; readonly permission: Permission }
  /** Operators with a second factor. */
  | { readonly area: "operator" }

/** A page or an act. */
export interface Route {
  readonly method: "GET" | "POST"
  /** With parameters as `:name`. */
  readonly path: string
  readonly access: Access
  readonly serve: (visit: Visit) => Effect.Effect<Reply, unknown, PortalServices>
  /** The largest form it accepts, where that is more than the usual limit. */
  readonly mostFormBytes?: number
}

type Serve<V> = (visit: V) => Effect.Effect<Reply, unknown, PortalServices>
type Method = Route["method"]

// For each area `visitOf` makes the visit that the type says; the router needs nothing else.
const route = <V extends Visit>(method: Method, path: string, access: Access, serve: Serve<V>): Route => ({
  method,
  path,
  access,
  serve: serve as Serve<Visit>
})

export const openRoute = (method: Method, path: string, serve: Serve<Visit>): Route => route(method, path, { area: "open" }, serve)

export const halfRoute = (method: Method, path: string, serve: Serve<PersonVisit>): Route => route(method, path, { area: "half" }, serve)

export const personRoute = (method: Method, path: string, serve: Serve<PersonVisit>): Route => route(method, path, { area: "person" }, serve)

export const memberRoute = (method: Method, path: string, permission: Permission, serve: Serve<MemberVisit>, more: Pick<Route, "mostFormBytes"> = {}): Route => ({
  ...route(method, path, { area: "organization", permission }, serve),
  ...more
})

export const operatorRoute = (method: Method, path: string, serve: Serve<PersonVisit>): Route => route(method, path, { area: "operator" }, serve)
