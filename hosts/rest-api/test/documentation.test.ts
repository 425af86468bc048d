import { errorCatalogue } from "@overa/domain"
import { describe, expect, it } from "vitest"
import { readDocumentation, searchPages } from "../src/documentation/readDocumentation.ts"
import { problemType } from "../src/http/problemDetails.ts"

const pages = readDocumentation()
const addresses = new Set(pages.map(({ path }) => path))
const served = new Set([...addresses, "/docs", "/docs/pages"])

describe("the served documentation", () => {
  it("has a page for every error code, and one for the 422 problem", () => {
    for (const code of Object.keys(errorCatalogue)) expect(addresses).toContain(`/docs/errors/${code}`)
    expect(addresses).toContain(problemType)
    expect(addresses.size).toBe(pages.length)
  })

  it("every link leads to a page and an anchor that are there", () => {
    const dead: Array<string> = []
    const anchors = new Map(pages.map(({ html, path }) => [path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]))
    for (const { html, path } of pages) {
      for (const [, href = ""] of html.matchAll(/<a href="([^"]+)"/g)) {
        if (/^https?:/.test(href)) continue
        const [target = "", anchor] = href.startsWith("#") ? [path, href.slice(1)] : href.split("#")
        if (!served.has(target)) dead.push(`${path}: ${href}`)
        else if (anchor !== undefined && anchors.get(target)?.has(anchor) === false && !path.startsWith("/docs/errors/")) dead.push(`${path}: ${href}`)
      }
    }
    expect(dead).toEqual([])
  })

  it("loads nothing from elsewhere and runs nothing", () => {
    for (const { html } of pages) expect(html).not.toMatch(/<(script|img|iframe|link|style)\b| on\w+="/i)
  })

  it("is searched by words, titles first", () => {
    expect(searchPages(pages, "tax_label_not_current").map(({ path }) => path)).toContain("/docs/errors/TAX_LABEL_NOT_CURRENT")
    expect(searchPages(pages, "glossary")[0]?.path).toBe("/docs/pages/glossary")
    expect(searchPages(pages, "zzzqqq")).toEqual([])
    expect(searchPages(pages, "   ")).toEqual([])
  })

  it.each([
    ["letters that stand everywhere", "e t a o i n s r h l"],
    ["the longest question", "th he in er an re on at en nd ".repeat(7).slice(0, 200)],
    ["a word that nearly stands everywhere", "eeeeeeeeeeeeeeeeeeee tttttttttttttttttttt"],
    ["spaces between words", "- . , ' : / ( )"]
  ])("is searched within the time that one piece of work may take, whatever is sought: %s", { retry: 4 }, (_what, question) => {
    let quickest = Number.POSITIVE_INFINITY
    for (let run = 0; run < 8; run += 1) {
      const from = performance.now()
      searchPages(pages, question)
      quickest = Math.min(quickest, performance.now() - from)
    }
    expect(quickest).toBeLessThan(10)
  })
})
