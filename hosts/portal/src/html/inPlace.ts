import { h, isValidElement, type VNode } from "preact"
import { type Place, placePrefix } from "../http/Place.ts"
import type { Route } from "../http/Route.ts"
import { pageFolders } from "../pages/pages.ts"
import type { Html } from "./el.ts"

/** Pages of an organization, and a person's own pages beside them, are served in a place. */
export const isInPlace = ({ access: { area } }: Route): boolean => area === "organization" || area === "person"

const firstSegment = (path: string): string => /^\/([^/?#]*)/.exec(path)?.[1] ?? ""

/** The first words of addresses that are in a place; made at the first page, because folders import what pages are made of. */
let known: ReadonlySet<string> | null = null
const placedSegments = (): ReadonlySet<string> => known ??= new Set(pageFolders.flatMap(({ routes }) => routes).filter(isInPlace).map(({ path }) => firstSegment(path)))

/** The address of a page in the place; an address that is in none, or names its place already, stays. */
export const addressIn = (place: Place | null, address: string): string =>
  address.startsWith("/") && !address.startsWith("//") && placedSegments().has(firstSegment(address)) ? placePrefix(place) + address : address

const attributes = ["href", "action", "formAction", "src"] as const

type Attributes = Readonly<Record<string, unknown>> & { readonly children?: Html }

const ofElement = (element: VNode, place: Place): VNode => {
  const given = element.props as Attributes
  const addresses = attributes.flatMap((name) => typeof given[name] === "string" ? [[name, addressIn(place, given[name])] as const] : [])
  return h(element.type as string, { ...given, ...Object.fromEntries(addresses), children: htmlInPlace(given.children, place) })
}

/**
 * The content with every address of a page in the place: pages write `/receipts`, and nobody can forget where that is. Content is elements, lists and texts alone;
 * no page has components.
 */
export const htmlInPlace = (content: Html, place: Place | null): Html => {
  if (place === null) return content
  if (Array.isArray(content)) return content.map((part: Html) => htmlInPlace(part, place))
  return isValidElement(content) ? ofElement(content, place) : content
}
