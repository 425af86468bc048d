import { lookSoon } from "../../../../../kept/fiscalizer.ts"
import { readOrderRow } from "../../../../../kept/Database.ts"
import type { Request, Response } from "../../../../../kept/http.ts"

/** What the shop's people see at an order. */
export const GET = async ({ params, scope }: Request, response: Response): Promise<void> => {
  const { latest, receipts, status } = await readOrderRow(scope, params["id"] ?? "")
  response.json({ receipt: latest ?? null, receipts, status })
}

/** Looks at the order again soon: for who does not want to wait. */
export const POST = async ({ params, scope }: Request, response: Response): Promise<void> => {
  lookSoon(scope, params["id"] ?? "")
  response.status(202).json({})
}
