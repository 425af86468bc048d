import { type ComponentChildren, type JSX, Fragment, h } from "preact"
import { renderToString } from "preact-render-to-string"

/** The content of a page; texts in it are always escaped. */
export type Html = ComponentChildren

/**
 * An element. Tags, attributes and their values are checked by the compiler, texts are escaped by the library (docs/adr/0090).
 *
 * @example
 * el("a", { href: "/receipts" }, say("Рачуни", "Receipts"))
 */
export const el = <Tag extends keyof JSX.IntrinsicElements>(
  tag: Tag,
  attributes: JSX.IntrinsicElements[Tag],
  ...children: ReadonlyArray<Html>
): JSX.Element => h(tag as string, attributes as object, ...children)

/** Several elements one after another. */
export const all = (...children: ReadonlyArray<Html>): JSX.Element => h(Fragment, null, ...children)

/** The page as text. */
export const toText = (page: Html): string => `<!doctype html>${renderToString(h(Fragment, null, page))}`
