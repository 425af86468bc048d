import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { throwawayDatabase, type ThrowawayDatabase } from "../../contract-tests/src/support/throwawayDatabase.ts"
import { EmptyFolder } from "../EmptyFolder.ts"
import { filesOf } from "../sourceTree.ts"

const root = process.cwd()
const adapters = filesOf("adapters/*/package.json").map(({ path }) => path.replace("/package.json", ""))
const nameOf = (workspace: string): string => (JSON.parse(readFileSync(join(workspace, "package.json"), "utf8")) as { readonly name: string }).name

let folder: EmptyFolder
let database: ThrowawayDatabase

beforeAll(async () => {
  folder = EmptyFolder.with(["domain", ...adapters, "contract-tests/store-contracts"])
  database = await throwawayDatabase()
}, 600_000)

afterAll(async () => {
  folder.remove()
  await database.drop()
})

const run = (name: string, code: string): string => {
  writeFileSync(join(folder.path, name), code)
  return execFileSync(process.execPath, [name], { cwd: folder.path, encoding: "utf8", env: { PATH: process.env["PATH"], DATABASE_URL: database.url } })
}

/** Runs a test file under vitest in the folder, as another project would. */
const test = (name: string, code: string): { readonly passed: boolean; readonly said: string } => {
  writeFileSync(join(folder.path, name), code)
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run", name, "--reporter=dot"], {
    cwd: folder.path,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], DATABASE_URL: database.url, NO_COLOR: "1" }
  })
  return { passed: status === 0, said: `${stdout}${stderr}` }
}

