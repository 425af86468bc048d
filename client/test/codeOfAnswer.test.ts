import { errorCatalogue, FailureCode } from "@overa/domain"
import { openApiDocument, operations } from "@overa/rest-api"
import { describe, expect, it } from "vitest"
import { codeOfAnswer } from "../src/index.ts"

const document = openApiDocument(operations, { baseUrl: "https://api.example", tokenUrl: "https://api.example/oauth/token", contactEmail: null })

interface Content {
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}
interface Answered {
  readonly operationId?: string
  readonly responses?: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>
}

/** Every example of every answer that is no success, as the contract shows it. */
const failures = Object.values(document.paths as Readonly<Record<string, Readonly<Record<string, Answered>>>>)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ operationId, responses = {} }) =>
    Object.entries(responses).filter(([status]) => Number(status) >= 400).flatMap(([status, { content = {} }]) =>
      Object.entries(content).flatMap(([media, { example, examples }]) =>
        [...(example === undefined ? [] : [example]), ...Object.values(examples ?? {}).map(({ value }) => value)].map((body) => ({ operationId, status, media, body }))
      )
    )
  )

const known: ReadonlySet<string> = new Set([...Object.keys(errorCatalogue), ...FailureCode.literals])

describe("the code of a failed answer", () => {
  it("is found in every example of the contract, and a request whose shape is wrong has none", () => {
    expect(failures.length).toBeGreaterThan(100)
    for (const { body, media, operationId, status } of failures) {
      const code = codeOfAnswer(body)
      if (media === "application/problem+json") expect(code).toBeNull()
      else expect(known.has(code ?? ""), `${operationId} ${status}: ${code} of ${JSON.stringify(body).slice(0, 200)}`).toBe(true)
    }
  })

  it.each([null, undefined, 5, "RATE_LIMITED", [], {}, { code: 5 }, { current: null, advanceSales: [] }])("%j has none", (body) => {
    expect(codeOfAnswer(body)).toBeNull()
  })
})
