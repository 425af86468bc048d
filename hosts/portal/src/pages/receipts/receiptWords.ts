import { type DocumentStatus, type FailureCode, failureCodeOf, type InvoiceType, type Operation, type PaymentType, type TransactionType } from "@overa/domain"
import { badge } from "../../html/parts.ts"
import type { Html } from "../../html/el.ts"
import type { Say } from "../../language/Language.ts"

type Words = readonly [serbian: string, english: string]

const invoiceTypes: Readonly<Record<InvoiceType, Words>> = {
  NORMAL: ["Промет", "Normal"],
  ADVANCE: ["Аванс", "Advance"],
  COPY: ["Копија", "Copy"],
  PROFORMA: ["Предрачун", "Proforma"],
  TRAINING: ["Обука", "Training"]
}

const transactionTypes: Readonly<Record<TransactionType, Words>> = { SALE: ["продаја", "sale"], REFUND: ["рефундација", "refund"] }

export const invoiceTypeWords = (say: Say, type: InvoiceType): string => say(...invoiceTypes[type])
export const transactionTypeWords = (say: Say, type: TransactionType): string => say(...transactionTypes[type])

/** What kind of document it is. */
export const kindWords = (say: Say, { content }: { readonly content: Pick<Operation["content"], "invoiceType" | "transactionType"> }): string =>
  `${say(...invoiceTypes[content.invoiceType])} – ${say(...transactionTypes[content.transactionType])}`

const paymentTypes: Readonly<Record<PaymentType, Words>> = {
  CARD: ["Платна картица", "Card"],
  WIRE_TRANSFER: ["Пренос на рачун", "Wire transfer"],
  INSTANT_PAYMENT: ["Инстант плаћање", "Instant payment"],
  CASH: ["Готовина", "Cash"],
  VOUCHER: ["Ваучер", "Voucher"],
  CHECK: ["Чек", "Cheque"],
  OTHER: ["Друго безготовинско", "Other cashless"]
}

export const paymentWords = (say: Say, type: PaymentType): string => say(...paymentTypes[type])

interface StatusWords {
  readonly kind: "good" | "bad" | "wait" | "plain"
  readonly name: Words
  readonly happened: Words
}

const statuses: Readonly<Record<DocumentStatus, StatusWords>> = {
  RECEIVED: { kind: "plain", name: ["Примљен", "Received"], happened: ["Захтев је примљен и проверава се; рачун још не постоји.", "The request was received and is being checked; there is no receipt yet."] },
  VALIDATED: { kind: "wait", name: ["Чека слање", "Waiting to be sent"], happened: ["Захтев је проверен и биће послат; рачун још не постоји.", "The request was checked and will be sent; there is no receipt yet."] },
  SUBMITTING: { kind: "wait", name: ["Шаље се", "Being sent"], happened: ["Захтев се шаље В-ПФР-у; рачун још није познат.", "The request is being sent to the V-PFR; no receipt is known yet."] },
  FISCALIZED: { kind: "good", name: ["Фискализован", "Fiscalized"], happened: ["Рачун постоји: В-ПФР га је потписао. Нема шта више да се ради.", "The receipt exists: the V-PFR signed it. There is nothing more to do."] },
  REJECTED: { kind: "bad", name: ["Одбијен", "Rejected"], happened: ["В-ПФР је одбио захтев; рачун не постоји и неће постојати.", "The V-PFR rejected the request; there is no receipt and there will be none."] },
  NOT_FISCALIZED: { kind: "bad", name: ["Није фискализован", "Not fiscalized"], happened: ["Ништа није потписано; рачун не постоји.", "Nothing was signed; there is no receipt."] },
  OUTCOME_UNKNOWN: { kind: "wait", name: ["Исход непознат", "Outcome unknown"], happened: ["Захтев је можда стигао до В-ПФР-а; рачун можда постоји.", "The request may have reached the V-PFR; a receipt may exist."] },
  RECONCILING: { kind: "wait", name: ["Проверава се", "Being looked up"], happened: ["Питамо В-ПФР да ли рачун постоји.", "We are asking the V-PFR whether the receipt exists."] }
}

