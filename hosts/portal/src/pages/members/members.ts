import type { PageFolder } from "../PageFolder.ts"
import { invitationRoutes } from "./invitationPage.ts"
import { memberRoutes } from "./membersPage.ts"

/** Who may do what in the organization. */
export const members: PageFolder = {
  navigation: [{ path: "/members", words: ["Чланови", "Members"], shownTo: "setup:read" }],
  routes: [...memberRoutes, ...invitationRoutes]
}
