/** Nothing from other servers, no inline script or style, no framing of this portal; a script only where the page says that it has one. */
export const contentSecurityPolicy = (scripts: boolean): string => [
  "default-src 'none'",
  ...(scripts ? ["script-src 'self'", "connect-src 'self'"] : []),
  "style-src 'self'",
  // The picture of a draft is embedded in the page.
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'"
].join("; ")

/** The headers of every answer. */
export const pageHeaders = (secure: boolean): Readonly<Record<string, string>> => ({
  "Content-Security-Policy": contentSecurityPolicy(false),
  "X-Content-Type-Options": "nosniff",
  // Only this portal's own pages get the origin of a form.
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
  "Cache-Control": "no-store",
  ...(secure ? { "Strict-Transport-Security": "max-age=31536000" } : {})
})
