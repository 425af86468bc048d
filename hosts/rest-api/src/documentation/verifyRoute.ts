import { findVerifyPage } from "@overa/verify/page"
import type { PublicRoute } from "../http/router.ts"

/** `/verify`: the page that checks receipts and proofs in the reader's own browser. Public; it sends no data to any server (Decisions §14, Verify). */
export const verifyRoute: PublicRoute = {
  method: "GET",
  path: "/verify",
  serve: async (context) => {
    const { html, policy } = await findVerifyPage()
    context.set("Content-Type", "text/html; charset=utf-8")
    context.set("Content-Security-Policy", `${policy}; frame-ancestors 'none'`)
    context.set("Cache-Control", "public, max-age=300")
    context.body = html
  }
}
