import type { DeliveryLocale, ReceiptMail } from "@overa/domain"

/** The texts of the message around a receipt, in one language and script. */
export interface Words {
  readonly language: string
  /** The kind of document, as a title. */
  readonly title: string
  /** Null for a fiscal receipt. */
  readonly notice: string | null
  readonly sandbox: string
  readonly greeting: string
  readonly number: string
  readonly time: string
  readonly total: string
  readonly order: string
  readonly verify: string
  readonly linkHint: string
  readonly attached: string
  readonly automatic: string
  readonly answersGoTo: string
  readonly answersUnread: string
}

type Kind = `${ReceiptMail["receipt"]["invoiceType"]} ${ReceiptMail["receipt"]["transactionType"]}`

const titles: Readonly<Record<Kind, { readonly sr: string; readonly en: string }>> = {
  "NORMAL SALE": { sr: "Фискални рачун", en: "Fiscal receipt" },
  "NORMAL REFUND": { sr: "Фискални рачун – рефундација", en: "Fiscal receipt – refund" },
  "ADVANCE SALE": { sr: "Авансни рачун", en: "Advance receipt" },
  "ADVANCE REFUND": { sr: "Авансни рачун – рефундација", en: "Advance receipt – refund" },
  "COPY SALE": { sr: "Копија рачуна", en: "Copy of a receipt" },
  "COPY REFUND": { sr: "Копија рачуна – рефундација", en: "Copy of a refund receipt" },
  "PROFORMA SALE": { sr: "Предрачун", en: "Proforma invoice" },
  "PROFORMA REFUND": { sr: "Предрачун – рефундација", en: "Proforma invoice – refund" },
  "TRAINING SALE": { sr: "Рачун за обуку", en: "Training receipt" },
  "TRAINING REFUND": { sr: "Рачун за обуку – рефундација", en: "Training receipt – refund" }
}

type Fixed = Omit<Words, "title" | "notice" | "language">

const serbian: Fixed = {
  sandbox: "Пробно окружење: ово је проба, а не стварна куповина.",
  greeting: "Хвала на куповини. Ваш рачун је у прилогу ове поруке.",
  number: "Број рачуна",
  time: "Време",
  total: "Укупан износ",
  order: "Поруџбина",
  verify: "Провери рачун",
  linkHint: "Ако дугме не ради, отворите ову адресу Пореске управе:",
  attached: "У прилогу",
  automatic: "Порука је послата аутоматски, уз издати рачун.",
  answersGoTo: "За питања пишите на",
  answersUnread: "Одговори на ову поруку се не читају; за питања се обратите продавцу."
}

const english: Fixed = {
  sandbox: "Test environment: this is a trial, not a real purchase.",
  greeting: "Thank you for your purchase. Your receipt is attached to this message.",
  number: "Receipt number",
  time: "Time",
  total: "Total",
  order: "Order",
  verify: "Verify the receipt",
  linkHint: "If the button does not work, open this address of the Tax Administration:",
  attached: "Attached",
  automatic: "This message was sent automatically with the receipt.",
  answersGoTo: "Questions? Write to",
  answersUnread: "Answers to this message are not read; please contact the seller."
}

const refundGreeting = {
  sr: "Ваш рачун за рефундацију је у прилогу ове поруке.",
  en: "The receipt of your refund is attached to this message."
}
const plainGreeting = { sr: "Документ је у прилогу ове поруке.", en: "The document is attached to this message." }
const notices = { sr: "Ово није фискални рачун.", en: "This is not a fiscal receipt." }

const pairs = "А A Б B В V Г G Д D Ђ Đ Е E Ж Ž З Z И I Ј J К K Л L Љ Lj М M Н N Њ Nj О O П P Р R С S Т T Ћ Ć У U Ф F Х H Ц C Ч Č Џ Dž Ш Š".split(" ")
const latinOf: ReadonlyMap<string, string> = new Map(
  pairs.flatMap((letter, at) => {
    const latin = pairs[at + 1]
    if (at % 2 === 1 || latin === undefined) return []
    return [[letter, latin], [letter.toLowerCase(), latin.toLowerCase()]] as const
  })
)

/** Serbian Cyrillic in Latin script, letter by letter. */
export const inLatin = (text: string): string => Array.from(text, (letter) => latinOf.get(letter) ?? letter).join("")

const greetingOf = ({ invoiceType, transactionType }: ReceiptMail["receipt"], language: "sr" | "en", fixed: Fixed): string => {
  if (invoiceType === "COPY" || invoiceType === "PROFORMA" || invoiceType === "TRAINING") return plainGreeting[language]
  return transactionType === "REFUND" ? refundGreeting[language] : fixed.greeting
}

const notFiscal = new Set(["COPY", "PROFORMA", "TRAINING"])

/** The words of a receipt's message. */
export const wordsFor = (receipt: ReceiptMail["receipt"], locale: DeliveryLocale): Words => {
  const language = locale === "en" ? "en" : "sr"
  const fixed = language === "en" ? english : serbian
  const words: Words = {
    ...fixed,
    language: locale,
    title: titles[`${receipt.invoiceType} ${receipt.transactionType}`][language],
    notice: notFiscal.has(receipt.invoiceType) ? notices[language] : null,
    greeting: greetingOf(receipt, language, fixed)
  }
  if (locale !== "sr-Latn") return words
  return Object.fromEntries(
    Object.entries(words).map(([name, text]) => [name, name === "language" || text === null ? text : inLatin(text as string)])
  ) as unknown as Words
}
