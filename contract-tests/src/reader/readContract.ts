import { readSentences } from "../sentences/readSentences.ts"
import { codes } from "./codes.ts"
import { Deployment, type Settings } from "./Deployment.ts"
import { endpoints, scopes, transport } from "./endpoints.ts"
import type { Finding } from "./Finding.ts"
import { lists } from "./lists.ts"
import { productFields, requestFields } from "./requestFields.ts"
import { groundOf } from "./sale.ts"
import { saleRules } from "./saleRules.ts"
import { documentStatuses, refundStatuses } from "./statuses.ts"
import { whereTheCodeIs } from "./whereTheCodeIs.ts"

export interface Reading {
  readonly parts: Readonly<Record<string, ReadonlyArray<Finding>>>
  /** Requests sent. */
  readonly asked: number
  /** Codes that no caller can bring about. */
  readonly needAnOperator: ReadonlyArray<string>
}

/**
 * Reads the contract's page and holds its rows against a deployment, by HTTP alone: nothing here knows the service. The bodies of operations that the
 * page knows by name only are those of the machine-readable contract. The page of errors says where a program finds the code.
 */
export const readContract = async (settings: Settings, page: string, errorsPage: string): Promise<Reading> => {
  const deployment = new Deployment(settings)
  const ground = await groundOf(deployment)
  const sentences = readSentences(page)
  const found = await codes(ground, sentences)
  const parts = {
    operations: await endpoints(ground, page, sentences),
    scopes: await scopes(ground, sentences),
    bodies: await transport(ground),
    "fields of a sale": await requestFields(ground, sentences),
    "fields of a product": await productFields(ground, sentences),
    "rules of sale and refund": await saleRules(ground, sentences),
    "document statuses": await documentStatuses(ground, sentences),
    "refund statuses": await refundStatuses(ground, sentences),
    lists: await lists(ground, sentences),
    codes: found.findings
  }
  const places = { "where the code is": await whereTheCodeIs(ground, errorsPage) }
  return { parts: { ...parts, ...places }, asked: deployment.asked, needAnOperator: found.needAnOperator }
}
