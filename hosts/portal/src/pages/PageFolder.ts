import type { Permission } from "@overa/domain"
import type { Route } from "../http/Route.ts"

/** An entry of the navigation. */
export interface NavigationEntry {
  readonly path: string
  readonly words: readonly [serbian: string, english: string]
  /** The readers of this navigation entry: members with the permission, or operators. */
  readonly shownTo: Permission | "operator"
}

/** A folder of pages: its routes, and its place in the navigation. */
export interface PageFolder {
  readonly routes: ReadonlyArray<Route>
  readonly navigation: ReadonlyArray<NavigationEntry>
}
