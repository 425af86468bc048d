// What a spreadsheet may take for a formula when it opens the file, also behind white space and in full width, and behind any
// apostrophes that are already there.
const dangerous = /^'*(?:\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/u
const guarded = /^'+(?:\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/u

/**
 * A text as a cell of an exported file: one that begins like a formula gets an apostrophe in front, so that no spreadsheet runs it.
 * Every text has its own cell, and `unguardText` gives it back. Source: Decisions §11.
 *
 * @example guardText("=1+1") // "'=1+1"
 */
export const guardText = (text: string): string => (dangerous.test(text) ? `'${text}` : text)

/** The text of a cell: the apostrophe that an export put before it is taken off. */
export const unguardText = (cell: string): string => (guarded.test(cell) ? cell.slice(1) : cell)
