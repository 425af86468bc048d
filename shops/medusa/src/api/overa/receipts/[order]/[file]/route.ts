import { receiptPdf } from "../../../../../../../shared/src/receiptPdf.ts"
import { readShop } from "../../../../../../../shared/src/Shop.ts"
import { readOrderRow } from "../../../../../kept/Database.ts"
import { readSettings } from "../../../../../kept/settings.ts"
import type { Request, Response } from "../../../../../kept/http.ts"

/** The PDF of a receipt to whoever has its link: the document's random id makes it as secret as the receipt's own verification link. */
export const GET = async ({ params, scope }: Request, response: Response): Promise<void> => {
  const { receipts } = await readOrderRow(scope, params["order"] ?? "")
  const receipt = receipts.find(({ id }) => `${id}.pdf` === params["file"])
  const shop = readShop(await readSettings(scope))
  if (receipt === undefined || shop === null) return response.status(404).end()
  const pdf = await receiptPdf(shop.client, receipt.id).catch(() => null)
  if (pdf === null) {
    response.setHeader("Retry-After", "10")
    return response.status(503).end()
  }
  response.setHeader("Content-Type", "application/pdf")
  response.setHeader("Content-Disposition", `inline; filename="${receipt.number}.pdf"`)
  response.setHeader("Cache-Control", "private, no-store")
  response.status(200).end(Buffer.from(pdf))
}
