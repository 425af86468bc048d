import {
  counterExtension, type InvoiceType, type LineItem, taxByLabel, type TaxRate, totalAmount, type TransactionType, writeJournal
} from "@overa/domain"
import { BigDecimal, DateTime } from "effect"
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { sampleItem } from "./sampleReceipts.ts"
import { kindBytes, type LinkFacts, numberBytes, writeLink } from "./writeLink.ts"

/** One receipt of another ESIR, as its files hold it. */
export interface OtherReceipt {
  readonly pfrNumber: string
  readonly link: string
  readonly journal: string
  readonly totalAmount: BigDecimal.BigDecimal
}

/** What tells one receipt from another. */
export interface OtherKind {
  readonly invoiceType?: InvoiceType
  readonly transactionType?: TransactionType
  readonly items?: ReadonlyArray<LineItem>
  readonly buyerId?: string
  /** Milliseconds since 1970. */
  readonly time?: number
}

/** Another ESIR of a taxpayer, with an element and a signer of its own. */
export interface OtherEsir {
  readonly signerPem: string
  readonly signedBy: string
  readonly issue: (number: number, kind?: OtherKind) => OtherReceipt
}

const rates: ReadonlyArray<TaxRate> = [["A", "9"], ["Ђ", "20"], ["Е", "10"]].map(([label = "", rate = ""]) =>
  ({ label, category: "О-ПДВ", categoryType: 0, rate: BigDecimal.fromStringUnsafe(rate) }))

const padded = (text: string): Buffer => Buffer.concat([Buffer.alloc(20 - text.length), Buffer.from(text, "latin1")])

interface Facts extends Required<Omit<OtherKind, "items">> {
  readonly number: number
  readonly total: bigint
}

/** A link with a real signature (V-PFR §7.4). */
const linkOf = (root: string, jids: Pick<LinkFacts, "requestedBy" | "signedBy">, tin: string, key: KeyObject, facts: Facts): string => {
  const internalData = Buffer.from(createHash("sha512").update(`${facts.number}`).digest().toString("hex").repeat(2), "latin1")
  const counter = numberBytes(BigInt(facts.number), 4, "BIG")
  const signature = sign("sha1", Buffer.concat([
    numberBytes(BigInt(facts.time), 8, "BIG"), padded(tin), padded(facts.buyerId), kindBytes(facts), numberBytes(facts.total, 7, "BIG"), counter, counter, internalData
  ]), key)
  return writeLink(root, { ...jids, ...facts, counter: facts.number, internalData, signature })
}

/** Opens another ESIR. `tin` with the prefix where the environment has one. */
export const otherEsir = (tin: string, { root = "https://suf.purs.gov.rs/v/?vl=", requestedBy = "OTHER123", signedBy = "PURS9876" } = {}): OtherEsir => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const issue: OtherEsir["issue"] = (number, kind = {}) => {
    const { invoiceType = "NORMAL", transactionType = "SALE", buyerId = "", time = Date.UTC(2026, 9, 1, 8) + number * 60_000, items = [sampleItem("Књига „Сеобе“", "ком", "2", "1234.50", "Ђ")] } = kind
    const total = totalAmount(items)
    const facts: Facts = { number, invoiceType, transactionType, buyerId, time, total: BigDecimal.scale(total, 4).value }
    const pfrNumber = `${requestedBy}-${signedBy}-${number}`
    const journal = writeJournal({
      environment: "production",
      seller: { tin, businessName: "Књижара Зора", locationName: "Веб", address: "Његошева 12", district: "Београд" },
      content: { invoiceType, transactionType, cashier: { id: "stari", displayName: null }, buyer: buyerId === "" ? null : { id: buyerId, optionalField: null }, items, payments: [{ type: "CARD", amount: total }], reference: null, dateAndTimeOfIssue: null, esirNumber: "77/1.0" },
      taxes: taxByLabel(items, { groupId: 1, validFrom: DateTime.makeUnsafe(0), rates }),
      signed: { sdcTime: new Date(time).toLocaleString("sv-SE", { timeZone: "Europe/Belgrade" }), invoiceNumber: pfrNumber, invoiceCounter: `${number}/${number}${counterExtension({ invoiceType, transactionType })}` }
    })
    return { pfrNumber, journal, totalAmount: total, link: linkOf(root, { requestedBy, signedBy }, tin, privateKey, facts) }
  }
  return { signedBy, signerPem: publicKey.export({ type: "spki", format: "pem" }).toString(), issue }
}
