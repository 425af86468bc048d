import type { PageFolder } from "../PageFolder.ts"
import { againRoutes } from "./againPages.ts"
import { copyRoutes } from "./copyAct.ts"
import { exportRoutes } from "./exportFiles.ts"
import { paperRoutes } from "./paperFiles.ts"
import { proofRoutes } from "./proofFile.ts"
import { receiptRoutes } from "./receiptPage.ts"
import { listRoutes } from "./receiptsPage.ts"
import { refundRoutes } from "./refundPages.ts"
import { savedSearchRoutes } from "./savedSearches.ts"
import { wholeRefundRoutes } from "./wholeRefund.ts"
import { verifyRoutes } from "./verifyPage.ts"
import { sendRoutes } from "./sendPages.ts"

/** Receipts: the list, one receipt, its paper, copies and refunds. */
export const receipts: PageFolder = {
  navigation: [{ path: "/receipts", words: ["Рачуни", "Receipts"], shownTo: "receipts:read" }],
  routes: [...listRoutes, ...savedSearchRoutes, ...exportRoutes, ...receiptRoutes, ...proofRoutes, ...verifyRoutes, ...paperRoutes, ...copyRoutes, ...againRoutes, ...refundRoutes, ...wholeRefundRoutes, ...sendRoutes]
}
