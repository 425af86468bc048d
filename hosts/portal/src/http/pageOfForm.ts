import { pageFolders } from "../pages/pages.ts"

const pattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`)

let known: ReadonlyArray<RegExp> | null = null
const pages = (): ReadonlyArray<RegExp> => known ??= pageFolders.flatMap(({ routes }) => routes).filter(({ method }) => method === "GET").map(({ path }) => pattern(path))

/**
 * The page that shows the form that is sent to an address: the page there, or the one above it.
 *
 * @example pageOfForm("/receipts/0190…/refund/check") // "/receipts/0190…/refund"
 */
export const pageOfForm = (action: string): string => {
  for (let path = action; path !== ""; path = path.slice(0, path.lastIndexOf("/"))) {
    if (pages().some((it) => it.test(path))) return path
  }
  return "/"
}
