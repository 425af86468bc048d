import type { Story } from "../Story.ts"
import { line, place, readLabel, sale } from "./requestParts.ts"

const socks = [line("Чарапе", 1, 450, "пар")]

const deliveries: Story = {
  guide: "deliveries",
  about: "The delivery has a key of its own. Whether the message was sent is in its status, some seconds later.",
  prints: "kupac@example.rs\nkupac@example.rs",
  steps: [
    ...readLabel,
    sale("receipt", socks, 450),
    {
      call: {
        name: "delivery", operation: "deliverReceipt", key: "shop-of-zora/{order}/mail",
        body: { fiscalDocumentId: "{receipt.id}", recipient: "kupac@example.rs", formats: ["pdf-80mm", "official-text"], locale: "sr-Latn" }
      }
    },
    { call: { name: "later", operation: "readReceiptDelivery", path: { receiptDeliveryId: "{delivery.id}" } } },
    { say: "{later.recipient}" },
    { note: "Everything that was sent of this receipt." },
    { pages: "one", call: { operation: "listReceiptDeliveries", query: { fiscalDocumentId: "{receipt.id}" } }, steps: [{ say: "{one.recipient}" }] }
  ]
}

const journal: Story = {
  guide: "journal",
  about: "All documents of one order, its file for a spreadsheet, and the turnover by month.",
  prints: "NORMAL SALE 450\n…",
  steps: [
    ...readLabel,
    sale(null, socks, 450),
    { pages: "document", call: { operation: "searchJournal", query: { clientReference: "{order}" } }, steps: [{ say: "{document.invoiceType} {document.transactionType} {document.pfr?.totalAmount}" }] },
    { call: { name: "file", operation: "exportJournal", query: { clientReference: "{order}", delimiter: "semicolon" } } },
    { save: "file", file: "journal.csv" },
    { call: { name: "turnover", operation: "reportTurnover", query: { pfrFrom: "2026-01-01T00:00:00+01:00", pfrTo: "2027-01-01T00:00:00+01:00", groupBy: "month" } } },
    { each: "row", of: "turnover.rows", steps: [{ say: "{row.group.month} {row.gross}" }] }
  ]
}

const products: Story = {
  guide: "products",
  about: "The file is [products.csv](products.csv), in the folder where the program runs. It is imported twice: the second time nothing is created.",
  prints: "4\n0\nBRASNO-1\nCATALOGUE_SKU_ALREADY_EXISTS",
  steps: [
    { read: "file", file: "products.csv" },
    { call: { name: "imported", operation: "importProducts", query: { taxpayerId: "{taxpayerId}" }, body: "{file}" } },
    { say: "{imported.total}" },
    { call: { name: "again", operation: "importProducts", query: { taxpayerId: "{taxpayerId}" }, body: "{file}" } },
    { say: "{again.created}" },
    { pages: "product", call: { operation: "listProducts", query: { taxpayerId: "{taxpayerId}", search: "BRASNO-1" } }, steps: [{ say: "{product.sku}" }] },
    { refused: { operation: "createProduct", body: { taxpayerId: "{taxpayerId}", sku: "BRASNO-1", name: "Брашно", unitOfMeasure: "ком", grossUnitPrice: 129.99, taxLabels: ["Е"] } } },
    { call: { name: "exported", operation: "exportProducts", query: { taxpayerId: "{taxpayerId}" } } },
    { save: "exported", file: "exported.csv" }
  ]
}

const events: Story = {
  guide: "events",
  about: "It reads what is there and ends: a program that follows keeps `sequence` and `id` of the last event and asks again after some seconds. Between sale and event there is a moment.",
  prints: "1 …",
  steps: [
    { call: { name: "page", operation: "listEvents", query: { after: 0, pageSize: 50 } } },
    { each: "event", of: "page.items", steps: [{ say: "{event.sequence} {event.type}" }] }
  ]
}

const credentials: Story = {
  guide: "credentials",
  about: "`OVERA_CLIENT_ID` and `OVERA_CLIENT_SECRET` are those of the credential with `credentials:manage`. Secrets are printed nowhere: keep them where your backend keeps its others.",
  prints: "reports\nreports\nrevoked",
  credential: "management",
  steps: [
    { call: { name: "made", operation: "issueCredential", body: { name: "reports", scopes: ["fiscal:read"], businessPremiseIds: ["{businessPremiseId}"] } } },
    { say: "{made.name}" },
    { note: "Both secrets work for an hour." },
    { call: { name: "rotated", operation: "rotateCredential", path: { clientId: "{made.clientId}" }, body: { keepFormerSeconds: 3600 } } },
    { say: "{rotated.name}" },
    { call: { name: "ended", operation: "revokeCredential", path: { clientId: "{made.clientId}" } } },
    { take: "revokedAt", from: "ended.revokedAt", otherwise: "The credential is still valid" },
    { say: "revoked" }
  ]
}

const goingLive: Story = {
  guide: "going-live",
  about: "The first two steps after the swap, and the licence. It issues nothing.",
  prints: "configured\nthe premise is there\n600 documents a month\n…",
  steps: [
    { call: { name: "runtime", operation: "readRuntime" } },
    { say: "{runtime.pfrAdapter}" },
    { call: { name: "premises", operation: "listBusinessPremises", path: { taxpayerId: "{taxpayerId}" } } },
    { take: "premise", from: "premises.items.0", otherwise: "The taxpayer has no premise" },
    { say: "the premise is there" },
    { call: { name: "license", operation: "readLicense" } },
    { say: "{license.includedDocumentsPerMonth} documents a month" },
    { call: { name: "rates", operation: "readTaxRates", query: place } },
    { each: "rate", of: "rates.labels", steps: [{ say: "{rate.label} {rate.rate}" }] }
  ]
}

const proof: Story = {
  guide: "proof",
  about: "The file for `overa-verify`. The document's place in the log is there some seconds after it was issued.",
  prints: "FISCALIZED",
  steps: [
    ...readLabel,
    sale("receipt", socks, 450),
    { call: { name: "proof", operation: "readProof", path: { fiscalDocumentId: "{receipt.id}" } } },
    { say: "{proof.document.status}" },
    { call: { name: "paper", operation: "readRepresentation", path: { fiscalDocumentId: "{receipt.id}", representationFormat: "pdf-a4" } } },
    { save: "paper", file: "receipt.pdf" }
  ]
}

export const reading: ReadonlyArray<Story> = [deliveries, journal, products, events, credentials, goingLive, proof]
