import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, posix, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { Marked } from "marked"

/** One page of the served documentation. */
export interface Page {
  readonly path: string
  readonly title: string
  /** Its content as HTML. */
  readonly html: string
  /** Its title and its content as plain text in lower case, for the search. */
  readonly sought: { readonly title: string; readonly text: string }
}

const folder = fileURLToPath(new URL("../../../../docs/", import.meta.url))

/** The address of a page of `docs/`: without the file's extension, a README at its folder. */
const addressOf = (file: string): string =>
  `/docs/pages/${file.replace(/\.md$/, "").replace(/(^|\/)README$/, "")}`.replace(/\/$/, "")

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;")

/** The anchor that GitHub gives a heading, so that links work in both. */
const anchorOf = (heading: string): string =>
  heading.toLowerCase().replaceAll(/<[^<>]*>/g, "").replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(/\s/g, "-")

/** The link on the site: to another page, or null where it leads out of the documentation. */
const linkFrom = (file: string, href: string, files: ReadonlySet<string>): string | null => {
  if (/^https?:/.test(href) || href.startsWith("#")) return href
  const [path = "", anchor] = href.split("#")
  const target = posix.normalize(posix.join(dirname(file), path))
  const page = [target, `${target}.md`, posix.join(target, "README.md")].find((name) => files.has(name))
  return page === undefined ? null : addressOf(page) + (anchor === undefined ? "" : `#${anchor}`)
}

const render = (file: string, markdown: string, files: ReadonlySet<string>): string => {
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ depth, tokens }) {
        const text = this.parser.parseInline(tokens)
        return `<h${depth} id="${anchorOf(text)}">${text}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const address = linkFrom(file, href, files)
        return address === null ? text : `<a href="${escaped(address)}">${text}</a>`
      },
      // The documentation is text: its only HTML is anchors, and it has no pictures from other servers.
      html: ({ text }) => /^<\/?a( id="[\w.-]+")?>(<\/a>)?\s*$/.test(text) ? text : escaped(text),
      image: ({ text }) => escaped(text),
      table(token) {
        const row = (cells: typeof token.header, tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("")}</tr>`
        return `<div class="wide" tabindex="0"><table><thead>${row(token.header, "th")}</thead><tbody>${token.rows.map((cells) => row(cells, "td")).join("")}</tbody></table></div>\n`
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`
    }
  })
  return marked.parse(markdown, { async: false })
}

const titleOf = (markdown: string, file: string): string => /^# (.+)$/m.exec(markdown)?.[1] ?? file

const plain = (markdown: string): string => markdown.replaceAll(/[`*|#>[\]()]/g, " ").replaceAll(/\s+/g, " ")

const pageOf = (path: string, file: string, markdown: string, files: ReadonlySet<string>): Page => ({
  path,
  title: titleOf(markdown, file).replaceAll("`", ""),
  html: render(file, markdown, files),
  sought: { title: titleOf(markdown, file).toLowerCase(), text: plain(markdown).toLowerCase() }
})

/** Each error code of the table as a page of its own, the target of an answer's `Link` header. */
const errorPages = (markdown: string, files: ReadonlySet<string>): ReadonlyArray<Page> =>
  markdown.split(/^(?=## [A-Z_]+$)/m).slice(1).map((section) => {
    const code = /^## ([A-Z_]+)$/m.exec(section)?.[1] ?? ""
    return pageOf(`/docs/errors/${code}`, "errors.md", section.replace(/^## /, "# "), files)
  })

const readPages = (): ReadonlyArray<Page> => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split("\\").join("/"))
    .toSorted()
  const names = new Set(files)
  return files.flatMap((file) => {
    const markdown = readFileSync(join(folder, file), "utf8")
    const page = pageOf(addressOf(file), file, markdown, names)
    return file === "errors.md" ? [page, ...errorPages(markdown, names)] : [page]
  })
}

let known: ReadonlyArray<Page> | undefined

/** Every page of `docs/`, in the order of their addresses. Read once per process: half a second. */
export const readDocumentation = (): ReadonlyArray<Page> => known ??= readPages()

/** How often a text contains a word, counted up to ten. */
const timesIn = (text: string, word: string): number => {
  let times = 0
  for (let at = text.indexOf(word); at >= 0 && times < 10; at = text.indexOf(word, at + word.length)) times += 1
  return times
}

const mostWords = 6

/** Pages that contain every word of the search, matches in titles first. */
export const searchPages = (pages: ReadonlyArray<Page>, question: string): ReadonlyArray<Page> => {
  const words = [...new Set(question.toLowerCase().split(/\s+/).filter((word) => word !== ""))].slice(0, mostWords)
  if (words.length === 0) return []
  const score = ({ sought: { text, title } }: Page): number => {
    let sum = 1
    for (const word of words) {
      const times = timesIn(text, word)
      const isInTitle = title.includes(word)
      if (times === 0 && !isInTitle) return 0
      sum += times + (isInTitle ? 20 : 0)
    }
    return sum
  }
  return pages.map((page) => ({ page, found: score(page) }))
    .filter(({ found }) => found > 0)
    .toSorted((a, b) => b.found - a.found)
    .slice(0, 30)
    .map(({ page }) => page)
}
