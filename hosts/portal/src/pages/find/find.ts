import { type Product, ProductStore } from "@overa/domain"
import { Effect, Option } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { card } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount } from "../../language/formats.ts"
import type { PageFolder } from "../PageFolder.ts"

const longestText = 200
const productsShown = 10

const products = Effect.fnUntraced(function*(visit: MemberVisit, text: string) {
  if (!visit.may("catalogue:read")) return []
  const found = yield* (yield* ProductStore).page(visit.tenant, { taxpayerId: null, search: text, isActive: null }, null, productsShown)
  return Option.match(found, { onNone: () => [], onSome: ({ items }) => items })
})

const productLine = (visit: MemberVisit, { grossUnitPrice, id, name, sku }: Product): Html =>
  el("li", {}, visit.may("catalogue:write") ? el("a", { href: `/catalogue/${id}` }, name) : name, ` – ${sku}, ${amount(grossUnitPrice)} RSD`)

/** Products with the text beside the search for receipts; where no product has it, the receipts at once. */
const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const text = (visit.query.get("text") ?? "").trim().slice(0, longestText)
  const receipts = text === "" ? "/receipts" : `/receipts?${new URLSearchParams({ text }).toString()}`
  const found = text === "" ? [] : yield* products(visit, text)
  if (found.length === 0) return redirect(receipts)
  const title = say("Претрага", "Search")
  return page(title, all(
    el("h1", {}, title),
    card(say("Рачуни", "Receipts"), el("p", {}, el("a", { class: "button", href: receipts }, say("Рачуни са текстом „", "Receipts with “"), text, say("“", "”")))),
    card(
      say("Производи", "Products"),
      el("ul", { class: "plain" }, found.map((product) => productLine(visit, product))),
      el("p", {}, el("a", { href: `/catalogue?${new URLSearchParams({ search: text }).toString()}` }, say("Сви такви у каталогу", "All of these in the catalogue")))
    )
  ))
})

/** The search field at the head of every page of an organization. */
export const find: PageFolder = { navigation: [], routes: [memberRoute("GET", "/find", "receipts:read", show)] }
