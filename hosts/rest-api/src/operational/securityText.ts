import type { PublicRoute } from "../http/router.ts"

const daysValid = 300

/** `/.well-known/security.txt` (RFC 9116): the contact for reports of weaknesses of this installation. Empty where the operator set none. */
export const securityText = (contact: string | null, baseUrl: string): ReadonlyArray<PublicRoute> => {
  if (contact === null) return []
  const expires = new Date(Date.now() + daysValid * 86_400_000).toISOString()
  const address = contact.includes("://") || contact.startsWith("mailto:") ? contact : `mailto:${contact}`
  const text = `Contact: ${address}\nExpires: ${expires}\nPreferred-Languages: sr, en\nCanonical: ${baseUrl}/.well-known/security.txt\n`
  return [{
    method: "GET",
    path: "/.well-known/security.txt",
    serve: (context) => {
      context.set("Content-Type", "text/plain; charset=utf-8")
      context.set("Cache-Control", "public, max-age=86400")
      context.body = text
    }
  }]
}
