import type { PageFolder } from "../PageFolder.ts"
import { billingActs } from "./acts/billingActs.ts"
import { closingActs } from "./acts/closingActs.ts"
import { elementActs } from "./acts/elementActs.ts"
import { erasureActs } from "./acts/erasureActs.ts"
import { installationActs } from "./acts/installationActs.ts"
import { journalActs } from "./acts/journalActs.ts"
import { leavingActs } from "./acts/leavingActs.ts"
import { organizationActs } from "./acts/organizationActs.ts"
import { rehearsalActs } from "./acts/rehearsalActs.ts"
import { restoreActs } from "./acts/restoreActs.ts"
import { shopActs } from "./acts/shopActs.ts"
import { tenancyActs } from "./acts/tenancyActs.ts"
import { actRoutes } from "./OperatorAct.ts"
import { billingRoutes } from "./billingPages.ts"
import { behindReason } from "./behindReason.ts"
import { onboardingRoutes } from "./onboarding/onboarding.ts"
import { openRoutes } from "./openedFor.ts"
import { organizationRoutes } from "./organizationPages.ts"
import { overviewRoutes } from "./overviewPages.ts"
import { unknownActs, unknownRoutes } from "./unknownPages.ts"

const acts = [...organizationActs, ...tenancyActs, ...shopActs, ...elementActs, ...rehearsalActs, ...erasureActs, ...leavingActs, ...installationActs, ...journalActs, ...restoreActs, ...unknownActs, ...closingActs, ...billingActs]

/** The operators' own area; each act asks for its reason. */
export const operator: PageFolder = {
  navigation: [
    { path: "/operator", words: ["Инсталација", "Installation"], shownTo: "operator" },
    { path: "/operator/organizations", words: ["Организације", "Organizations"], shownTo: "operator" },
    { path: "/operator/unknown", words: ["Непознати исходи", "Unknown outcomes"], shownTo: "operator" },
    { path: "/operator/attention", words: ["За пажњу", "Attention"], shownTo: "operator" },
    { path: "/operator/elements", words: ["Елементи", "Elements"], shownTo: "operator" },
    { path: "/operator/billing", words: ["Наплата", "Billing"], shownTo: "operator" },
    { path: "/operator/installation", words: ["Поставке", "Settings"], shownTo: "operator" },
    { path: "/operator/activity", words: ["Дневник", "Activity"], shownTo: "operator" }
  ],
  // Acts first, because /organizations/add is not the page of an organization.
  routes: [...openRoutes, ...[...acts.flatMap(actRoutes), ...onboardingRoutes, ...overviewRoutes, ...organizationRoutes, ...unknownRoutes, ...billingRoutes].map(behindReason)]
}
