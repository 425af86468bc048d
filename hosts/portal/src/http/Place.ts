import { Environment, OrganizationId } from "@overa/domain"

/** Where a person looks and acts. Every address of a page inside an organization begins with it, so two tabs may be in two places. */
export interface Place {
  readonly organizationId: OrganizationId
  readonly environment: Environment
}

/** How the address of a page in a place begins; for the router. */
export const placePattern = "/o/:inOrganization/:inEnvironment"

/** How addresses in this place begin; empty for none. */
export const placePrefix = (place: Place | null): string => place === null ? "" : `/o/${place.organizationId}/${place.environment}`

export const isSamePlace = (one: Place, other: Place): boolean => placePrefix(one) === placePrefix(other)

const form = /^\/o\/([0-9a-f-]{36})\/(sandbox|production)(?=\/|$)/

/** The place that an address begins with, and the path inside it; null where it begins with none. */
export const splitPlace = (path: string): { readonly place: Place; readonly path: string } | null => {
  const [prefix = "", organizationId = "", named] = form.exec(path) ?? []
  const environment = Environment.literals.find((it) => it === named)
  return environment === undefined ? null : { place: { organizationId: OrganizationId.make(organizationId), environment }, path: path.slice(prefix.length) || "/" }
}
