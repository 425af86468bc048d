import type { Operation } from "@overa/rest-api"
import { randomUUID } from "node:crypto"
import { type ApiAnswer, type ApiClient, newKey } from "../support/ApiClient.ts"
import { sampleSale } from "./sampleSale.ts"

/** The identifiers in a path, query or body. */
export interface Named {
  readonly document: string
  readonly taxpayer: string
  readonly premise: string
  readonly product: string
  readonly webhook: string
  readonly credential: string
}

/** Identifiers that do not exist. */
export const nothing = (): Named => ({ document: randomUUID(), taxpayer: randomUUID(), premise: randomUUID(), product: randomUUID(), webhook: randomUUID(), credential: `svc-sbx-${randomUUID()}` })

/** A declared operation's address with the identifiers filled in. */
const addressOf = (operation: Operation, named: Named): string => {
  const path = operation.path
    .replace(/\{(fiscalDocumentId|operationId|refundWorkflowId)\}/, named.document)
    .replace("{taxpayerId}", named.taxpayer)
    .replace("{productId}", named.product)
    .replace("{webhookEndpointId}", named.webhook)
    .replace("{clientId}", named.credential)
    .replace("{representationFormat}", "official-text")
  const query = Object.entries(operation.query).filter(([, { required }]) => required).map(([name]) =>
    `${name}=${name === "taxpayerId" ? named.taxpayer : named.premise}`)
  return query.length === 0 ? path : `${path}?${query.join("&")}`
}

const bodyFor = (api: ApiClient, operation: Operation, named: Named): unknown => {
  switch (operation.id) {
    case "issueFiscalDocument":
    case "dryRunFiscalDocument":
      return { ...sampleSale(api.target), taxpayerId: named.taxpayer, businessPremiseId: named.premise }
    case "createProduct":
      return { ...operation.body?.example as object, taxpayerId: named.taxpayer }
    default:
      return operation.body?.example
  }
}

/** Calls a declared operation with a request that is valid except for the token and the identifiers. */
export const callOperation = (
  api: ApiClient,
  operation: Operation,
  token: string | undefined,
  named: Named = nothing()
): Promise<ApiAnswer> =>
  api.send({
    method: operation.method,
    path: addressOf(operation, named),
    ...(token === undefined ? {} : { token }),
    ...(operation.idempotent ? { key: newKey() } : {}),
    ...(operation.body === null ? {} : { body: bodyFor(api, operation, named), headers: { "Content-Type": operation.body.mediaType } })
  })
