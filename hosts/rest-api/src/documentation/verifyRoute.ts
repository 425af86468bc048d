import { findVerifyPage } from "@overa/verify/page"
import { codeAnswer } from "../http/errorAnswer.ts"
import type { PublicRoute } from "../http/router.ts"
import { writeAnswer } from "../http/writeAnswer.ts"

/** `/verify`: the page that checks receipts and proofs in the reader's own browser. Public; it sends no data to any server (Decisions §14, Verify). */
export const verifyRoute: PublicRoute = {
  method: "GET",
  path: "/verify",
  serve: async (context) => {
    const page = await findVerifyPage()
    // An installation from a checkout without the development packages; a release has the page.
    if (page === null) return writeAnswer(context, codeAnswer("NOT_FOUND", "This installation was made without the page that checks receipts."))
    const { html, policy } = page
    context.set("Content-Type", "text/html; charset=utf-8")
    context.set("Content-Security-Policy", `${policy}; frame-ancestors 'none'`)
    context.set("Cache-Control", "public, max-age=300")
    context.body = html
  }
}
