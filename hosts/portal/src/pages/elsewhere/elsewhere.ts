import type { PageFolder } from "../PageFolder.ts"
import { elsewhereImportRoutes } from "./elsewhereImport.ts"
import { elsewhereListRoutes } from "./elsewhereList.ts"
import { elsewhereReceiptRoutes } from "./elsewhereReceipt.ts"

/** Receipts that another ESIR has issued: the list, one receipt, the import. */
export const elsewhere: PageFolder = {
  navigation: [{ path: "/elsewhere", words: ["Други ЕСИР", "Another ESIR"], shownTo: "receipts:read" }],
  routes: [...elsewhereListRoutes, ...elsewhereReceiptRoutes, ...elsewhereImportRoutes]
}
