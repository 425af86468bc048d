import { readOrderRow } from "../../../../../kept/Database.ts"
import type { Request, Response } from "../../../../../kept/http.ts"

/** What a storefront shows of an order's receipts. Whoever has an order's random id reads the order from Medusa, and its receipts here. */
export const GET = async ({ params, scope }: Request, response: Response): Promise<void> => {
  const { latest, receipts } = await readOrderRow(scope, params["id"] ?? "")
  response.json({ receipt: latest ?? null, receipts })
}
