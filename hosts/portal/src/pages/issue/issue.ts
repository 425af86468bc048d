import type { PageFolder } from "../PageFolder.ts"
import { issueRoutes } from "./issuePages.ts"

/** Documents that a person issues by hand. */
export const issue: PageFolder = {
  navigation: [{ path: "/issue", words: ["Издај рачун", "Issue a receipt"], shownTo: "receipts:issue" }],
  routes: issueRoutes
}
