import type { PaperFormat } from "@overa/domain"

const names: Readonly<Record<PaperFormat, string>> = { a4: "A4", "80mm": "80 mm", "58mm": "58 mm" }

/** A paper format as people write it, in every language. */
export const paperName = (format: PaperFormat): string => names[format]
