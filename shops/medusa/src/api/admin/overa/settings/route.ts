import { shownSettings, writeSettings } from "../../../../kept/settings.ts"
import { labels } from "../../../../kept/labels.ts"
import type { Request, Response } from "../../../../kept/http.ts"

/** Settings, with words for each; secrets are not answered. */
export const GET = async ({ scope }: Request, response: Response): Promise<void> => response.json({ ...(await shownSettings(scope)), labels })

export const POST = async ({ body, scope }: Request, response: Response): Promise<void> => {
  await writeSettings(scope, (typeof body === "object" && body !== null ? body : {}) as Readonly<Record<string, unknown>>)
  response.json(await shownSettings(scope))
}
