import { readdirSync, readFileSync, writeFileSync } from "node:fs"

/** Types that callers write keep a comment on every member. To keep the package small, types that they only read have none there. */
const isWritten = (name: string): boolean => /(Request|Replacement|Registration|Item|Payment|Cashier|Buyer|Reference)$|^New|^Operations$/.test(name)

/** Of the types that callers only read, the answers themselves keep the comment on the type; their parts are found from them. */
const isAnswer = (name: string): boolean => /(Document|Case|Proof|DryRun|ErrorBody)$/.test(name)

const withoutPartComments = (declarations: string): string =>
  declarations.replaceAll(/\/\*\*[^\n]*\*\/\n(?=export (?:interface|type) (\w+))/g, (comment: string, name: string) => isWritten(name) || isAnswer(name) ? comment : "")

/** One space where the compiler writes four. */
const narrow = (declarations: string): string => declarations.replaceAll(/(?<=\n)(?: {4})+/g, (spaces: string) => " ".repeat(spaces.length / 4))

const withoutMemberComments = (declarations: string): string =>
  declarations.replaceAll(/export interface (\w+) \{[\s\S]*?\n\}/g, (block: string, name: string) =>
    isWritten(name) ? block : block.replaceAll(/\n +\/\*\*.*\*\/(?=\n)/g, ""))

// The compiler leaves the file extensions of the sources in the declarations; not every reader of declarations accepts these.
const folder = new URL("../dist/", import.meta.url)
for (const name of readdirSync(folder).filter((entry) => entry.endsWith(".d.ts"))) {
  const file = new URL(name, folder)
  const declarations = readFileSync(file, "utf8").replaceAll(/(from "\.\/\w+)\.ts"/g, "$1.js\"")
  writeFileSync(file, name === "contract.d.ts" ? narrow(withoutPartComments(withoutMemberComments(declarations))) : declarations)
}
