import { bindKey, type ErrorCode, errorCatalogue, type KeyedRequest } from "@overa/domain"
import { sha256 } from "@overa/rest-api"
import type { MemberVisit } from "../../http/Visit.ts"

/** The idempotency key of a form, or of a draft that an address names. */
export const keyOfForm = (id: string): string => `portal-${id}`

/**
 * A form as the request that the API would have received. The form's own id is the key: sent twice, by a double click or after a lost answer, it
 * issues one document (Decisions §3).
 */
export const keyedRequestOf = (visit: MemberVisit, target: string, body: unknown, id = visit.form?.text("form") ?? ""): KeyedRequest => ({
  tenant: visit.tenant,
  clientId: visit.actor,
  boundKey: bindKey({ key: keyOfForm(id), target, body }, sha256),
  // A browser leaves the first of two submits as soon as the second begins: what the person confirmed is carried out, and the second one is led to it.
  callerGone: new AbortController().signal
})

/** Whether the form has an id made by this portal. */
export const hasFormId = (visit: MemberVisit): boolean => /^[0-9a-f-]{36}$/.test(visit.form?.text("form") ?? "")

type Words = readonly [serbian: string, english: string]

const known: Partial<Record<ErrorCode, Words>> = {
  LICENSE_REQUIRED: ["Организација нема лиценцу за продукцију. Затражите је од оператера.", "The organization has no production licence. Ask the operator for one."],
  LICENSE_EXPIRED: ["Лиценца је истекла. Обновите је код оператера; рефундације и даље раде.", "The licence has expired. Have it renewed; refunds still work."],
  LICENSE_SUSPENDED: ["Лиценца је обустављена. Обратите се оператеру.", "The licence is suspended. Contact the operator."],
  PAYMENT_TYPE_NOT_ALLOWED_ON_PREMISE: ["Овај начин плаћања није дозвољен на овом пословном простору. Изаберите други.", "This premise may not take this kind of payment. Choose another."],
  REFUND_QUANTITY_EXCEEDS_ORIGINAL: ["Не може се вратити више него што је продато. Смањите количину.", "No more can be given back than was sold. Lower the quantity."],
  REFUND_CUMULATIVE_QUANTITY_EXCEEDED: ["Део је већ враћен или се управо враћа. Освежите страницу и погледајте шта је остало.", "Part of it was given back already, or is being given back now. Reload the page and see what is left."],
  REFUND_ORIGINAL_LINE_NOT_FOUND: ["Рачун нема такву ставку. Освежите страницу.", "The receipt has no such line. Reload the page."],
  REFERENCE_DOCUMENT_NOT_FISCALIZED: ["Рачун није фискализован, па нема шта да се врати.", "The document is not fiscalized, so there is nothing to give back."],
  COPY_SOURCE_NOT_COPYABLE: ["Од овог документа се не издаје копија.", "No copy is made of this kind of document."],
  RESTORE_IN_PROGRESS: ["Враћање из резервне копије је у току; ништа није послато. Сачекајте и поновите исто.", "The installation is being restored; nothing was sent. Wait and repeat the same."],
  PFR_ENVIRONMENT_DISABLED: ["Саобраћај у овом окружењу је искључен. Обратите се оператеру.", "Traffic of this environment is switched off. Contact the operator."],
  PFR_SANDBOX_NOT_CONFIGURED: ["В-ПФР овог окружења није подешен. Обратите се оператеру.", "The V-PFR of this environment is not configured. Contact the operator."],
  CURRENT_TAX_CONFIGURATION_UNAVAILABLE: ["В-ПФР тренутно не даје пореске стопе. Покушајте за минут.", "The V-PFR gives no tax rates at the moment. Try again in a minute."],
  MODULE_NOT_LICENSED: ["Модул за слање е-поштом није у лиценци. Затражите га од оператера.", "The e-mail module is not in the licence. Ask the operator for it."],
  RECEIPT_DELIVERY_DISABLED: ["Слање е-поштом је искључено за овог обвезника. Укључује се у подешавањима, под „Слање е-поштом“.", "Delivery by e-mail is off for this taxpayer. It is switched on in the setup, under “Delivery by e-mail”."],
  RECEIPT_DELIVERY_UNAVAILABLE: ["Слање е-поштом тренутно не ради. Покушајте касније.", "Delivery by e-mail does not work at the moment. Try later."],
  RECEIPT_DELIVERY_DOCUMENT_NOT_ISSUED_TO_BUYER: ["Овај документ се не шаље купцу.", "This kind of document is not sent to a buyer."],
  RATE_LIMITED: ["Превише слања у последњих сат времена. Покушајте касније.", "Too many were sent within the hour. Try later."],
  BUSINESS_PREMISE_NOT_FOUND: ["Пословни простор више није активан.", "The premise is not active any more."],
  TAXPAYER_NOT_FOUND: ["Обвезник више није активан.", "The taxpayer is not active any more."]
}

/** What a refused document means and what to do; nothing was issued. Null for an error that is no refusal by a rule. */
export const refusalSentence = (visit: MemberVisit, error: unknown): string | null => {
  const { code } = error as { readonly code?: unknown }
  if (typeof code !== "string" || !(code in errorCatalogue)) return null
  const entry = errorCatalogue[code as ErrorCode]
  const nothing = visit.say("Ништа није урађено. ", "Nothing was done. ")
  return nothing + visit.say(...(known[code as ErrorCode] ?? [`${code}: ${entry.meaning}`, `${entry.meaning} ${entry.nextStep}`]))
}
