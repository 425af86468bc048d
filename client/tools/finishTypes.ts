import { readdirSync, readFileSync, writeFileSync } from "node:fs"

/** What callers write keeps a comment on every member; what they only read keeps the one on the type, so that the package stays small. */
const isWritten = (name: string): boolean => /(Request|Replacement|Registration|Item|Payment|Cashier|Buyer|Reference)$|^New|^Operations$/.test(name)

const withoutMemberComments = (declarations: string): string =>
  declarations.replaceAll(/export interface (\w+) \{[\s\S]*?\n\}/g, (block: string, name: string) =>
    isWritten(name) ? block : block.replaceAll(/\n +\/\*\*.*\*\/(?=\n)/g, ""))

// The compiler leaves the endings of the sources in the declarations; not every reader of them takes these.
const folder = new URL("../dist/", import.meta.url)
for (const name of readdirSync(folder).filter((entry) => entry.endsWith(".d.ts"))) {
  const file = new URL(name, folder)
  const declarations = readFileSync(file, "utf8").replaceAll(/(from "\.\/\w+)\.ts"/g, "$1.js\"")
  writeFileSync(file, name === "contract.d.ts" ? withoutMemberComments(declarations) : declarations)
}
