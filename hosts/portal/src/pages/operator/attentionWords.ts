import type { Say } from "../../language/Language.ts"

type Words = readonly [serbian: string, english: string]

const kinds: Readonly<Record<string, Words>> = {
  AFTER_CLOSING: ["документ после затварања аванса", "a document after the closing of an advance"],
  BESIDE_ANOTHER_ADVANCE: ["аванс мимо другог аванса", "an advance beside another one"],
  CHECK_FAILED: ["провера рачуна није успела", "a check of a receipt has failed"],
  CONFIRMED_DESPITE_CHECKS: ["потврђен упркос проверама", "confirmed despite its checks"],
  COPY_NOT_RESERVED: ["копија није издата", "a copy was not issued"],
  COUNTER_GAP: ["прекид у бројачима", "a gap in the counters"],
  DELIVERY_WAITING: ["порука чека", "a message waits"],
  ELEMENT_REFUSED: ["елемент је одбијен", "an element was refused"],
  FOREIGN_ANSWER: ["одговор о другом документу", "an answer about another document"],
  IDENTIFIERS_TRIED: ["испробавање туђих ПИБ-ова", "other people's tax ids tried"],
  INNER_DOCUMENT_REJECTED: ["одбијен је документ који сервис сам издаје", "a document that the service issues itself was rejected"],
  LOST_ATTEMPT: ["покушај без исхода", "an attempt without an outcome"],
  NUMBER_ALREADY_STORED: ["број рачуна већ постоји", "the number is stored already"],
  OPERATION_UNREADABLE: ["документ не може да се прочита", "a document cannot be read"],
  ORIGINAL_LOST: ["оригинал је изгубљен", "the original is lost"],
  OVER_REFUNDED: ["враћено је више него што је продато", "more was refunded than was sold"],
  SECOND_FACTOR_GUESSED: ["погађање другог фактора", "a second factor is being guessed"],
  SECOND_RECEIPT: ["можда постоји други рачун", "there may be a second receipt"]
}

/** Followed by the number of the configuration whose labels end. */
const ratesChange = "TAX_LABELS_END_WITH_GROUP_"

/** The kind of an item on the attention list; as it is stored where a later release has added it. */
export const attentionWords = (say: Say, kind: string): string => {
  if (kind.startsWith(ratesChange)) return say("пореске ознаке престају да важе", "tax labels come to their end")
  const words = kinds[kind]
  return words === undefined ? kind : say(...words)
}
