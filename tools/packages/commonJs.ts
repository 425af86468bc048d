/** A module's program as CommonJS: `require` for `import`, and a function around what awaits. The program has no exports. */
export const asCommonJs = (code: string): string => {
  const imports: Array<string> = []
  const rest = code.replaceAll(/^import \{([^}]+)\} from "([^"]+)";?$/gm, (_, names: string, from: string) => {
    const values = names.split(",").map((name) => name.trim()).filter((name) => name !== "" && !name.startsWith("type "))
    imports.push(`const { ${values.join(", ").replaceAll(" as ", ": ")} } = require("${from}")`)
    return ""
  })
  if (/^import\b/m.test(rest)) throw new Error("an import of another form")
  return `"use strict"\n${imports.join("\n")}\n;(async () => {\n${rest}\n})()\n`
}
