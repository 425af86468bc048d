import { type Asset, assets } from "../assets/assets.ts"
import { placePrefix } from "../http/Place.ts"
import type { Arrival, MemberVisit, PersonVisit, Visit } from "../http/Visit.ts"
import { environmentWords } from "../language/environmentWords.ts"
import { languageNames, languages } from "../language/Language.ts"
import { pageFolders } from "../pages/pages.ts"
import { el, type Html } from "./el.ts"
import { form } from "./forms.ts"
import { menuIcon } from "./icons.ts"
import { notice } from "./parts.ts"

const isSignedIn = (visit: Arrival | Visit): visit is PersonVisit => visit.session?.session.stage === "COMPLETE" && "person" in visit
const isMember = (visit: Arrival | Visit): visit is MemberVisit => "may" in visit

const mayOpen = (visit: PersonVisit, shownTo: string): boolean =>
  shownTo === "operator" ? visit.person.operator : isMember(visit) && visit.may(shownTo as Parameters<MemberVisit["may"]>[0])

const navigation = (visit: PersonVisit): Html => {
  const entries = pageFolders.flatMap((folder) => folder.navigation).filter((entry) => mayOpen(visit, entry.shownTo))
  const under = entries.filter(({ path }) => visit.path === path || visit.path.startsWith(`${path}/`))
  const here = under.toSorted((one, other) => other.path.length - one.path.length)[0]?.path
  return el(
    "nav",
    { "aria-label": visit.say("Главни мени", "Main menu") },
    el("ul", {}, entries.map(({ path, words }) =>
      el("li", {}, el("a", { href: path, ...(path === here ? { "aria-current": "page" as const } : {}) }, menuIcon(path), visit.say(...words)))))
  )
}

const place = (visit: MemberVisit): Html =>
  el(
    "div",
    { class: "place" },
    el("span", { class: "organization" }, visit.organizationName),
    el("a", { href: `/organization?back=${encodeURIComponent(visit.form === null ? visit.path : "/")}`, class: `environment ${visit.environment}` }, environmentWords(visit.say, visit.environment))
  )

/** One field for everything, at the head of every page. */
const searchEverything = ({ query, say }: MemberVisit): Html =>
  el(
    "form",
    { method: "get", action: "/find", class: "find", role: "search", "aria-label": say("Тражи свуда", "Search everything") },
    el("label", { for: "find-everything", class: "unseen" }, say("Број, износ, дан, купац, ставка", "Number, amount, day, buyer, item")),
    el("input", { id: "find-everything", name: "text", type: "search", placeholder: say("Број, износ, дан, купац…", "Number, amount, day, buyer…"), value: query.get("text") ?? "" }),
    el("button", { type: "submit", class: "quiet" }, say("Тражи", "Search"))
  )

const header = (visit: Arrival | Visit): Html =>
  el(
    "header",
    { class: "top" },
    el("a", { href: "/", class: "brand" }, "Overa"),
    isMember(visit) ? place(visit) : null,
    isMember(visit) && visit.may("receipts:read") ? searchEverything(visit) : null,
    isSignedIn(visit)
      ? el(
        "div",
        { class: "person" },
        el("a", { href: "/account" }, visit.person.name),
        form(visit, { action: "/sign-out", submit: visit.say("Одјава", "Sign out"), kind: "quiet" })
      )
      : null
  )

/** Above every page while a restore is open. An operator is told what to do, everybody else that nothing is lost. */
const restoreBanner = (visit: PersonVisit): Html => {
  const { say } = visit
  const state = say("База је враћена на раније стање. Док се то не заврши, нико не може да изда рачун.", "The database was restored to an earlier point. Until that is ended, nobody can issue a document.")
  return notice(
    "bad",
    el("p", {}, el("strong", {}, state), " ", visit.person.operator
      ? el("a", { href: "/operator/installation" }, say("Преузмите потписане рачуне, па завршите враћање.", "Take back what was signed since, then end the restore."))
      : say("Захтеви продавнице се одбијају и могу се поновити; ништа није изгубљено.", "The shop's requests are refused and can be repeated; nothing is lost."))
  )
}

const footer = (visit: Arrival | Visit): Html =>
  el(
    "footer",
    {},
    el(
      "form",
      { method: "post", action: "/language", class: "languages", "aria-label": visit.say("Језик", "Language") },
      el("input", { type: "hidden", name: "proof", value: visit.proof }),
      el("input", { type: "hidden", name: "back", value: visit.form === null ? placePrefix(visit.place) + visit.path : "/" }),
      languages.map((language) =>
        el("button", { type: "submit", name: "language", value: language, lang: language, class: "quiet", "aria-pressed": language === visit.language }, languageNames[language]))
    )
  )

/** The whole page around its content. */
export const layout = (visit: Arrival | Visit, title: string, content: Html, scripts: ReadonlyArray<Asset>) =>
  el(
    "html",
    { lang: visit.language },
    el(
      "head",
      {},
      el("meta", { charset: "utf-8" }),
      el("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
      el("meta", { name: "robots", content: "noindex" }),
      el("meta", { name: "color-scheme", content: "light dark" }),
      el("title", {}, `${title} – Overa`),
      el("link", { rel: "icon", href: assets.icon.path, type: "image/svg+xml" }),
      el("link", { rel: "stylesheet", href: assets.style.path }),
      scripts.map(({ path }) => el("script", { src: path, defer: true }))
    ),
    el(
      "body",
      { class: isMember(visit) ? visit.environment : "" },
      el("a", { href: "#content", class: "skip" }, visit.say("На садржај", "Skip to content")),
      header(visit),
      isSignedIn(visit) ? navigation(visit) : null,
      el("main", { id: "content", tabIndex: -1 }, isSignedIn(visit) && visit.restoring ? restoreBanner(visit) : null, content),
      footer(visit)
    )
  )
