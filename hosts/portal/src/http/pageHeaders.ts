/** Nothing from elsewhere, no inline script or style, no frame around us. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  // A draft's picture stands in the page itself.
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'"
].join("; ")

/** The headers of every answer. */
export const pageHeaders = (secure: boolean): Readonly<Record<string, string>> => ({
  "Content-Security-Policy": contentSecurityPolicy,
  "X-Content-Type-Options": "nosniff",
  // Our own pages are told where a form came from, nobody else.
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
  "Cache-Control": "no-store",
  ...(secure ? { "Strict-Transport-Security": "max-age=31536000" } : {})
})
