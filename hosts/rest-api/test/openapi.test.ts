import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createRequire } from "node:module"
import { promisify } from "node:util"
import { afterAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { contractYaml } from "../src/openapi/contractYaml.ts"
import { codesOf, openApiDocument, openApiYaml, operations } from "../src/index.ts"
import { postmanCollection } from "../src/openapi/postmanCollection.ts"

const document = openApiDocument(operations, { baseUrl: "https://api.overa.test", tokenUrl: "https://api.overa.test/oauth/token", contactEmail: null })
const folder = mkdtempSync(join(tmpdir(), "overa-openapi-"))
afterAll(() => rmSync(folder, { recursive: true }))

const packageFolder = dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json"))

describe("the published contract", () => {
  it("has version 1.0.0", () => {
    expect(document.info.version).toBe("1.0.0")
    expect(document.openapi).toBe("3.1.0")
  })

  it("passes Redocly's strict rules without an error or a warning", { timeout: 60_000 }, async () => {
    const file = join(folder, "openapi.yaml")
    writeFileSync(file, openApiYaml(document))
    const { stderr, stdout } = await promisify(execFile)(
      process.execPath,
      [join(packageFolder, "bin/cli.js"), "lint", "--extends", "recommended-strict", "--format", "json", file],
      { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }, maxBuffer: 1e7 }
    )
    const report = JSON.parse(stdout.slice(stdout.indexOf("{"))) as { readonly totals: object; readonly problems: ReadonlyArray<unknown> }
    expect(report.problems, stderr).toEqual([])
    expect(report.totals).toMatchObject({ errors: 0, warnings: 0 })
  })

  it("describes every property, parameter, header and named schema", () => {
    const bare: Array<string> = []
    const described = (schema: object) => "$ref" in schema || ("description" in schema && schema.description !== "") || "oneOf" in schema
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== "object" || node === null) return
      for (const [name, member] of Object.entries(node)) {
        if (path.endsWith("/properties") && typeof member === "object" && !described(member as object)) bare.push(`${path}/${name}`)
        if (name === "items" && typeof member === "object" && !path.endsWith("/properties") && !described(member as object)) bare.push(`${path}/items`)
        if (name !== "example" && name !== "examples") visit(member, `${path}/${name}`)
      }
    }
    visit(document.components.schemas, "")
    expect(bare).toEqual([])
    for (const [name, schema] of Object.entries(document.components.schemas)) expect([name, schema["description"]]).toEqual([name, expect.stringMatching(/./)])
  })

  it("has no member whose only value is null in what callers send", () => {
    const requests = Object.entries(document.components.schemas).filter(([name]) => /Request$|^(Cashier|Buyer|IdentifiedBuyer|LineItem|RefundItem|Payment)$/.test(name))
    expect(requests.length).toBeGreaterThan(5)
    for (const [name, schema] of requests) expect([name, JSON.stringify(schema["properties"])]).not.toEqual([name, expect.stringMatching(/:\{"type":"null"/)])
  })

  it("writes YAML that a reader of YAML 1.1 takes for the same document", () => {
    const yaml = openApiYaml(document)
    expect(parse(yaml, { version: "1.1" })).toEqual(JSON.parse(JSON.stringify(document)))
  })

  it.each([
    { baseUrl: "http://127.0.0.1:8080", tokenUrl: "http://127.0.0.1:8080/oauth/token", contactEmail: null },
    { baseUrl: "https://api.example", tokenUrl: "https://login.example/\"a\\b\"?x=$&", contactEmail: "podrška@example.rs" }
  ])("serves YAML with the installation's own addresses: $baseUrl", (addresses) => {
    expect(parse(contractYaml(addresses).toString(), { version: "1.1" })).toEqual(JSON.parse(JSON.stringify(openApiDocument(operations, addresses))))
  })

  it("names every operation once", () => {
    const ids = operations.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const routes = operations.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(routes).size).toBe(routes.length)
  })

  it("requires a key of exactly the mutations the specification names", () => {
    const keyed = operations.filter(({ idempotent }) => idempotent).map(({ path }) => path)
    for (const path of keyed) {
      expect(path).toMatch(/^\/v1\/(fiscal-documents|fiscal-documents\/\{\w+\}\/copies|refund-workflows|advance-cases.*|proforma-training-workflows|receipt-deliveries)$/)
    }
    expect(keyed).toContain("/v1/fiscal-documents")
  })

  it("is a Postman collection too: every operation once, with variables for the ids and the label of its examples", () => {
    const offer = { clientId: "svc-sbx-1", clientSecret: "secret", taxpayerId: "t", businessPremiseId: "p" }
    const collection = postmanCollection(document, offer)
    expect(collection.item.flatMap(({ item }) => item.map(({ name }) => name)).toSorted()).toEqual(operations.map(({ id }) => id).toSorted())
    const requests = JSON.stringify(collection.item.flatMap(({ item }) => item.map(({ request: { body, header, url } }) => [body, header, url])))
    expect(requests).not.toMatch(/01936b0e|order-2026-000123-sale/)
    for (const made of ["{{taxpayerId}}", "{{fiscalDocumentId}}", "{{label}}", "{{advanceSaleId}}", "{{$guid}}"]) expect(requests).toContain(made)
    expect(Object.fromEntries(collection.variable.map(({ key, value }) => [key, value]))).toMatchObject(offer)
    expect(JSON.stringify(postmanCollection(document, null))).not.toContain("svc-sbx")
  })

  it("gives every code of every operation an example body", () => {
    for (const operation of operations) {
      const text = JSON.stringify((document.paths[operation.path] as Record<string, unknown>)[operation.method.toLowerCase()])
      for (const code of codesOf(operation)) expect(text).toContain(`"code":"${code}"`)
    }
  })
})
