import type { PageFolder } from "../PageFolder.ts"
import { brandingRoutes } from "./brandingPage.ts"
import { elementRoutes } from "./elementPage.ts"
import { goingLiveRoutes } from "./goingLivePage.ts"
import { mailRoutes } from "./mailPage.ts"
import { registrationRoutes } from "./registrationPages.ts"
import { rehearsalRoutes } from "./rehearsalPage.ts"
import { setupRoutes } from "./setupPage.ts"

/** Taxpayers, premises, security elements, and the look of receipts. */
export const setup: PageFolder = {
  navigation: [{ path: "/setup", words: ["Подешавања", "Setup"], shownTo: "setup:read" }],
  routes: [...setupRoutes, ...registrationRoutes, ...elementRoutes, ...brandingRoutes, ...mailRoutes, ...goingLiveRoutes, ...rehearsalRoutes]
}
