import { green, notTried, notUsed, red, type RehearsalStep } from "./RehearsalStep.ts"

/** One paper, as drawn. */
export interface DrawnPaper {
  readonly paper: string
  readonly hasLogo: boolean
  /** Characters of header, note or footer for which the font has no sign. */
  readonly missing: ReadonlyArray<string>
}

/** @param branding null: the shop has none; `logo` whether it has one */
export const paperStep = (drawn: ReadonlyArray<DrawnPaper> | null, branding: { readonly logo: boolean } | null): RehearsalStep => {
  if (drawn === null) return notTried("paper", ["Нема потписаног документа за цртање.", "There is no signed document to draw."])
  const lost = drawn.find(({ missing }) => missing.length > 0)
  if (lost !== undefined) {
    return red(
      "paper", [`На папиру ${lost.paper} слова немају знак ${lost.missing.join(" ")}.`, `On ${lost.paper} the font has no ${lost.missing.join(" ")}.`], "the owner",
      ["пише заглавље и поруку без тих знакова", "writes header and note without these characters"]
    )
  }
  const bare = branding?.logo === true ? drawn.find(({ hasLogo }) => !hasLogo) : undefined
  if (bare !== undefined) {
    return red("paper", [`Логотипа нема на папиру ${bare.paper}.`, `The logo is not on ${bare.paper}.`], "the owner", ["поново учитава логотип, као PNG или JPEG", "uploads the logo again, as PNG or JPEG"])
  }
  const papers = drawn.map(({ paper }) => paper).join(", ")
  return branding === null
    ? green("paper", [`Нацртано на ${papers}, без заглавља и поруке: продавница их није унела.`, `Drawn on ${papers}, without header and note: the shop has set none.`])
    : green("paper", [`Заглавље${branding.logo ? ", логотип" : ""} и подножје су нацртани на ${papers}.`, `Header${branding.logo ? ", logo" : ""} and footer are drawn on ${papers}.`])
}

export interface MailFound {
  /** The shop has switched deliveries on. */
  readonly enabled: boolean
  readonly licensed: boolean
  /** Null: no server is configured. */
  readonly server: { readonly fault: string | null } | null
  /** Failures in a row, as the workers counted them. */
  readonly failures: number
}

export const mailStep = (found: MailFound): RehearsalStep => {
  if (!found.enabled) return notUsed("mail", ["Продавница не шаље рачуне електронском поштом.", "The shop sends no receipts by e-mail."])
  if (!found.licensed) {
    return red("mail", ["Лиценца нема модул за слање поштом.", "The licence has no module email."], "the operator", ["додаје га: licences grant <organization> --module email", "adds it: licences grant <organization> --module email"])
  }
  if (found.server === null) {
    return red("mail", ["Сервер за пошту није подешен.", "No mail server is configured."], "the operator", ["поставља OVERA_SMTP_URL и OVERA_MAIL_SENDER на радницима и домаћинима", "sets OVERA_SMTP_URL and OVERA_MAIL_SENDER on workers and hosts"])
  }
  if (found.server.fault !== null) {
    return red(
      "mail", [`Сервер за пошту не ради: ${found.server.fault}.`, `The mail server does not work: ${found.server.fault}.`], "the operator",
      ["исправља OVERA_SMTP_URL, или проверава сервер", "corrects OVERA_SMTP_URL, or looks at the server"]
    )
  }
  if (found.failures > 0) {
    return red(
      "mail", [`Радници нису успели да предају поруку; узастопних неуспеха: ${found.failures}.`, `The workers failed ${found.failures} times in a row to hand a message over.`], "the operator",
      ["чита docs/operations/mail-is-stuck.md", "reads docs/operations/mail-is-stuck.md"]
    )
  }
  return green("mail", ["Сервер за пошту одговара и прихвата пријаву.", "The mail server answers and accepts the sign-in."])
}

/** What became of the test event of one address. */
export interface WebhookFound {
  readonly url: string
  /** `NOT_SENT`: no worker has sent it in time. */
  readonly became: "TAKEN" | "REFUSED" | "NOT_SENT" | "PAUSED"
  /** What the address answered, where it refused. */
  readonly detail: string
}

/** @param found every address of the shop's environment */
export const webhooksStep = (found: ReadonlyArray<WebhookFound>): RehearsalStep => {
  if (found.length === 0) return notUsed("webhooks", ["Продавница нема адресе за догађаје.", "The shop has no addresses for events."])
  const unsent = found.find(({ became }) => became === "NOT_SENT")
  if (unsent !== undefined) {
    return red(
      "webhooks", [`Ниједан радник није послао пробни догађај на ${unsent.url}.`, `No worker has sent the test event to ${unsent.url}.`], "the operator",
      ["проверава да ли радници раде", "checks that the workers run"]
    )
  }
  const refused = found.find(({ became }) => became === "REFUSED")
  if (refused !== undefined) {
    return red(
      "webhooks", [`${refused.url} није примио пробни догађај: ${refused.detail}.`, `${refused.url} did not take the test event: ${refused.detail}.`], "the owner",
      ["даје одговор програмеру, или исправља адресу", "gives the answer to the developer, or corrects the address"]
    )
  }
  const paused = found.find(({ became }) => became === "PAUSED")
  if (paused !== undefined) {
    return red("webhooks", [`Слање на ${paused.url} је заустављено.`, `Sending to ${paused.url} is paused.`], "the owner", ["поново га покреће, или уклања адресу", "resumes it, or removes the address"])
  }
  return green("webhooks", [`Адреса које су примиле пробни догађај: ${found.length}.`, `${found.length} ${found.length === 1 ? "address has" : "addresses have"} taken the test event.`])
}
