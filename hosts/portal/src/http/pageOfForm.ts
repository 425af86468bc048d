import { pageFolders } from "../pages/pages.ts"

type Parts = ReadonlyArray<string>

let known: ReadonlyArray<Parts> | null = null
const pages = (): ReadonlyArray<Parts> => known ??= pageFolders.flatMap(({ routes }) => routes).filter(({ method }) => method === "GET").map(({ path }) => path.split("/"))

/** A parameter of the route, as `:id`, is any text that is not empty. */
const isAt = (route: Parts, path: Parts): boolean =>
  route.length === path.length && route.every((part, at) => part.startsWith(":") ? path[at] !== "" : part === path[at])

/**
 * The page that shows the form that is sent to an address: the page there, or the one above it.
 *
 * @example pageOfForm("/issue/0190…/entry") // "/issue/0190…"
 */
export const pageOfForm = (action: string): string => {
  for (let path = action; path !== ""; path = path.slice(0, path.lastIndexOf("/"))) {
    const parts = path.split("/")
    if (pages().some((route) => isAt(route, parts))) return path
  }
  return "/"
}
