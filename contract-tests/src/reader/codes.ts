import { randomInt, randomUUID } from "node:crypto"
import type { Sentence } from "../sentences/readSentences.ts"
import { advanceCodes } from "./advanceCodes.ts"
import { type Answer, newKey } from "./Deployment.ts"
import { type Finding, finding, same } from "./Finding.ts"
import { buyer, type Ground, itemOf, placeOf, refundOf, saleOf } from "./sale.ts"

const sales = "/v1/fiscal-documents"
const refunds = "/v1/refund-workflows"
const proformas = "/v1/proforma-training-workflows"
export const rejecting = { fault: "reject", times: 1, modelState: [{ property: "items[0].name", errors: ["2801"] }] }
export const losing = [{ fault: "sign-then-reset", times: 1 }, { fault: "search-unavailable" }] as const

export type Recipe = (ground: Ground) => Promise<Answer>

export const soldId = async (ground: Ground, quantity = "1"): Promise<string> => (await ground.deployment.issue(sales, saleOf(ground, quantity))).json.id
export const rejectedId = async (ground: Ground): Promise<string> => {
  await ground.deployment.far(rejecting)
  const { json } = await ground.deployment.issue(sales, saleOf(ground))
  return json.id
}
const copy = ({ deployment }: Ground, id: string) => deployment.issue(`${sales}/${id}/copies`, { cashier: { id: "reader" } })

/** A refund of the line, changed. */
const refundWith = async (ground: Ground, change: (body: { readonly items: ReadonlyArray<object> }) => unknown, quantity = "1"): Promise<Answer> =>
  ground.deployment.issue(refunds, change(refundOf(ground, await soldId(ground), quantity) as never))
const lineWith = (more: object) => (body: { readonly items: ReadonlyArray<object> }) => ({ ...body, items: [{ ...body.items[0], ...more }] })

const proforma = (ground: Ground, more: object = {}) => ({
  ...placeOf(ground), clientReference: "reader", invoiceType: "PROFORMA", transactionType: "SALE", cashier: { id: "reader" }, items: [itemOf(ground)], payments: [{ type: "CARD", amount: 100 }], ...more
})
const proformaRefund = (ground: Ground, id: string) => proforma(ground, { transactionType: "REFUND", buyer, reference: { source: "SVC", fiscalDocumentId: id } })
const offered = async (ground: Ground): Promise<string> => (await ground.deployment.issue(proformas, proforma(ground))).json.document.id

const product = (ground: Ground, sku: string) => ({ taxpayerId: ground.deployment.settings.taxpayerId, sku, name: "Хлеб", unitOfMeasure: "ком", grossUnitPrice: 1, taxLabels: [ground.label] })
const imported = ({ deployment }: Ground, body: string) => deployment.ask("POST", `/v1/products/import?taxpayerId=${deployment.settings.taxpayerId}`, { body, type: "text/csv" })
const delivered = ({ deployment }: Ground, fiscalDocumentId: string) => deployment.issue("/v1/receipt-deliveries", { fiscalDocumentId, recipient: "kupac@example.rs" })

/** Registered by the caller (`POST /v1/taxpayers`); the body is in the machine-readable contract. */
const newTaxpayer = async ({ deployment }: Ground, vatStatus: string): Promise<{ readonly taxpayerId: string; readonly businessPremiseId: string }> => {
  const body = { taxIdentifier: String(randomInt(100_000_000, 999_999_999)), name: "Читалац", vatStatus, businessPremises: [{ puIdentifier: randomUUID().slice(0, 8), name: "Веб" }] }
  const { json } = await deployment.ask("POST", "/v1/taxpayers", { body })
  return { taxpayerId: json.id, businessPremiseId: json.businessPremises[0].id }
}

interface Label {
  readonly label: string
  readonly category: string
}
const labelsOf = async ({ deployment }: Ground): Promise<ReadonlyArray<Label>> => {
  const { businessPremiseId, taxpayerId } = deployment.settings
  return (await deployment.ask("GET", `/v1/tax-rates?taxpayerId=${taxpayerId}&businessPremiseId=${businessPremiseId}`)).json.labels
}
const labelWithoutRate = async (ground: Ground): Promise<string> => {
  const known = new Set((await labelsOf(ground)).map(({ label }) => label))
  return [..."ABCEFGHIKLMNPRSTUZ"].find((letter) => !known.has(letter)) ?? "Q"
}
const labelOfVat = async (ground: Ground): Promise<string> => (await labelsOf(ground)).find(({ category }) => category === "VAT")?.label ?? ""

