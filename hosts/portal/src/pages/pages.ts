import { account } from "./account/account.ts"
import { start } from "./start/start.ts"
import { activity } from "./activity/activity.ts"
import { books } from "./books/books.ts"
import { catalogue } from "./catalogue/catalogue.ts"
import { credentials } from "./credentials/credentials.ts"
import { members } from "./members/members.ts"
import { language } from "./language/language.ts"
import { organization } from "./organization/organization.ts"
import type { PageFolder } from "./PageFolder.ts"
import { receipts } from "./receipts/receipts.ts"
import { reports } from "./reports/reports.ts"
import { operator } from "./operator/operator.ts"
import { setup } from "./setup/setup.ts"
import { subscription } from "./subscription/subscription.ts"
import { signIn } from "./sign-in/signIn.ts"

/** Every folder of pages, in the order of the navigation. A new one is one folder and one line here. */
export const pageFolders: ReadonlyArray<PageFolder> = [start, receipts, reports, books, catalogue, setup, credentials, members, activity, subscription, operator, account, organization, signIn, language]
