import type { CaughtMail } from "./CaughtMail.ts"

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;")

const style = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #8886;vertical-align:top;overflow-wrap:anywhere}
iframe{width:100%;height:44rem;border:1px solid #8886;border-radius:6px;background:#fff}pre{white-space:pre-wrap;overflow-wrap:anywhere}`

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${
    escape(title)
  }</title><style>${style}</style></head><body>${body}</body></html>`

const row = ({ caughtAt, id, parsed, recipients }: CaughtMail): string =>
  `<tr><td><time>${caughtAt.toISOString()}</time></td><td>${escape(recipients.join(", "))}</td><td><a href="/messages/${id}/page">${
    escape(parsed.subject ?? "(no subject)")
  }</a></td></tr>`

/** All messages, latest first. */
export const listPage = (mails: ReadonlyArray<CaughtMail>): string =>
  page(
    "Mail catcher",
    `<h1>Mail catcher</h1><p>Messages of this sandbox are caught here and delivered nowhere. For programs: <a href="/messages">/messages</a>.</p>${
      mails.length === 0
        ? "<p>No message yet.</p>"
        : `<table><thead><tr><th>Caught</th><th>To</th><th>Subject</th></tr></thead><tbody>${mails.map(row).join("")}</tbody></table>`
    }`
  )

const attachmentLinks = ({ id, parsed }: CaughtMail): string =>
  parsed.attachments.map(({ filename, size }, index) =>
    `<li><a href="/messages/${id}/attachments/${index}">${escape(filename ?? `attachment ${index}`)}</a> (${size} bytes)</li>`).join("")

/** One message: its HTML in a sandboxed frame, its text, its attachments, its source. */
export const mailPage = (mail: CaughtMail): string => {
  const { id, parsed, recipients } = mail
  return page(
    parsed.subject ?? "Message",
    `<p><a href="/">All messages</a></p><h1>${escape(parsed.subject ?? "")}</h1><table><tbody><tr><th>From</th><td>${
      escape(parsed.from?.text ?? "")
    }</td></tr><tr><th>To</th><td>${escape(recipients.join(", "))}</td></tr><tr><th>Answers to</th><td>${
      escape(parsed.replyTo?.text ?? "")
    }</td></tr></tbody></table><h2>HTML</h2><iframe sandbox src="/messages/${id}/html" title="The HTML part"></iframe><h2>Text</h2><pre>${
      escape(parsed.text ?? "")
    }</pre><h2>Attachments</h2><ul>${attachmentLinks(mail)}</ul><p><a href="/messages/${id}/source">Source</a></p>`
  )
}
