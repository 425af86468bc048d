import type { Middleware } from "koa"
import type { PublicRoute } from "../http/router.ts"
import { type Page, readDocumentation, searchPages } from "./readDocumentation.ts"

/** Pages may load their own style sheet and send the search form to this host; everything else is forbidden. */
const policy = "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;")

const style = `:root { color-scheme: light dark; --text: #1c1c1c; --back: #fff; --line: #c8c8c8; --link: #0b57a4; --soft: #f2f2f2 }
@media (prefers-color-scheme: dark) { :root { --text: #ececec; --back: #17181a; --line: #45484d; --link: #8cc2ff; --soft: #24262a } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 56rem; padding: 0 1rem 4rem; font: 1rem/1.55 system-ui, sans-serif; color: var(--text); background: var(--back) }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; padding: 1rem 0; border-bottom: 1px solid var(--line) }
header form { display: flex; gap: .4rem; flex: 1 1 14rem }
input { flex: 1; min-width: 0; font: inherit; padding: .35rem .5rem; border: 1px solid var(--line); border-radius: .25rem; color: inherit; background: var(--back) }
button { font: inherit; padding: .35rem .8rem; border: 1px solid var(--line); border-radius: .25rem; color: inherit; background: var(--soft) }
a { color: var(--link); overflow-wrap: anywhere }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere }
code { font-family: ui-monospace, monospace; font-size: .92em; overflow-wrap: anywhere }
pre { overflow-x: auto; padding: .75rem; background: var(--soft); border-radius: .25rem }
pre code { overflow-wrap: normal }
.wide { overflow-x: auto }
table { border-collapse: collapse }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border: 1px solid var(--line) }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
`

const document = (title: string, content: string, question = ""): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – Overa</title>
<link rel="icon" href="/docs/favicon.png">
<link rel="stylesheet" href="/docs/pages.css">
</head>
<body>
<header>
<nav aria-label="Documentation"><a href="/docs/pages">All pages</a> · <a href="/docs">Reference</a></nav>
<form action="/docs/search" role="search"><label class="visually-hidden" for="q">Search</label><input id="q" name="q" type="search" maxlength="200" placeholder="Search" value="${escaped(question)}"><button>Search</button></form>
</header>
<main>
${content}
</main>
</body>
</html>
`

const list = (pages: ReadonlyArray<Page>): string =>
  `<ul>${pages.map(({ path, title }) => `<li><a href="${path}">${escaped(title)}</a></li>`).join("\n")}</ul>`

const groups: ReadonlyArray<readonly [title: string, beginning: RegExp]> = [
  ["Guides", /^\/docs\/pages\/guides\//],
  ["Operating an installation", /^\/docs\/pages\/operations/],
  ["Reference", /^\/docs\/pages\/[^/]+$/],
  ["Decisions", /^\/docs\/pages\/adr/],
  ["Error codes", /^\/docs\/errors\//]
]

const contents = (pages: ReadonlyArray<Page>): string => {
  const placed = new Set<Page>()
  const sections = groups.map(([title, beginning]) => {
    const own = pages.filter((page) => beginning.test(page.path) && !placed.has(page))
    for (const page of own) placed.add(page)
    return own.length === 0 ? "" : `<h2>${title}</h2>\n${list(own)}`
  })
  const rest = pages.filter((page) => !placed.has(page))
  return `<h1>Documentation</h1>\n${sections.join("\n")}${rest.length === 0 ? "" : `<h2>More</h2>\n${list(rest)}`}`
}

const html = (write: (question: string) => string): Middleware => (context) => {
  context.set("Content-Type", "text/html; charset=utf-8")
  context.set("Content-Security-Policy", policy)
  context.set("Cache-Control", "public, max-age=300")
  context.body = write(String(context.query["q"] ?? "").slice(0, 200))
}

const results = (pages: ReadonlyArray<Page>, question: string): string => {
  const found = searchPages(pages, question)
  return `<h1>Search</h1>\n<p>${found.length === 0 ? "Nothing was found." : `${found.length} page${found.length === 1 ? "" : "s"} with “${escaped(question)}”.`}</p>\n${list(found)}`
}

/** `docs/` as pages: readable without a login and without scripts, all from this host. */
export const documentationRoutes = (): ReadonlyArray<PublicRoute> => {
  const pages = readDocumentation()
  const get = (path: string, serve: Middleware): PublicRoute => ({ method: "GET", path, serve })
  return [
    get("/docs/pages", html(() => document("Documentation", contents(pages)))),
    get("/docs/search", html((question) => document("Search", results(pages, question), question))),
    get("/docs/pages.css", (context) => {
      context.set("Content-Type", "text/css; charset=utf-8")
      context.set("Cache-Control", "public, max-age=300")
      context.body = style
    }),
    ...pages.map((page) => get(page.path, html(() => document(page.title, page.html))))
  ]
}
