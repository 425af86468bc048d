import { openApiDocument, operations } from "@overa/rest-api"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { contractTypes } from "../tools/contractTypes.ts"

it("the client's types are what the service's declarations say", () => {
  const document = openApiDocument(operations, { baseUrl: "https://api.example", tokenUrl: "https://api.example/oauth/token", contactEmail: null })
  expect(readFileSync(new URL("../src/contract.ts", import.meta.url), "utf8")).toBe(contractTypes(document))
})
