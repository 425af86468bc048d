import { writeCsv } from "@overa/adapter-spreadsheets"
import {
  BrandingStore, ElementOversight, ElsewhereReceipts, exportProducts, type FiscalDocumentId, formatDecimal, InstallationOversight, type JournalCursor, JournalLog, JournalStore,
  journalSheetHead, journalSheetRow, noFilter, productSheet, readProof, type StoredElsewhereReceipt, type TaxpayerEntry, type TaxpayerId, type Tenant
} from "@overa/domain"
import { DateTime, Effect, Option, Stream } from "effect"
import { proofJson } from "../json/proofJson.ts"
import { jsonText, type LeavingFile, partNumber } from "./LeavingFile.ts"

const dialect = { delimiter: ",", newline: "\r\n" } as const

/** Documents of one part of the journal's table: what is held in memory at once. */
const documentsOfPart = 1_000
/** The most that the journal answers on one page. */
const pageSize = 200
/** Lines of one file. */
const linesOfPart = 2_000

/** Counts of one taxpayer, while its files are read. */
export interface TaxpayerTally {
  documents: number
  receipts: number
  elsewhere: number
  tin: string
}

const tenantOf = ({ organizationId, taxpayer }: TaxpayerEntry): Tenant => ({ organizationId, environment: taxpayer.environment })

/** The folder of a taxpayer in one environment, which `overa-verify` reads. */
export const folderOf = ({ taxpayer }: TaxpayerEntry): string => `${taxpayer.environment}-${taxpayer.taxIdentifier}-${taxpayer.id.slice(-4)}`

/** The keys with which a reader verifies: the authority's signers, and the log's. */
const keyFiles = Effect.fnUntraced(function*({ taxpayer }: TaxpayerEntry) {
  const keys = yield* (yield* InstallationOversight).referenceKeys
  const signers = keys.filter((key) => key.kind === "SIGNER" && key.environment === taxpayer.environment).map(({ name, pem }) => ({ path: `${name}.pem`, content: pem }))
  return [...signers, { path: "journal-key.txt", content: `${(yield* (yield* JournalLog).verifierKeys).join("\n")}\n` }]
})

const productFiles = (tenant: Tenant, taxpayerId: TaxpayerId) =>
  exportProducts(tenant, taxpayerId).pipe(
    Effect.map((products) => [{ path: "products.csv", content: writeCsv(productSheet(products), dialect) }]),
    Effect.catchTag("TaxpayerNotFound", () => Effect.succeed([]))
  )

/** What the taxpayer has besides documents: its place, products, elements without their keys, header and note. */
const settingFiles = Effect.fnUntraced(function*(entry: TaxpayerEntry, tally: TaxpayerTally) {
  const [tenant, { taxpayer }] = [tenantOf(entry), entry]
  const elements = (yield* (yield* ElementOversight).elements(tenant.organizationId)).filter(({ element }) => element.taxpayerId === taxpayer.id)
  const branding = Option.getOrNull(yield* (yield* BrandingStore).current(tenant, taxpayer.id))?.branding ?? null
  const logo = branding?.logo ?? null
  tally.tin = elements[0]?.tin ?? taxpayer.taxIdentifier
  const settings = {
    taxpayer,
    premises: entry.premises,
    elements: elements.map(({ element }) => element),
    branding: branding === null ? null : { contactLines: branding.contactLines, thankYouNote: branding.thankYouNote },
    delivery: entry.delivery
  }
  return [
    { path: "settings.json", content: jsonText(settings, 2) },
    ...(yield* productFiles(tenant, taxpayer.id)),
    ...(logo === null ? [] : [{ path: `logo.${logo.mediaType.replace(/^image\//, "").replace(/\+.*$/, "")}`, content: logo.bytes }])
  ]
})

