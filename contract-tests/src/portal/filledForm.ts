import type { PortalClient } from "./PortalClient.ts"

const entities: Readonly<Record<string, string>> = { "&quot;": "\"", "&lt;": "<", "&gt;": ">", "&#39;": "'", "&amp;": "&" }
const plain = (text: string): string => text.replaceAll(/&(?:quot|lt|gt|#39|amp);/g, (found) => entities[found] ?? found)

const attribute = (tag: string, name: string): string | undefined => {
  const at = tag.indexOf(` ${name}="`)
  return at < 0 ? undefined : plain(tag.slice(at + name.length + 3, tag.indexOf("\"", at + name.length + 3)))
}

const chosen = (select: string): string => {
  const options = [...select.matchAll(/<option[^>]*>/g)].map(([tag]) => tag)
  return attribute(options.find((tag) => / selected/.test(tag)) ?? options[0] ?? "", "value") ?? ""
}

/** The fields of the form on a page that is sent to `action`, as a browser would send them untouched; null where the page has no such form. */
export const fieldsOf = (html: string, action: string): Record<string, string> | null => {
  const form = [...html.matchAll(/<form\b.*?<\/form>/gs)].map(([text]) => text).find((text) => attribute(/<form[^>]*>/.exec(text)?.[0] ?? "", "action")?.replace(/^\/o\/[^/]+\/[^/]+/, "") === action)
  if (form === undefined) return null
  const fields: Record<string, string> = {}
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const isUnsent = /type="(?:file|submit)"/.test(tag) || (/type="(?:checkbox|radio)"/.test(tag) && !/ checked/.test(tag))
    const name = attribute(tag, "name")
    if (name !== undefined && !isUnsent) fields[name] = attribute(tag, "value") ?? ""
  }
  for (const [, tag = "", text = ""] of form.matchAll(/<textarea([^>]*)>(.*?)<\/textarea>/gs)) fields[attribute(tag, "name") ?? ""] = plain(text)
  for (const [select, tag = ""] of form.matchAll(/<select([^>]*)>.*?<\/select>/gs)) fields[attribute(tag, "name") ?? ""] = chosen(select)
  return fields
}

/** Opens a page, fills in its form and sends it; what is not named keeps what the page shows. */
export const fillAndSend = async (client: PortalClient, session: string, page: string, typed: Readonly<Record<string, string>> = {}, action = page) => {
  const { text } = await client.get(page, { session })
  const fields = fieldsOf(text, action.split("?")[0] ?? "")
  if (fields === null) throw new Error(`${page} has no form for ${action}: ${/<h1[^>]*>.*?<\/h1>/s.exec(text)?.[0] ?? text.slice(0, 200)}`)
  return await client.send(action, session, { ...fields, ...typed })
}
