import { type Branding, pfrInstant, type Receipt } from "@overa/domain"
import { DateTime, Option } from "effect"
import { belowClosingLine } from "./belowClosingLine.ts"
import { fiscalPart } from "./fiscalPart.ts"
import type { ReceiptLayout } from "./ReceiptLayout.ts"

const titles = {
  NORMAL: "Фискални рачун",
  ADVANCE: "Авансни рачун",
  COPY: "Копија рачуна",
  PROFORMA: "Предрачун",
  TRAINING: "Рачун за обуку"
} as const

/** Increase it with any change of layout: bytes are equal, and entity tags strong, only within one version (Decisions §6). */
export const layoutVersion = 7

/** The content of the receipt, in the order of the paper. */
export const composeLayout = (receipt: Receipt, branding: Branding | null): ReceiptLayout => {
  const { answer, operation } = receipt
  const signedAt = Option.getOrElse(pfrInstant(answer.pfr.sdcTime), () => operation.createdAt)
  return {
    title: `${titles[operation.content.invoiceType]} ${answer.pfr.invoiceNumber}`,
    author: answer.businessName ?? "",
    number: answer.pfr.invoiceNumber,
    signedAt: DateTime.toEpochMillis(signedAt),
    branding,
    fiscalPart: fiscalPart(receipt),
    verificationUrl: answer.pfr.verificationUrl,
    below: belowClosingLine(receipt, branding)
  }
}
