// What a spreadsheet may read as a formula when it opens the file, also after white space, in full width, and after any apostrophes that are already
// there.
const dangerous = /^'*(?:\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/u
const guarded = /^'+(?:\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/u

/**
 * A text as a cell of an exported file. A text that begins like a formula gets an apostrophe in front, so that no spreadsheet runs it. Different
 * texts give different cells, and `unguardText` restores the text. Source: Decisions §11.
 *
 * @example guardText("=1+1") // "'=1+1"
 */
export const guardText = (text: string): string => (dangerous.test(text) ? `'${text}` : text)

/** The text of a cell, without the apostrophe that an export put before it. */
export const unguardText = (cell: string): string => (guarded.test(cell) ? cell.slice(1) : cell)
