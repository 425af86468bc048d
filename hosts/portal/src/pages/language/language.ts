import { Effect } from "effect"
import { localPath, redirect } from "../../http/Reply.ts"
import { openRoute } from "../../http/Route.ts"
import { isLanguage } from "../../language/Language.ts"
import type { PageFolder } from "../PageFolder.ts"

const year = 365 * 24 * 60 * 60

/** The reader's language, kept in the browser. */
export const language: PageFolder = {
  navigation: [],
  routes: [
    openRoute("POST", "/language", (visit) => {
      const chosen = visit.form?.text("language") ?? ""
      const back = localPath(visit.form?.text("back") ?? "/")
      return Effect.succeed(redirect(back, isLanguage(chosen) ? [{ name: "language", value: chosen, maxAgeSeconds: year }] : []))
    })
  ]
}
