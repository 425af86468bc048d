import { canonicalJsonSchema as canonicalJson } from "@overa/adapter-renderers/canonical-json"
import type { JsonSchema } from "@overa/host-kit/contract"

const definitions = canonicalJson.$defs as Readonly<Record<string, JsonSchema>>

/** The schema with its own definitions in place of the references to them, because the surrounding document cannot contain them. */
const inlined = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(inlined)
  if (typeof node !== "object" || node === null) return node
  const { $ref: reference, ...rest } = node as { readonly $ref?: string }
  const own = Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, inlined(member)]))
  return reference === undefined ? own : { ...inlined(definitions[reference.split("/").at(-1) ?? ""]) as object, ...own }
}

const { $defs: _definitions, $id: _id, $schema: _dialect, title: _title, ...schema } = canonicalJson

/** The representation canonical-json. Source: the renderers, which write it. */
export const canonicalReceiptSchemas: Readonly<Record<string, JsonSchema>> = { CanonicalReceipt: inlined(schema) as JsonSchema }
