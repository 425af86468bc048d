import { writeCsv } from "@overa/adapter-spreadsheets"
import { signerModuli } from "@overa/adapter-vpfr"
import {
  BrandingStore, ElementOversight, type Environment, exportedLines, exportProducts, type FiscalDocumentId, InstallationOversight, JournalLog, JournalStore,
  journalSheetHead, journalSheetRow, KnownSigners, noFilter, type OrganizationId, productSheet, readProof, TenancyOversight, type TaxpayerEntry, type Tenant
} from "@overa/domain"
import { proofJson } from "@overa/rest-api"
import { Effect, Option, Stream } from "effect"
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { AdminConfig } from "../AdminConfig.ts"
import { writeElsewhere, writeOrganization } from "./organizationFiles.ts"

const dialect = { delimiter: ",", newline: "\r\n" } as const

/** More than any organization has: the journal is written whole. */
const everything = 2_000_000_000

/** The keys with which a reader verifies: the authority's signers, and the log's. */
const writeKeys = Effect.fnUntraced(function*(folder: string, environment: Environment) {
  const keys = yield* (yield* InstallationOversight).referenceKeys
  for (const { name, pem } of keys.filter((key) => key.kind === "SIGNER" && key.environment === environment)) writeFileSync(join(folder, `${name}.pem`), pem)
  writeFileSync(join(folder, "journal-key.txt"), `${(yield* (yield* JournalLog).verifierKeys).join("\n")}\n`)
})

/** The signers as an operator has recorded them, for what each proof says of its link. */
export const recordedSigners = (config: AdminConfig) =>
  Effect.map(Effect.flatMap(InstallationOversight, (oversight) => oversight.referenceKeys), (keys) =>
    KnownSigners.of({
      inEnvironment: (environment) => ({
        signers: Array.from(signerModuli(keys, environment), ([name, modulus]) => ({ name, modulus })),
        verificationRoot: config.vpfr[environment]?.verificationRoot ?? null
      })
    }))

/** Each document's proof, and the text of each receipt; one after the other, so that the memory does not grow with the journal. */
const writeDocuments = Effect.fnUntraced(function*(folder: string, tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) {
  let receipts = 0
  for (const id of ids) {
    const proof = yield* readProof(tenant, id)
    writeFileSync(join(folder, "proofs", `${id}.json`), JSON.stringify(proofJson(proof)))
    const { answer, status } = proof.operation
    if (status !== "FISCALIZED" || answer === null) continue
    writeFileSync(join(folder, "receipts", `${answer.pfr.invoiceNumber.replaceAll(/[^\p{L}\p{N}-]/gu, "_")}.txt`), answer.pfr.journal)
    receipts += 1
  }
  return receipts
})

const writeJournal = Effect.fnUntraced(function*(folder: string, tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) {
  const labels = yield* (yield* JournalStore).labels(tenant, ids)
  const file = join(folder, "journal.csv")
  writeFileSync(file, writeCsv([journalSheetHead(labels)], dialect))
  yield* Stream.runForEach(exportedLines(tenant, ids), (lines) => Effect.sync(() => appendFileSync(file, writeCsv(lines.map(journalSheetRow(labels)), dialect))))
})

/** What the taxpayer has besides documents: its place, products, elements without their keys, header and note. */
const writeSettings = Effect.fnUntraced(function*(folder: string, entry: TaxpayerEntry, tenant: Tenant) {
  const elements = (yield* (yield* ElementOversight).elements(tenant.organizationId)).filter(({ element }) => element.taxpayerId === entry.taxpayer.id)
  const branding = Option.getOrNull(yield* (yield* BrandingStore).current(tenant, entry.taxpayer.id))?.branding ?? null
  writeFileSync(join(folder, "products.csv"), writeCsv(productSheet(yield* exportProducts(tenant, entry.taxpayer.id)), dialect))
  const logo = branding?.logo ?? null
  if (logo !== null) writeFileSync(join(folder, `logo.${logo.mediaType.replace(/^image\//, "").replace(/\+.*$/, "")}`), logo.bytes)
  const settings = {
    taxpayer: entry.taxpayer,
    premises: entry.premises,
    elements: elements.map(({ element }) => element),
    branding: branding === null ? null : { contactLines: branding.contactLines, thankYouNote: branding.thankYouNote },
    delivery: entry.delivery
  }
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings, null, 2))
  return elements[0]?.tin ?? entry.taxpayer.taxIdentifier
})

/** One taxpayer in one environment, in a folder of its own that `overa-verify` reads. */
const writeTaxpayer = Effect.fnUntraced(function*(into: string, entry: TaxpayerEntry) {
  const { taxpayer } = entry
  const tenant = { organizationId: entry.organizationId, environment: taxpayer.environment }
  const name = `${taxpayer.environment}-${taxpayer.taxIdentifier}-${taxpayer.id.slice(-4)}`
  const folder = join(into, name)
  for (const part of ["proofs", "receipts"]) mkdirSync(join(folder, part), { recursive: true })
  const ids = yield* (yield* JournalStore).select(tenant, { ...noFilter, taxpayerId: taxpayer.id }, everything)
  const receipts = yield* writeDocuments(folder, tenant, ids)
  yield* writeJournal(folder, tenant, ids)
  yield* writeKeys(folder, taxpayer.environment)
  const tin = yield* writeSettings(folder, entry, tenant)
  const elsewhere = yield* writeElsewhere(folder, tenant, taxpayer.id)
  return { folder: name, tin, documents: ids.length, receipts, elsewhere }
})

/** Writes everything of an organization into a folder, in formats that anybody can read, and answers what was written. */
export const writeLeaving = Effect.fn("writeLeaving")(function*(organizationId: OrganizationId, into: string) {
  mkdirSync(into, { recursive: true })
  const entries = yield* (yield* TenancyOversight).taxpayers(organizationId)
  const taxpayers = yield* Effect.forEach(entries, (entry) => writeTaxpayer(into, entry))
  const organization = yield* writeOrganization(into, organizationId, [...new Set(entries.map(({ taxpayer }) => taxpayer.environment))])
  return { taxpayers, organization }
})
