import { type Product, ProductId, ProductStore } from "@overa/domain"
import { Effect, Option } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { choice, field } from "../../html/forms.ts"
import { badge, card, table } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount } from "../../language/formats.ts"
import { doneNotice } from "../doneNotice.ts"
import { columnWords } from "./columnWords.ts"
import { activeTaxpayers } from "./ownTaxpayers.ts"

const perPage = 50
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const longestSearch = 200

interface Asked {
  readonly search: string
  readonly active: string
}

const asked = ({ query }: MemberVisit): Asked => ({ search: (query.get("search") ?? "").trim().slice(0, longestSearch), active: query.get("active") ?? "" })

const row = (visit: MemberVisit, product: Product): ReadonlyArray<Html> => [
  visit.may("catalogue:write") ? el("a", { href: `/catalogue/${product.id}` }, product.sku) : product.sku,
  product.name,
  product.gtin ?? "–",
  product.unitOfMeasure ?? "–",
  amount(product.grossUnitPrice),
  product.taxLabels.join(", "),
  product.isActive ? badge("good", visit.say("Да", "Yes")) : badge("plain", visit.say("Не", "No"))
]

const search = (visit: MemberVisit, { active, search: sought }: Asked): Html =>
  el(
    "form",
    { method: "get", action: "/catalogue", class: "filter", role: "search" },
    field({ name: "search", label: visit.say("Део назива, шифре или бар-кода", "A part of name, SKU or barcode"), type: "search", value: sought }),
    choice({ name: "active", label: visit.say("Који", "Which"), value: active, options: [["", visit.say("Сви", "All")], ["true", visit.say("Активни", "Active")], ["false", visit.say("Неактивни", "Inactive")]] }),
    el("button", { type: "submit", class: "main" }, visit.say("Нађи", "Find"))
  )

const files = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const entries = yield* activeTaxpayers(visit)
  return card(
    say("Датотеке", "Files"),
    visit.may("catalogue:write") ? el("p", {}, el("a", { class: "button", href: "/catalogue/import" }, say("Увези из CSV-а", "Import from CSV"))) : null,
    el("ul", { class: "plain" }, entries.map(({ taxpayer }) =>
      el("li", {}, el("a", { href: `/catalogue/export/${taxpayer.id}` }, say("Извези каталог: ", "Export the catalogue: "), taxpayer.name))))
  )
})

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const { active, search: sought } = asked(visit)
  const cursor = (visit.query.get("after") ?? "").toLowerCase()
  const filter = { taxpayerId: null, search: sought === "" ? null : sought, isActive: active === "" ? null : active === "true" }
  const found = yield* (yield* ProductStore).page(visit.tenant, filter, uuid.test(cursor) ? ProductId.make(cursor) : null, perPage)
  if (Option.isNone(found)) return redirect("/catalogue")
  const { items, nextCursor } = found.value
  const title = say("Каталог", "Catalogue")
  const columns = ["sku", "name", "gtin", "unitOfMeasure", "grossUnitPrice", "taxLabels", "isActive"] as const
  const content = all(
    el("h1", {}, title),
    doneNotice(visit),
    visit.may("catalogue:write") ? el("p", {}, el("a", { class: "button", href: "/catalogue/new" }, say("Додај производ", "Add a product"))) : null,
    search(visit, { active, search: sought }),
    table(columns.map((column) => columnWords(say, column)), items.map((product) => row(visit, product)), {
      caption: title,
      empty: sought === "" && active === ""
        ? say("Каталог је празан. Додајте производ или увезите датотеку.", "The catalogue is empty. Add a product or import a file.")
        : say("Нема таквог производа. Скратите текст претраге.", "There is no such product. Shorten the text."),
      numbers: [4]
    }),
    nextCursor === null ? null : el("p", {}, el("a", { href: `/catalogue?${new URLSearchParams({ search: sought, active, after: nextCursor }).toString()}` }, say("Даље", "Next"))),
    yield* files(visit)
  )
  return page(title, content)
})

/** The list of products. */
export const listRoutes = [memberRoute("GET", "/catalogue", "catalogue:read", show)]
