import type { ReceiptMail } from "@overa/domain"
import { escapeHtml, plainName, shownAmount, shownTime } from "./shownText.ts"
import type { Words } from "./words.ts"

/** The Content-ID of the inline logo. */
export const logoId = "logo@overa"

const font = "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"

// Colours are inline for engines that drop style sheets; the sheet only darkens them for readers who prefer dark.
const sheet = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0;-webkit-text-size-adjust:100%}
a{text-decoration:underline}
@media (max-width:480px){.card{padding:24px 16px !important}.amount{font-size:28px !important}}
@media (prefers-color-scheme:dark){
.page{background:#15181c !important}.card{background:#1f242a !important;border-color:#353c44 !important}
.ink{color:#f2f4f6 !important}.soft{color:#b4bcc6 !important}.rule{border-color:#353c44 !important}
.button{background:#8ab4ff !important}.button a{color:#0b1a33 !important}.link{color:#9cc0ff !important}
.notice{background:#3a2f12 !important;color:#ffe2a0 !important}.logo{background:#ffffff !important}
}`

/** A name in its own writing direction, isolated from the words around it. */
const name = (text: string): string => `<bdi>${escapeHtml(plainName(text))}</bdi>`

const fact = (label: string, value: string): string =>
  `<tr><td class="soft rule" style="padding:10px 12px 10px 0;border-top:1px solid #e3e7ec;color:#5a6570;font-size:14px;vertical-align:top;white-space:nowrap">${
    escapeHtml(label)
  }</td><td class="ink rule" style="padding:10px 0;border-top:1px solid #e3e7ec;color:#1c2530;font-size:14px;text-align:right;word-break:break-word;overflow-wrap:anywhere">${value}</td></tr>`

const notice = (text: string): string =>
  `<p class="notice" style="margin:0 0 16px;padding:10px 12px;border-radius:6px;background:#fff4d6;color:#5c4300;font-size:14px">${escapeHtml(text)}</p>`

const paragraph = (html: string, size = 14): string =>
  `<p class="soft" style="margin:0 0 8px;color:#5a6570;font-size:${size}px;line-height:1.5;word-break:break-word;overflow-wrap:anywhere">${html}</p>`

const header = ({ shop }: ReceiptMail, hasLogo: boolean): string => {
  const shown = hasLogo
    ? `<img class="logo" src="cid:${logoId}" alt="${escapeHtml(plainName(shop.name))}" style="display:block;max-width:220px;max-height:90px;border:0;border-radius:4px;margin:0 0 12px">`
    : ""
  return `${shown}<p class="ink" style="margin:0 0 20px;color:#1c2530;font-size:16px;font-weight:600;word-break:break-word;overflow-wrap:anywhere">${name(shop.name)}</p>`
}

const facts = ({ locale, receipt }: ReceiptMail, words: Words): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;margin:0 0 24px">${
    fact(words.number, escapeHtml(receipt.number))
  }${fact(words.time, escapeHtml(shownTime(receipt.sdcTime, locale)))}${fact(words.order, name(receipt.clientReference))}</table>`

const button = ({ receipt }: ReceiptMail, words: Words): string => {
  const address = escapeHtml(receipt.verificationUrl)
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px"><tr><td class="button" bgcolor="#0b57d0" style="background:#0b57d0;border-radius:6px"><a href="${address}" style="display:inline-block;padding:13px 22px;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none">${
    escapeHtml(words.verify)
  }</a></td></tr></table>`
}

/** The link once more as text, last of all: it is a thousand characters long. */
const linkAsText = ({ receipt }: ReceiptMail, words: Words): string => {
  const address = escapeHtml(receipt.verificationUrl)
  return `${paragraph(escapeHtml(words.linkHint), 12)}<p style="margin:0;font-size:10px;line-height:1.4;word-break:break-all"><a class="link" href="${address}" style="color:#0b57d0">${address}</a></p>`
}

const footer = ({ attachments, shop }: ReceiptMail, words: Words): string => {
  const files = attachments.map(({ fileName }) => escapeHtml(fileName)).join(", ")
  const lines = shop.branding?.contactLines ?? []
  const note = shop.branding?.thankYouNote ?? null
  const answers = shop.replyTo === null
    ? escapeHtml(words.answersUnread)
    : `${escapeHtml(words.answersGoTo)} <a class="link" href="mailto:${escapeHtml(encodeURIComponent(shop.replyTo).replaceAll("%40", "@"))}" style="color:#0b57d0">${escapeHtml(shop.replyTo)}</a>`
  return [
    files === "" ? "" : paragraph(`${escapeHtml(words.attached)}: ${files}`, 13),
    note === null ? "" : paragraph(note.split("\n").map(name).join("<br>")),
    lines.length === 0 ? "" : paragraph(lines.map(name).join("<br>"), 13),
    `<div class="rule" style="border-top:1px solid #e3e7ec;margin:16px 0;font-size:0;line-height:0">&nbsp;</div>`,
    paragraph(escapeHtml(words.automatic), 12),
    paragraph(answers, 12)
  ].join("")
}

/** The HTML part. Tables and inline styles, for engines that know little else; no script, no remote address but the verification link. */
export const htmlPart = (mail: ReceiptMail, words: Words, hasLogo: boolean): string => {
  const amount = escapeHtml(shownAmount(mail.receipt.total, mail.locale))
  return `<!doctype html><html lang="${words.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${
    escapeHtml(words.title)
  }</title><style>${sheet}</style></head><body class="page" style="margin:0;padding:0;background:#f2f4f7;${font}"><div style="display:none;max-height:0;overflow:hidden">${
    escapeHtml(words.title)
  } ${escapeHtml(mail.receipt.number)}, ${amount}</div><table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" bgcolor="#f2f4f7" style="background:#f2f4f7"><tr><td align="center" style="padding:16px 8px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;${font}"><tr><td class="card" bgcolor="#ffffff" style="background:#ffffff;border:1px solid #e3e7ec;border-radius:10px;padding:32px">${
    header(mail, hasLogo)
  }${mail.environment === "sandbox" ? notice(words.sandbox) : ""}${words.notice === null ? "" : notice(words.notice)}<h1 class="ink" style="margin:0 0 4px;color:#1c2530;font-size:20px;line-height:1.3">${
    escapeHtml(words.title)
  }</h1><p class="amount ink" style="margin:0 0 12px;color:#1c2530;font-size:34px;line-height:1.2;font-weight:700">${amount}</p>${
    paragraph(escapeHtml(words.greeting))
  }${facts(mail, words)}${button(mail, words)}${footer(mail, words)}${linkAsText(mail, words)}</td></tr></table></td></tr></table></body></html>`
}
