import { openApiDocument, type Operation, operations } from "@overa/rest-api"
import * as fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { ApiClient } from "../support/ApiClient.ts"
import { type Components, damaged, hostile, ofSchema } from "../support/schemaArbitrary.ts"
import type { ApiTarget } from "./ApiTarget.ts"
import { sampleSale } from "./sampleSale.ts"

const document = openApiDocument(operations, { baseUrl: "https://api.example", tokenUrl: "https://api.example/oauth/token", contactEmail: null })
const components: Components = document.components.schemas

interface Attack {
  readonly operation: Operation
  readonly path: string
  readonly key: string | undefined
  readonly body: string | undefined
}

const addressable = fc.oneof(fc.uuid(), fc.constantFrom("0", "%00", "..", "a%2Fb", "🙂", "%F0%28", "null"))

const pathOf = (operation: Operation): fc.Arbitrary<string> => {
  const names = Object.keys(operation.pathParameters)
  const query = fc.dictionary(fc.constantFrom(...Object.keys(operation.query), "surplus", "__proto__"), addressable, { maxKeys: 3 })
  return fc.tuple(fc.tuple(...names.map(() => addressable)), query).map(([values, parameters]) => {
    const path = names.reduce((text, name, index) => text.replace(`{${name}}`, encoded(values[index] ?? "")), operation.path)
    const search = new URLSearchParams(Object.entries(parameters)).toString()
    return search === "" ? path : `${path}?${search}`
  })
}

const encoded = (text: string): string => text.startsWith("%") || text.includes("%2F") ? text : encodeURIComponent(text)

const bodyOf = (operation: Operation, target: ApiTarget): fc.Arbitrary<string | undefined> => {
  if (operation.body === null) return fc.constant(undefined)
  const valid = ofSchema(operation.body.schema, components)
  const issuable = ["issueFiscalDocument", "dryRunFiscalDocument"].includes(operation.id) ? fc.constant<unknown>(sampleSale(target)) : fc.constant<unknown>(operation.body.example)
  const written = fc.oneof({ weight: 2, arbitrary: issuable }, valid, { weight: 4, arbitrary: damaged(issuable) }, damaged(valid), hostile)
    .map((value) => JSON.stringify(value ?? null))
  const mangled = fc.tuple(written, fc.nat(200), fc.string({ unit: "binary", maxLength: 3 }))
    .map(([text, at, insert]) => text.slice(0, at) + insert + text.slice(at + 1))
  return fc.oneof({ weight: 8, arbitrary: written }, mangled)
}

const attack = (target: ApiTarget): fc.Arbitrary<Attack> =>
  fc.constantFrom(...operations).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      path: pathOf(operation),
      key: operation.idempotent
        ? fc.option(fc.oneof(fc.uuid(), fc.string({ minLength: 1, maxLength: 20 }).filter((key) => /^[\x20-\x7e]+$/.test(key) && key.trim() !== "")), { nil: undefined })
        : fc.constant(undefined),
      body: bodyOf(operation, target)
    }))

/**
 * Requests generated from the contract, valid, nearly valid and hostile: every answer is declared in the contract, and none is a fault of the
 * service. Each is checked against the published document by the suites' client, which refuses undeclared answers.
 */
export const fuzzContract = (name: string, start: () => Promise<ApiTarget>, cases: number) =>
  describe(`${name}: generated requests`, () => {
    let api: ApiClient
    beforeAll(async () => {
      api = await ApiClient.of(await start())
    })

    it(`answers ${cases} of them as the contract says, never with a 5xx`, { timeout: 600_000 }, async () => {
      const statuses = new Map<number, number>()
      const token = await api.token()
      const round = () =>
        fc.assert(
          fc.asyncProperty(attack(api.target), async ({ body, key, operation, path }) => {
            const answer = await api.send({
              method: operation.method,
              path,
              token,
              ...(key === undefined ? {} : { key }),
              ...(body === undefined ? {} : { body, headers: { "Content-Type": operation.body?.mediaType ?? "application/json" } })
            })
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
            expect(answer.status).toBeLessThan(500)
          }),
          { numRuns: cases }
        )
      // The generator must reach receipts as well as refusals; a valid sale is rare, so a round may have none.
      const missing = () => [200, 201, 400, 404, 422].filter((status) => !statuses.has(status))
      await round()
      for (let more = 0; more < 5 && missing().length > 0; more++) await round()
      expect(missing()).toEqual([])
    })
  })
