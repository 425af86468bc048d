import { relative } from "node:path"
import { pathToFileURL } from "node:url"
import { documentActors } from "../domain/src/documents/documentTransitions.ts"
import { InvoiceType, TransactionType } from "../domain/src/documents/InvoiceType.ts"
import { type DocumentKind, referenceMatrix } from "../domain/src/references/referenceMatrix.ts"
import { filesOf } from "./sourceTree.ts"

type Transitions = Readonly<Record<string, Readonly<Record<string, string>>>>

const isTransitions = (value: unknown): value is Transitions =>
  typeof value === "object" && value !== null &&
  Object.values(value).every((row) => typeof row === "object" && row !== null && Object.values(row).every((to) => typeof to === "string"))

const table = (title: string, path: string, head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [
    `### ${title}`,
    "",
    `\`${path}\``,
    "",
    `| ${head.join(" | ")} |`,
    `|${" --- |".repeat(head.length)}`,
    ...rows.map((row) => `| ${row.join(" | ")} |`),
    ""
  ].join("\n")

const transitionRows = (transitions: Transitions): ReadonlyArray<ReadonlyArray<string>> =>
  Object.entries(transitions).flatMap(([from, row]) => {
    const moves = Object.entries(row)
    return moves.length === 0 ? [[from, "–", "final"]] : moves.map(([event, to]) => [from, event, to])
  })

/** `documentTransitions` → `Document transitions` */
const titleOf = (name: string): string => {
  const words = name.replaceAll(/([A-Z])/g, " $1").toLowerCase()
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

const transitionTables = async (): Promise<ReadonlyArray<string>> => {
  const tables: Array<string> = []
  for (const { path } of filesOf("domain/src/*/*Transitions.ts")) {
    const module = await import(pathToFileURL(path).href) as Readonly<Record<string, unknown>>
    for (const [name, value] of Object.entries(module)) {
      if (name.endsWith("Transitions") && isTransitions(value)) tables.push(table(titleOf(name), relative(".", path), ["From", "Event", "To"], transitionRows(value)))
    }
  }
  return tables
}

const kindName = ({ invoiceType, transactionType }: DocumentKind): string => `${invoiceType} ${transactionType}`

const matrixTable = (): string =>
  table(
    "Reference matrix",
    "domain/src/references/referenceMatrix.ts",
    ["Document", "May refer to", "Named by", "Required", "External", "Issued by"],
    InvoiceType.literals.flatMap((invoiceType) =>
      TransactionType.literals.map((transactionType) => {
        const rule = referenceMatrix[invoiceType][transactionType]
        return [
          kindName({ invoiceType, transactionType }),
          rule.targets.length === 0 ? "nothing" : rule.targets.map(kindName).join(", "),
          rule.namedBy,
          rule.required,
          rule.external ? "yes" : "no",
          rule.issuedBy.map((operation) => `\`${operation}\``).join(", ")
        ]
      })
    )
  )

const actorsTable = (): string =>
  table("Who may cause which event of a document", "domain/src/documents/documentTransitions.ts", ["Event", "Actors"],
    Object.entries(documentActors).map(([event, actors]) => [event, actors.join(", ")]))

/** The rows of the domain's tables, as in the code. */
export const tablesSection = async (): Promise<string> =>
  ["## The tables, row by row", "", ...await transitionTables(), actorsTable(), matrixTable()].join("\n")
