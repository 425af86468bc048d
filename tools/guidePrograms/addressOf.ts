import { operations } from "@overa/rest-api"
import { type Call, referenceOf } from "./Story.ts"

/** The method and the address of a request, as the contract has them; what the address is about is filled in. */
export const addressOf = ({ operation: id, path = {} }: Call): { readonly method: string; readonly address: string } => {
  const operation = operations.find((one) => one.id === id)
  if (operation === undefined) throw new Error(`There is no operation ${id}`)
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = path[name]
    if (typeof value !== "string") throw new Error(`${id} needs ${name}`)
    const reference = referenceOf(value)
    return reference === null ? value : `{${reference}}`
  })
  return { method: operation.method, address: filled }
}