/** How a caller comes to each code over HTTP; the rest needs an operator. */
const recipes: Readonly<Record<string, Recipe>> = {
  "(none)": ({ deployment }) => deployment.ask("GET", "/v1/runtime", { token: null }),
  CREDENTIAL_ENVIRONMENT_REQUIRED: async ({ deployment }) => deployment.ask("POST", "/v1/taxpayers", { body: {}, token: await deployment.token(deployment.settings.noEnvironment) }),
  TAXPAYER_NOT_FOUND: ({ deployment }) => deployment.ask("GET", `/v1/taxpayers/${randomUUID()}/business-premises`),
  BUSINESS_PREMISE_NOT_FOUND: (ground) => ground.deployment.issue(sales, { ...saleOf(ground), businessPremiseId: randomUUID() }),
  FISCAL_DOCUMENT_NOT_FOUND: ({ deployment }) => deployment.ask("GET", `${sales}/${randomUUID()}`),
  IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST: async (ground) => {
    const key = newKey()
    await ground.deployment.issue(sales, saleOf(ground), key)
    return ground.deployment.issue(sales, saleOf(ground, "2"), key)
  },
  IDEMPOTENCY_KEY_REUSED_IN_OTHER_ENVIRONMENT: async (ground) => {
    const { deployment } = ground
    const { production } = deployment.settings
    const key = newKey()
    await deployment.issue(sales, saleOf(ground), key)
    const place = { taxpayerId: production.taxpayerId, businessPremiseId: production.businessPremiseId }
    return deployment.ask("POST", sales, { body: { ...saleOf(ground), ...place }, key, token: await deployment.token(production) })
  },
  TAX_LABEL_NOT_CURRENT: async (ground) => ground.deployment.issue(sales, { ...saleOf(ground), items: [{ ...itemOf(ground), taxLabels: [await labelWithoutRate(ground)] }] }),
  TAX_LABEL_NOT_ALLOWED_OUTSIDE_VAT: async (ground) => ground.deployment.issue(sales, { ...saleOf({ ...ground, label: await labelOfVat(ground) }), ...await newTaxpayer(ground, "OUTSIDE_VAT") }),
  REFERENCE_DOCUMENT_SCOPE_MISMATCH: async (ground) => ground.deployment.issue(refunds, { ...refundOf(ground, await soldId(ground)), ...await newTaxpayer(ground, "IN_VAT") }),
  RECEIPT_DELIVERY_DISABLED: async (ground) => {
    const { json } = await ground.deployment.issue(sales, { ...saleOf(ground), ...await newTaxpayer(ground, "IN_VAT") })
    return delivered(ground, json.id)
  },
  REFERENCE_DOCUMENT_NOT_FOUND: (ground) => ground.deployment.issue(refunds, refundOf(ground, randomUUID())),
  REFERENCE_DOCUMENT_NOT_FISCALIZED: async (ground) => ground.deployment.issue(refunds, refundOf(ground, await rejectedId(ground))),
  REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED: async (ground) => ground.deployment.issue(refunds, refundOf(ground, (await copy(ground, await soldId(ground))).json.id)),
  REFUND_QUANTITY_EXCEEDS_ORIGINAL: (ground) => refundWith(ground, (body) => body, "2"),
  REFUND_CUMULATIVE_QUANTITY_EXCEEDED: async (ground) => {
    const id = await soldId(ground)
    await ground.deployment.issue(refunds, refundOf(ground, id))
    return ground.deployment.issue(refunds, refundOf(ground, id))
  },
  REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE: (ground) => refundWith(ground, lineWith({ name: "Капе" })),
  REFUND_ORIGINAL_LINE_NOT_FOUND: (ground) => refundWith(ground, lineWith({ originalLineIndex: 1 })),
  COPY_SOURCE_NOT_COPYABLE: async (ground) => copy(ground, (await copy(ground, await soldId(ground))).json.id),
  COPY_SOURCE_NOT_FISCALIZED: async (ground) => copy(ground, await rejectedId(ground)),
  ...advanceCodes,
  PROFORMA_TRAINING_WORKFLOW_RESERVATION_CONFLICT: async (ground) => {
    const id = await offered(ground)
    await ground.deployment.far(...losing)
    await ground.deployment.issue(proformas, proformaRefund(ground, id))
    return ground.deployment.issue(proformas, proformaRefund(ground, id))
  },
  PROFORMA_TRAINING_SOURCE_ALREADY_REFUNDED: async (ground) => {
    const id = await offered(ground)
    await ground.deployment.issue(proformas, proformaRefund(ground, id))
    return ground.deployment.issue(proformas, proformaRefund(ground, id))
  },
  CATALOGUE_SKU_ALREADY_EXISTS: async (ground) => {
    const sku = randomUUID()
    await ground.deployment.ask("POST", "/v1/products", { body: product(ground, sku) })
    return ground.deployment.ask("POST", "/v1/products", { body: product(ground, sku) })
  },
  CATALOGUE_IMPORT_TOO_MANY_ROWS: (ground) =>
    imported(ground, ["sku,name,gtin,unitOfMeasure,grossUnitPrice,taxLabels,isActive", ...Array.from({ length: 1_001 }, (_, at) => `many-${at},Хлеб,,ком,1,${ground.label},true`)].join("\n")),
  CATALOGUE_IMPORT_HEADERS_INVALID: (ground) => imported(ground, "sku,name\nA,B"),
  RECEIPT_DELIVERY_DOCUMENT_NOT_FISCALIZED: async (ground) => delivered(ground, await rejectedId(ground)),
  OUTCOME_UNKNOWN: async (ground) => {
    await ground.deployment.far(...losing)
    return ground.deployment.issue(sales, saleOf(ground))
  },
  "REJECTED (failureCode PFR_VALIDATION_REJECTED)": async (ground) => {
    await ground.deployment.far(rejecting)
    return ground.deployment.issue(sales, saleOf(ground))
  }
}