describe("packages installed from their tarballs into an empty folder", () => {
  it.each(adapters)("%s loads, and holds its licence and nothing but what it built", (workspace) => {
    const name = nameOf(workspace)
    expect(Number(run("load.mjs", `console.log(Object.keys(await import("${name}")).length)`))).toBeGreaterThan(0)
    expect(folder.filesOf(name)).toContain("LICENCE")
    expect(folder.filesOf(name).filter((path) => !/^(dist\/|package\.json$|README\.md$|LICENCE$)/.test(path))).toEqual([])
  })

  it("all of them bring types that a strict project accepts without skipLibCheck", () => {
    const names = [...adapters.map(nameOf), "@overa/store-contracts"]
    writeFileSync(join(folder.path, "typed.ts"), names.map((name, at) => `import * as it${at} from "${name}"\nexport const names${at} = Object.keys(it${at})\n`).join(""))
    const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--lib", "es2024,dom", "--types", "node", "typed.ts"]
    writeFileSync(join(folder.path, "tsconfig.json"), JSON.stringify({ compilerOptions: { typeRoots: [join(root, "node_modules/@types")] } }))
    expect(spawnSync(join(root, "node_modules/.bin/tsc"), [...flags, "--ignoreConfig", "--typeRoots", join(root, "node_modules/@types")], { cwd: folder.path, encoding: "utf8" }).stdout).toBe("")
  })

  it("the store in memory keeps the store's contract", () => {
    const { passed, said } = test("memory.test.mjs", `
      import { layerStores } from "@overa/adapter-memory"
      import { operationStoreContract, refundStoreContract, unresolvedOperationsContract } from "@overa/store-contracts"
      operationStoreContract("memory", () => layerStores)
      unresolvedOperationsContract("memory", () => layerStores)
      refundStoreContract("memory", () => layerStores)`)
    expect(passed, said).toBe(true)
  })

  it("a store that forgets the key it was given does not", () => {
    const { passed, said } = test("forgetful.test.mjs", `
      import { layerStores } from "@overa/adapter-memory"
      import { OperationStore } from "@overa/domain/ports"
      import { operationStoreContract } from "@overa/store-contracts"
      import { Effect, Layer } from "effect"
      const forgetful = Layer.effect(OperationStore, Effect.map(OperationStore, (store) => OperationStore.of({
        ...store,
        reserve: (reservation) => store.reserve({ ...reservation, operation: {
          ...reservation.operation, boundKey: { ...reservation.operation.boundKey, key: reservation.operation.id } } })
      })))
      operationStoreContract("forgetful", () => Layer.provideMerge(forgetful, layerStores))`)
    expect(passed).toBe(false)
    expect(said).toMatch(/KeyTaken/)
  })

  it("the store on PostgreSQL migrates a database that the sources made, and keeps the store's contract", () => {
    expect(run("migrate.mjs", `
      import { layerDatabase, migrate } from "@overa/adapter-postgres"
      import { Effect, Redacted } from "effect"
      await Effect.runPromise(Effect.provide(migrate(), layerDatabase({ url: Redacted.make(process.env.DATABASE_URL), applicationName: "packages" })))
      console.log("migrated")`)).toBe("migrated\n")
    const { passed, said } = test("postgres.test.mjs", `
      import { layerDatabase, layerOperationStore, layerUnresolvedOperations } from "@overa/adapter-postgres"
      import { operationStoreContract, unresolvedOperationsContract } from "@overa/store-contracts"
      import { Layer, Redacted } from "effect"
      const layer = () => Layer.provide(Layer.mergeAll(layerOperationStore, layerUnresolvedOperations),
        layerDatabase({ url: Redacted.make(process.env.DATABASE_URL), applicationName: "packages" }))
      operationStoreContract("PostgreSQL", layer)
      unresolvedOperationsContract("PostgreSQL", layer)`)
    expect(passed, said).toBe(true)
  })

  it("the renderer draws a receipt in a process of its own, and the reader of PFX files starts its own too", () => {
    const said = run("paper.mjs", `
      import { layerStores, layerTestAuthority, smallShop } from "@overa/adapter-memory"
      import { PooledReceiptRenderer } from "@overa/adapter-renderers"
      import { readPfx } from "@overa/adapter-vpfr"
      import { ReceiptRenderer } from "@overa/domain/ports"
      import { bodyOf, decodeFiscalDocumentRequest } from "@overa/domain/requests"
      import { issueFiscalDocument } from "@overa/domain/use-cases"
      import { bindKey } from "@overa/domain/workflows"
      import { Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
      const shop = smallShop({ taxIdentifier: "100000008", name: "Shop", labels: { "Ђ": "20" } })
      const host = ManagedRuntime.make(Layer.provideMerge(shop.layer, Layer.mergeAll(layerStores, layerTestAuthority, PooledReceiptRenderer.layer({ processes: 1 }))))
      const body = bodyOf({ taxpayerId: shop.taxpayerId, businessPremiseId: shop.businessPremiseId, clientReference: "1", invoiceType: "NORMAL",
        transactionType: "SALE", cashier: { id: "web" }, items: [{ name: "Хлеб", unitOfMeasure: "kom", quantity: 1, unitPrice: 10, taxLabels: ["Ђ"] }],
        payments: [{ type: "CARD", amount: 10 }] })
      const boundKey = bindKey({ key: "key-0000000000000001", target: "POST /v1/fiscal-documents", body })
      const request = { tenant: shop.tenant, clientId: "web", boundKey, callerGone: new AbortController().signal }
      const { operation } = await host.runPromise(issueFiscalDocument(request, Result.getOrThrow(decodeFiscalDocumentRequest(body, shop.tenant))))
      const paper = await host.runPromise(ReceiptRenderer.use((renderer) => renderer.render({ operation, answer: operation.answer }, Effect.succeed(null), "pdf-80mm")))
      console.log(new TextDecoder().decode(paper.bytes.subarray(0, 5)))
      await host.dispose()
      console.log((await Effect.runPromise(Effect.flip(readPfx(new Uint8Array([1, 2, 3]), Redacted.make("x"))))).fault)`)
    expect(said).toBe("%PDF-\nNOT_A_PFX\n")
  })
})
