import { type SavedSearch, savedSearchLimits, SavedSearches, type SearchOwner, type SearchSaved } from "@overa/domain"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { destructive } from "../../html/destructive.ts"
import { all, el, type Html } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary, field, form } from "../../html/forms.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { doneNotice } from "../doneNotice.ts"
import { askedReceipts, isSearching, searchAddress } from "./askedReceipts.ts"

const path = "/receipts/searches"

const ownerOf = ({ organizationId, person }: MemberVisit): SearchOwner => ({ organizationId, personId: person.id })

const addressOf = ({ query }: Pick<SavedSearch, "query">): string => `/receipts?${query}`

/** The search of an address and the order that it is shown in, and nothing else of it: a saved search begins on its first page. */
const queryOf = (query: URLSearchParams): string => {
  const sort = query.get("sort") ?? ""
  const kept = ["as", ...(/^-?[a-z]+$/.test(sort) ? ["sort"] : [])].map((name) => [name, query.get(name) ?? ""] as const)
  return searchAddress("", askedReceipts({ query }), Object.fromEntries(kept)).slice(1)
}

const saveForm = (visit: MemberVisit, query: string, faults: Faults): Html =>
  form(
    visit,
    { action: path, submit: visit.say("Сачувај претрагу", "Save the search"), kind: "quiet" },
    el("input", { type: "hidden", name: "query", value: query }),
    field({ name: "name", scope: "search", label: visit.say("Назив претраге", "The search's name"), required: true, autocomplete: "off", value: visit.form?.text("name") ?? "", fault: faults["name"] })
  )

/** The person's saved searches, one click each, and what saves the search that is shown. */
export const savedSearches = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const saved = yield* (yield* SavedSearches).list(ownerOf(visit))
  const shown = queryOf(visit.query)
  const isNew = isSearching(askedReceipts(visit)) && !saved.some(({ query }) => query === shown)
  if (saved.length === 0 && !isNew) return null
  return el(
    "section",
    { class: "saved", "aria-label": say("Сачуване претраге", "Saved searches") },
    saved.length === 0 ? null : el(
      "ul",
      {},
      saved.map((search) => el("li", {}, el("a", { href: addressOf(search), ...(search.query === shown ? { "aria-current": "true" as const } : {}) }, search.name))),
      el("li", {}, el("a", { href: path }, say("Уреди", "Edit")))
    ),
    isNew ? el("details", {}, el("summary", {}, say("Сачувај ову претрагу", "Save this search")), saveForm(visit, shown, {})) : null
  )
})

const nameFault = ({ say }: MemberVisit, answer: Exclude<SearchSaved, "SAVED" | "NOT_FOUND">): string => answer === "NAME_TAKEN"
  ? say("Већ имате претрагу са овим називом.", "You have a search of this name already.")
  : say(`Највише ${savedSearchLimits.each} сачуваних претрага; обришите неку.`, `At most ${savedSearchLimits.each} saved searches; delete one.`)

const typedName = ({ form: sent, say }: MemberVisit): { readonly name: string } | { readonly fault: string } => {
  const name = sent?.text("name") ?? ""
  return name !== "" && [...name].length <= savedSearchLimits.name
    ? { name }
    : { fault: say(`Назив има најмање један, највише ${savedSearchLimits.name} знакова.`, `A name has at least one, at most ${savedSearchLimits.name} characters.`) }
}

const searchCard = (visit: MemberVisit, search: SavedSearch, faults: Faults): Html => {
  const { say } = visit
  const isSent = visit.params["search"] === search.id
  return el(
    "section",
    { class: "card" },
    el("h2", {}, el("a", { href: addressOf(search) }, search.name)),
    form(
      visit,
      { action: `${path}/${search.id}`, submit: say("Преименуј", "Rename"), kind: "quiet", label: search.name },
      field({ name: "name", scope: search.id, label: say("Назив", "Name"), required: true, autocomplete: "off", value: isSent ? visit.form?.text("name") ?? search.name : search.name, fault: isSent ? faults["name"] : undefined })
    ),
    destructive(visit, {
      action: `${path}/${search.id}/remove`,
      opens: say("Обриши…", "Delete…"),
      consequence: say("Брише се само ова сачувана претрага, ниједан рачун.", "Only this saved search is deleted, no receipt."),
      submit: say("Обриши претрагу", "Delete the search"),
      label: search.name
    })
  )
}

const show = Effect.fnUntraced(function*(visit: MemberVisit, faults: Faults = {}) {
  const { say } = visit
  const saved = yield* (yield* SavedSearches).list(ownerOf(visit))
  const title = say("Сачуване претраге", "Saved searches")
  return page(title, all(
    el("h1", {}, title),
    doneNotice(visit),
    faults["query"] === undefined ? faultSummary(visit, faults) : el("div", { class: "card" }, saveForm(visit, faults["query"], faults)),
    el("p", {}, say("Само ваше, у овој организацији.", "Yours alone, in this organization.")),
    saved.length === 0 ? el("p", { class: "empty" }, say("Нема сачуваних претрага. Потражите рачуне, па сачувајте претрагу.", "There are no saved searches. Search for receipts, then save the search.")) : el("div", { class: "columns" }, saved.map((search) => searchCard(visit, search, faults))),
    el("p", {}, el("a", { href: "/receipts" }, say("Назад на рачуне", "Back to the receipts")))
  ), faultStatus(faults))
})

const save = Effect.fnUntraced(function*(visit: MemberVisit) {
  const query = queryOf(new URLSearchParams(visit.form?.exact("query") ?? ""))
  if (query === "" || query.length > savedSearchLimits.query) return yield* new NotFound({})
  const typed = typedName(visit)
  if ("fault" in typed) return yield* show(visit, { name: typed.fault, query })
  const saved = yield* (yield* SavedSearches).save(ownerOf(visit), { id: randomUUID(), name: typed.name, query })
  return saved === "SAVED" || saved === "NOT_FOUND" ? redirect(`${addressOf({ query })}&done=search-saved`) : yield* show(visit, { name: nameFault(visit, saved), query })
})

const rename = Effect.fnUntraced(function*(visit: MemberVisit) {
  const typed = typedName(visit)
  if ("fault" in typed) return yield* show(visit, { name: typed.fault })
  const renamed = yield* (yield* SavedSearches).rename(ownerOf(visit), visit.params["search"] ?? "", typed.name)
  if (renamed === "NOT_FOUND") return yield* new NotFound({})
  return renamed === "SAVED" ? redirect(`${path}?done=saved`) : yield* show(visit, { name: nameFault(visit, renamed) })
})

const remove = Effect.fnUntraced(function*(visit: MemberVisit) {
  if (!(yield* (yield* SavedSearches).remove(ownerOf(visit), visit.params["search"] ?? ""))) return yield* new NotFound({})
  return redirect(`${path}?done=search-removed`)
})

/** A person's own searches of the journal: saved under a name, opened, renamed and deleted. Before the routes of one receipt. */
export const savedSearchRoutes = [
  memberRoute("GET", path, "receipts:read", (visit) => show(visit)),
  memberRoute("POST", path, "receipts:read", save),
  memberRoute("POST", `${path}/:search`, "receipts:read", rename),
  memberRoute("POST", `${path}/:search/remove`, "receipts:read", remove)
]
