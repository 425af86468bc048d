import type { PageFolder } from "../PageFolder.ts"
import { forgottenRoutes } from "./forgottenPages.ts"
import { issuerRoutes } from "./issuerPages.ts"
import { recoveryRoutes } from "./recoveryPages.ts"
import { secondFactorRoutes } from "./secondFactorPages.ts"
import { signInRoutes } from "./signInPages.ts"

/** Signing in and out. */
export const signIn: PageFolder = { navigation: [], routes: [...signInRoutes, ...secondFactorRoutes, ...recoveryRoutes, ...issuerRoutes, ...forgottenRoutes] }
