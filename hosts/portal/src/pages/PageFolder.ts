import type { Permission } from "@overa/domain"
import type { Route } from "../http/Route.ts"

/** An entry of the navigation. */
export interface NavigationEntry {
  readonly path: string
  readonly words: readonly [serbian: string, english: string]
  /** Whose navigation it is in: members with the permission, operators. */
  readonly shownTo: Permission | "operator"
}

/** What a folder of pages gives to the portal: its routes, and where it stands in the navigation. */
export interface PageFolder {
  readonly routes: ReadonlyArray<Route>
  readonly navigation: ReadonlyArray<NavigationEntry>
}