/** Further members that the contract promises beside the code. */
const facts: Readonly<Record<string, string>> = {
  IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST: "operationId", TAX_LABEL_NOT_CURRENT: "invalidLabels", PROFORMA_TRAINING_WORKFLOW_RESERVATION_CONFLICT: "workflowId"
}

/** Where a program finds the code: in the body, in the document of a failed fiscal call, in the case's current one, or in the workflow. */
const codeIn = ({ json }: Answer): unknown => json?.code ?? json?.current?.failureCode ?? json?.failureCode

export interface CodeFindings {
  readonly findings: ReadonlyArray<Finding>
  /** Codes that no caller can bring about. */
  readonly needAnOperator: ReadonlyArray<string>
}

/** Each row of the catalogue of codes that a caller can bring about: its status, its code where the contract puts it, and its facts. */
export const codes = async (ground: Ground, sentences: ReadonlyArray<Sentence>): Promise<CodeFindings> => {
  const rows = sentences.filter(({ cells }) => cells?.["HTTP"] !== undefined && cells["Retry"] !== undefined)
  const findings: Array<Finding> = []
  for (const { cells, text } of rows) {
    const name = cells?.["Code"] ?? ""
    const recipe = recipes[name]
    if (recipe === undefined) continue
    await ground.deployment.far()
    const answer = await recipe(ground)
    await ground.deployment.far()
    const wanted = name === "(none)" ? "UNAUTHENTICATED" : /PFR_VALIDATION_REJECTED|^[A-Z_]+/.exec(name.replace("REJECTED (", "("))?.[0] ?? name
    const fact = facts[name]
    findings.push(finding(text, same("status", answer.status, Number(cells?.["HTTP"])), same("code", codeIn(answer), wanted), fact === undefined ? [] : same(`has ${fact}`, fact in (answer.json ?? {}), true)))
  }
  return { findings, needAnOperator: rows.map(({ cells }) => cells?.["Code"] ?? "").filter((name) => recipes[name] === undefined) }
}
