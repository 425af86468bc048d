import type { PageFolder } from "../PageFolder.ts"
import { accountRoutes } from "./accountPage.ts"
import { deviceRoutes } from "./devices.ts"
import { passkeyRoutes } from "./passkeyPages.ts"
import { passwordRoutes } from "./passwordPage.ts"
import { recoveryCodeRoutes } from "./recoveryCodes.ts"
import { secondFactorRoutes } from "./secondFactorPages.ts"

/** One's own password, second factor, sessions and devices. */
export const account: PageFolder = { navigation: [], routes: [...accountRoutes, ...deviceRoutes, ...passwordRoutes, ...secondFactorRoutes, ...recoveryCodeRoutes, ...passkeyRoutes] }
