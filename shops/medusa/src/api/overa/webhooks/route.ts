import { verifyWebhook } from "@overa/client"
import { readShop } from "../../../../../shared/src/Shop.ts"
import { lookSoon } from "../../../kept/fiscalizer.ts"
import { readSettings } from "../../../kept/settings.ts"
import { idOf } from "../../../kept/ShopOrder.ts"
import type { Request, Response } from "../../../kept/http.ts"

/** A webhook only says when to look: what it tells is read from the service again. */
export const POST = async (request: Request, response: Response): Promise<void> => {
  const shop = readShop(await readSettings(request.scope))
  const event = await verifyWebhook({ body: request.rawBody?.toString("utf8") ?? "", header: (name) => request.headers[name]?.toString() }, shop?.webhookSecrets ?? [])
  if (event === null) return response.status(401).end()
  const id = "clientReference" in event.data && event.data.clientReference !== null ? idOf(event.data.clientReference) : null
  if (id !== null) lookSoon(request.scope, id)
  response.status(204).end()
}