/** A document's proof, and the text of its receipt. */
const documentFiles = Effect.fnUntraced(function*(tenant: Tenant, id: FiscalDocumentId, tally: TaxpayerTally) {
  const proof = yield* readProof(tenant, id)
  const { answer, status } = proof.operation
  const isReceipt = status === "FISCALIZED" && answer !== null
  tally.documents += 1
  tally.receipts += isReceipt ? 1 : 0
  return [
    { path: `proofs/${id}.json`, content: JSON.stringify(proofJson(proof)) },
    ...(isReceipt ? [{ path: `receipts/${answer.pfr.invoiceNumber.replaceAll(/[^\p{L}\p{N}-]/gu, "_")}.txt`, content: answer.pfr.journal }] : [])
  ]
})

const journalPart = Effect.fnUntraced(function*(tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>, part: number) {
  const journal = yield* JournalStore
  const labels = yield* journal.labels(tenant, ids)
  const rows = (yield* journal.lines(tenant, ids)).map(journalSheetRow(labels))
  return { path: `journal-${partNumber(part)}.csv`, content: writeCsv([journalSheetHead(labels), ...rows], dialect) }
})

const allDocuments = (tenant: Tenant, taxpayerId: TaxpayerId) =>
  Stream.paginate(null as JournalCursor | null, (cursor) =>
    Effect.gen(function*() {
      const { items, nextCursor } = yield* (yield* JournalStore).page(tenant, { ...noFilter, taxpayerId }, { cursor, pageSize })
      return [items.map(({ id }) => id), Option.fromNullishOr(nextCursor)] as const
    }))

/** Proofs, texts and the journal's table, latest first; a few documents at once, so that the memory does not grow with the journal. */
const documentStream = (entry: TaxpayerEntry, tally: TaxpayerTally) => {
  const tenant = tenantOf(entry)
  return allDocuments(tenant, entry.taxpayer.id).pipe(
    Stream.grouped(documentsOfPart),
    Stream.zipWithIndex,
    Stream.flatMap(([ids, part]) =>
      Stream.fromIterable(ids).pipe(
        Stream.mapEffect((id) => documentFiles(tenant, id, tally), { concurrency: 2 }),
        Stream.flattenIterable,
        Stream.concat(Stream.fromEffect(journalPart(tenant, ids, part)))
      ))
  )
}

const elsewhereLine = ({ receipt }: StoredElsewhereReceipt): string =>
  `${JSON.stringify({
    ...receipt,
    pfrTime: DateTime.formatIso(receipt.pfrTime),
    totalAmount: formatDecimal(receipt.totalAmount, 2),
    totalTax: receipt.totalTax === null ? null : formatDecimal(receipt.totalTax, 2)
  })}\n`

/** Receipts that the taxpayer has issued with another ESIR, with their links and texts: `elsewhere import` of another installation reads the files. */
const elsewhereStream = (entry: TaxpayerEntry, tally: TaxpayerTally) => {
  const filter = { taxpayerId: entry.taxpayer.id, pfrFrom: null, pfrTo: null, pfrNumber: null }
  return Stream.paginate(null as string | null, (after) =>
    Effect.gen(function*() {
      const { items, next } = yield* (yield* ElsewhereReceipts).page(tenantOf(entry), filter, after, 500)
      tally.elsewhere += items.length
      return [items, Option.fromNullishOr(next)] as const
    })).pipe(
      Stream.grouped(linesOfPart),
      Stream.zipWithIndex,
      Stream.map(([some, part]) => ({ path: `elsewhere-${partNumber(part)}.jsonl`, content: some.map(elsewhereLine).join("") }))
    )
}

/** One taxpayer in one environment: keys and settings first. */
export const taxpayerFiles = (entry: TaxpayerEntry, tally: TaxpayerTally) => {
  const first = Stream.fromIterableEffect(Effect.zipWith(keyFiles(entry), settingFiles(entry, tally), (keys, settings): ReadonlyArray<LeavingFile> => [...keys, ...settings]))
  return first.pipe(
    Stream.concat(documentStream(entry, tally)),
    Stream.concat(elsewhereStream(entry, tally)),
    Stream.map((file): LeavingFile => ({ ...file, path: `${folderOf(entry)}/${file.path}` }))
  )
}
