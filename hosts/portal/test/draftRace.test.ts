import { FiscalDocumentId, OperationStore } from "@overa/domain"
import { Effect, Option } from "effect"
import { assert, describe, it } from "vitest"
import type { Reply } from "../src/http/Reply.ts"
import type { Visit } from "../src/http/Visit.ts"
import type { DraftKind } from "../src/pages/drafts/DraftKind.ts"
import { draftRoutes } from "../src/pages/drafts/draftPages.ts"

const document = { id: FiscalDocumentId.make("01a218b2-166f-7715-b674-4231c85531a4"), content: {} }
const draft = "01a218b2-166f-7715-b674-4231c85531a5"

/** A draft that another request makes a document while this one reads what it is issued for: afterwards nothing is left to issue. */
const overtaken = () => {
  let isIssued = false
  const kind: DraftKind<null, null> = {
    route: "/receipts/:id/refund/:draft",
    title: () => "Refund",
    subject: () => Effect.sync(() => {
      isIssued = true
      return null
    }),
    start: () => null,
    typedIn: () => null,
    pressed: () => Effect.succeed({ typed: null, looked: { products: null, buyer: null, buyers: null } }),
    read: () => ({ quantity: "nothing is left" }),
    entries: () => null,
    issueWords: () => "Issue",
    nothing: () => "There is nothing to give back."
  }
  const store = { findByKey: () => Effect.sync(() => isIssued ? Option.some(document) : Option.none()) }
  return { kind, store }
}

const served = (method: "GET" | "POST", suffix: string): Promise<Reply> => {
  const { kind, store } = overtaken()
  const route = draftRoutes(kind).find((one) => one.method === method && one.path === `${kind.route}${suffix}`)
  if (route === undefined) throw new Error("no such route")
  const visit = {
    params: { id: "x", draft }, query: new URLSearchParams(), kept: null, form: method === "GET" ? null : { text: () => "" },
    organizationId: "o", tenant: {}, say: (serbian: string) => serbian
  } as unknown as Visit
  return Effect.runPromise(Effect.provideService(route.serve(visit), OperationStore, store as never) as Effect.Effect<Reply>)
}

describe("a draft that became a document while a request read what is left", () => {
  for (const [method, suffix, done] of [["GET", "", ""], ["POST", "/entry", "?done=already"], ["POST", "", "?done=already"]] as const) {
    it(`${method} ${suffix} leads to the document, and does not say that nothing is left`, async () => {
      assert.deepInclude(await served(method, suffix), { _tag: "Redirect", to: `/receipts/${document.id}${done}` })
    })
  }
})
