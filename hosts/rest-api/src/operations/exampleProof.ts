import { exampleDocument } from "./exampleDocument.ts"

const journalPreview = [
  "===== ПРЕГЛЕД, НИЈЕ ФИСКАЛНИ РАЧУН =====",
  "              RS100000008               ",
  "           Продавница Д.О.О.            ",
  "         1015151-Веб продавница         ",
  "             Кнеза Милоша 1             ",
  "                Београд                 ",
  "Касир:                               web",
  "-------------ПРОМЕТ ПРОДАЈА-------------",
  "Артикли",
  "========================================",
  "Назив   Цена         Кол.         Укупно",
  "Чарапе/пар (Ђ)                          ",
  "     1.200,00          2        2.400,00",
  "----------------------------------------",
  "Укупан износ:                   2.400,00",
  "Платна картица:                 2.400,00",
  "========================================",
  "        ОВО НИЈЕ ФИСКАЛНИ РАЧУН         ",
  "========================================",
  "Ознака       Име      Стопа        Порез",
  "Ђ           О-ПДВ   20,00%        400,00",
  "----------------------------------------",
  "Укупан износ пореза:              400,00",
  "========================================",
  "ПФР време:                НИЈЕ ПОТПИСАНО",
  "ПФР број рачуна:          НИЈЕ ПОТПИСАНО",
  "Бројач рачуна:            НИЈЕ ПОТПИСАНО",
  "========================================",
  "===== ПРЕГЛЕД, НИЈЕ ФИСКАЛНИ РАЧУН =====",
  ""
].join("\r\n")

/** The dry run of `exampleSale`. */
export const exampleDryRun = {
  valid: true,
  totalAmount: 2400,
  taxes: [{ label: "Ђ", rate: 20, amount: 400 }],
  journalPreview
}

const request = {
  method: "POST",
  path: "/v1/fiscal-documents",
  received: "{\"clientReference\":\"ORDER-2026-000123\", …}",
  canonical: "POST /v1/fiscal-documents\n{\"businessPremiseId\":\"01936b0e-0a00-7000-8000-000000000002\",…}",
  fingerprint: "5f2c0a9d8b1e47c6a3f0d2b4e6978c15a0b3d4e5f60718293a4b5c6d7e8f9012",
  fingerprintRule: 1
}

const actor = "api:host-1"
const transitions = [
  { from: null, to: "RECEIVED", at: exampleDocument.createdAt, cause: "received", actor, attempt: 0 },
  { from: "RECEIVED", to: "VALIDATED", at: exampleDocument.createdAt, cause: "validated", actor, attempt: 0 },
  { from: "VALIDATED", to: "SUBMITTING", at: exampleDocument.createdAt, cause: "reserved", actor, attempt: 1 },
  { from: "SUBMITTING", to: "FISCALIZED", at: exampleDocument.updatedAt, cause: "signed", actor, attempt: 1 }
]

const verification = {
  link: {
    root: "https://sandbox.suf.purs.gov.rs/v/?vl=",
    requestedBy: "YJLQTEQR",
    signedBy: "YJLQTEQR",
    totalCounter: exampleDocument.pfr.totalCounter,
    transactionTypeCounter: exampleDocument.pfr.transactionTypeCounter,
    totalAmount: exampleDocument.pfr.totalAmount,
    sdcTime: "2026-08-29T12:03:11.041Z",
    invoiceType: "NORMAL",
    transactionType: "SALE",
    buyerId: null
  },
  undamaged: true,
  signature: "VALID",
  signer: { name: "YJLQTEQR", modulus: "d1c04a0116b8acbc631490540de018ab" },
  standing: {
    sdcTime: "PROVEN",
    totalAmount: "PROVEN",
    invoiceType: "PROVEN",
    transactionType: "PROVEN",
    buyerId: "PROVEN",
    totalCounter: "PROVEN",
    transactionTypeCounter: "PROVEN",
    requestedBy: "NOT_COVERED",
    signedBy: "NOT_COVERED"
  },
  leadsToAuthority: true
}

/** The proof of `exampleDocument`, its long texts shortened. */
export const exampleProof = {
  version: 1,
  document: exampleDocument,
  request,
  attempts: [{ number: 1, requestId: "01936b0e7f3a7c119d554f6f2a9f0c02", jid: "YJLQTEQR", startedAt: exampleDocument.createdAt, outcome: "SIGNED", lastSearch: null }],
  transitions,
  answer: { text: "eyJyZXF1ZXN0ZWRCeSI6IllKTFFURVFSIn0=", verification },
  journal: {
    origin: "overa.example/journal/9c1e/sandbox",
    publicKey: "overa.example/journal/9c1e/sandbox+1a2b3c4d+AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAh",
    checkpoint: "overa.example/journal/9c1e/sandbox\n1\n4Zr…=\n\n— overa.example/journal/9c1e/sandbox Gis8TQ…=\n",
    entries: [{ index: 0, leaf: "{\"actor\":\"api:host-1\",…}", inclusion: [] }]
  }
}
