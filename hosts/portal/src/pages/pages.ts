import { account } from "./account/account.ts"
import { start } from "./start/start.ts"
import { language } from "./language/language.ts"
import { organization } from "./organization/organization.ts"
import type { PageFolder } from "./PageFolder.ts"
import { receipts } from "./receipts/receipts.ts"
import { signIn } from "./sign-in/signIn.ts"

/** Every folder of pages, in the order of the navigation. A new one is one folder and one line here. */
export const pageFolders: ReadonlyArray<PageFolder> = [start, receipts, account, organization, signIn, language]