export const statusBadge = (say: Say, status: DocumentStatus): Html => badge(statuses[status].kind, say(...statuses[status].name))
export const statusName = (say: Say, status: DocumentStatus): string => say(...statuses[status].name)

const steps: Readonly<Record<FailureCode, Words>> = {
  PFR_UNAVAILABLE: ["В-ПФР није доступан. Исти захтев може поново, одавде или из продавнице.", "The V-PFR cannot be reached. The same request may be sent again, from here or from the shop."],
  PFR_SECURITY_ELEMENT_UNAVAILABLE: ["Безбедносни елемент не може да се користи. Проверите га у подешавањима, па пошаљите исти захтев поново.", "The security element cannot be used. Look at it in the setup, then send the same request again."],
  PFR_SUBMISSION_CANCELLED_BEFORE_SEND: ["Продавница је одустала пре слања. Може поново.", "The shop disconnected before anything was sent. It may try again."],
  PFR_SUBMISSION_FAULT: ["Ништа ново не шаљите за ову продају док се исход не утврди.", "Send nothing new for this sale until the outcome is known."],
  PFR_VALIDATION_REJECTED: ["Исправите податке који су наведени испод и издајте под новим кључем.", "Correct what is named below and issue it under a new key."],
  OUTCOME_UNKNOWN: ["Ништа ново не шаљите за ову продају: ми тражимо рачун, а оператер одлучује ако га не нађемо.", "Send nothing new for this sale: we are searching for the receipt, and an operator decides if it is not found."],
  OPERATOR_CONFIRMED_NOT_ISSUED: ["Оператер је утврдио да рачун није издат. Исти захтев може поново.", "An operator found that no receipt was issued. The same request may be sent again."],
  ADVANCE_REFUND_NOT_FISCALIZED: ["Рефундација аванса није издата, па ни овај рачун.", "The advance refund was not issued, so neither was this."]
}

/** What happened and what to do next. */
export const summaryWords = (say: Say, operation: Operation): string => {
  const code = failureCodeOf(operation.status, operation.failureCode)
  const happened = say(...statuses[operation.status].happened)
  return code === null ? happened : `${happened} ${say(...steps[code])}`
}

const causes: Readonly<Record<string, Words>> = {
  received: ["захтев је примљен", "the request was received"],
  validated: ["захтев је проверен", "the request was checked"],
  reserved: ["уписано пре слања", "stored before it was sent"],
  signed: ["В-ПФР је потписао", "the V-PFR signed"],
  rejected: ["В-ПФР је одбио", "the V-PFR rejected it"],
  notSent: ["ништа није послато", "nothing was sent"],
  noAnswer: ["одговор није стигао", "no answer came"],
  leaseExpired: ["онај ко је слао се није јавио", "the sender did not report an outcome"],
  searchStarted: ["почела је претрага код В-ПФР-а", "a search at the V-PFR began"],
  found: ["рачун је пронађен код В-ПФР-а", "the receipt was found at the V-PFR"],
  notFound: ["претрага није нашла ништа", "the search found nothing"],
  searchUnanswered: ["В-ПФР није одговорио на претрагу", "the V-PFR did not answer the search"],
  redriven: ["послато поново под истим кључем", "sent again under the same key"],
  retriedByOperator: ["оператер је послао поново", "an operator had it sent again"],
  confirmedIssued: ["оператер је потврдио да је издат", "an operator confirmed that it was issued"],
  confirmedNotIssued: ["оператер је потврдио да није издат", "an operator confirmed that it was not issued"],
  closingGivenUp: ["оператер је одустао од затварања", "an operator gave the closing up"]
}

export const causeWords = (say: Say, cause: string): string => say(...(causes[cause] ?? [cause, cause]))
