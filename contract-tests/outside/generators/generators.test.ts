import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ApiTarget } from "../../src/http/ApiTarget.ts"
import { sandboxTarget } from "../../src/http/sandboxTarget.ts"
import { type SandboxProcess, startSandboxProcess } from "../../src/support/sandboxProcess.ts"

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Generators with the command that makes a client of `openapi.json`, and the file that uses it. */
const generators = {
  "openapi-fetch": ["openapi-typescript", "openapi.json", "-o", "generated/openapi-typescript.ts"],
  "hey-api": ["openapi-ts", "-i", "openapi.json", "-o", "generated/hey-api", "-c", "@hey-api/client-fetch"],
  "orval": ["orval", "--config", "orval.config.mjs"],
  "oazapfts": ["oazapfts", "openapi.json", "generated/oazapfts.ts"]
} as const

interface NewmanReport {
  readonly run: {
    readonly failures: ReadonlyArray<unknown>
    readonly executions: ReadonlyArray<{ readonly item: { readonly name: string }; readonly response?: { readonly code: number } }>
  }
}

describe("Software made for any API", () => {
  let folder: string
  let sandbox: SandboxProcess
  let target: ApiTarget
  let token: string

  const run = (program: string, args: ReadonlyArray<string>): string =>
    execFileSync(program, args, {
      cwd: folder,
      encoding: "utf8",
      env: {
        ...process.env, BASE: target.baseUrl, TOKEN: token, TAXPAYER: target.taxpayerId, PREMISE: target.businessPremiseId,
        LABEL: target.labels.sandbox, CLIENT_ID: target.clientId, CLIENT_SECRET: target.clientSecret
      }
    })
  const installed = (name: string): string => join(folder, "node_modules/.bin", name)

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "overa-generators-"))
    cpSync(here("uses"), folder, { recursive: true })
    cpSync(here("versions.json"), join(folder, "package.json"))
    execFileSync("npm", ["install", "--no-audit", "--no-fund"], { cwd: folder, stdio: "ignore" })
    sandbox = await startSandboxProcess()
    target = await sandboxTarget(sandbox.file)
    const form = new URLSearchParams({ grant_type: "client_credentials", client_id: target.clientId, client_secret: target.clientSecret })
    token = (await (await fetch(target.authUrl, { method: "POST", body: form })).json() as { readonly access_token: string }).access_token
    writeFileSync(join(folder, "postman-collection.json"), await (await fetch(`${target.baseUrl}/docs/postman-collection.json`)).text())
    for (const name of ["openapi.json", "openapi.yaml"]) writeFileSync(join(folder, name), await (await fetch(`${target.baseUrl}/${name}`)).text())
    writeFileSync(join(folder, "orval.config.mjs"), `export default { overa: { input: "./openapi.json", output: { target: "./generated/orval.ts", client: "fetch", headers: true, baseUrl: ${JSON.stringify(target.baseUrl)} } } }\n`)
  })
  afterAll(async () => {
    await sandbox.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each(Object.entries(generators))("a client by %s compiles under strict rules and issues, replays, is refused, refunds and fetches a PDF", (name, [program, ...args]) => {
    run(installed(program), args)
    const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "esnext", "--moduleResolution", "bundler", "--allowImportingTsExtensions"]
    run(installed("tsc"), [...flags, "--target", "es2022", "--lib", "es2023,dom,dom.iterable", "--types", "node", `${name}.ts`])
    run(installed("esbuild"), [`${name}.ts`, "--bundle", "--platform=node", "--format=esm", `--outfile=${name}.mjs`, "--log-level=error"])
    expect(JSON.parse(run(process.execPath, [`${name}.mjs`]))).toEqual({
      statuses: [201, 200, 422, 201], same: true, number: expect.stringMatching(/^\w{8}-\w{8}-\d+$/) as string, pdf: "%PDF-"
    })
  })

  it("newman runs the Postman collection from the top: every operation is answered, and what was made is read again", () => {
    const collection = JSON.parse(readFileSync(join(folder, "postman-collection.json"), "utf8")) as { readonly item: ReadonlyArray<{ readonly item: ReadonlyArray<{ readonly name: string }> }> }
    run(installed("newman"), ["run", "postman-collection.json", "--reporters", "json", "--reporter-json-export", "newman.json"])
    const { run: { executions, failures } } = JSON.parse(readFileSync(join(folder, "newman.json"), "utf8")) as NewmanReport
    expect(failures).toEqual([])
    const codes = new Map(executions.map(({ item, response }) => [item.name, response?.code ?? 0]))
    expect([...codes.keys()].toSorted()).toEqual(collection.item.flatMap(({ item }) => item.map(({ name }) => name)).toSorted())
    // The only advance was given back by the request before.
    expect(Object.fromEntries([...codes].filter(([, code]) => code >= 300))).toEqual({ closeAdvanceCase: 422 })
  })

  it("OAuth libraries find the token endpoint and the keys by the address alone", () => {
    expect(JSON.parse(run(process.execPath, ["oauth.mjs"]))).toEqual({
      "openid-client": "bearer", "oauth4webapi": "bearer", "simple-oauth2": "Bearer", "jose": "sandbox",
      "challenge": expect.stringMatching(/^Bearer error="invalid_token"/) as string
    })
  })

  it("Spectral finds nothing with every rule for OpenAPI", () => {
    writeFileSync(join(folder, ".spectral.yaml"), `extends: [["spectral:oas", all]]\n`)
    expect(run(installed("spectral"), ["lint", "openapi.yaml", "--fail-severity=hint"])).toContain("No results")
  })
})
