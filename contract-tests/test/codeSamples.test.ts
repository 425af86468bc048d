import { noDeliverySettings } from "@overa/domain"
import { operations } from "@overa/rest-api"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runSamples, type SampleLanguage, sampleLanguages } from "../src/samples/runSamples.ts"
import { SampleGround, type SampleRun } from "../src/samples/sampleGround.ts"
import { sharedMemoryApi } from "../src/support/sharedMemoryApi.ts"

interface Sample {
  readonly lang: string
  readonly source: string
}
type Paths = Readonly<Record<string, Readonly<Record<string, { readonly operationId: string; readonly "x-codeSamples": ReadonlyArray<Sample> }>>>>

/** Where each language's sample prints the status; the client throws unless it is one of success, so that its samples print the answer alone. */
const statusIn: Readonly<Record<Exclude<SampleLanguage, "TypeScript">, (printed: string) => string | undefined>> = {
  Shell: (printed) => printed.trimEnd().split("\n").at(-1),
  PHP: (printed) => printed.split("\n")[0],
  Python: (printed) => printed.split("\n")[0]
}

describe("The programs beside each operation of the contract", () => {
  const { api, memory } = sharedMemoryApi()
  const folder = mkdtempSync(join(tmpdir(), "overa-samples-"))
  const samples = new Map<string, ReadonlyArray<Sample>>()

  beforeAll(async () => {
    for (const shop of Object.values(memory.shops)) memory.deliveries.settings.set(shop.place.taxpayer.id, { ...noDeliverySettings, enabled: true, locale: "en" })
    const { paths } = await (await fetch(`${memory.target.baseUrl}/openapi.json`)).json() as { readonly paths: Paths }
    for (const methods of Object.values(paths)) for (const operation of Object.values(methods)) samples.set(operation.operationId, operation["x-codeSamples"])
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it("are there for every operation, in four languages", () => {
    expect([...samples.keys()].toSorted()).toEqual(operations.map(({ id }) => id).toSorted())
    for (const [id, own] of samples) expect([id, own.map(({ lang }) => lang)]).toEqual([id, ["Shell", "TypeScript", "PHP", "Python"]])
  })

  it.each(sampleLanguages)("%s: each is answered with the status that the contract promises", { timeout: 120_000 }, async (language) => {
    const ground = new SampleGround(api)
    const runs: Record<string, SampleRun> = {}
    for (const operation of operations) runs[operation.id] = await ground.prepare(operation, samples.get(operation.id)?.find(({ lang }) => lang === language)?.source ?? "")
    const printed = await runSamples(folder, language, runs)
    const found = operations.map(({ id }) => [id, language === "TypeScript" ? (printed.get(id) ?? "").trim() !== "" : statusIn[language](printed.get(id) ?? "")])
    // Of 200 and 201 the latter: each sample issues something new.
    const promised = operations.map(({ id, responses }) => [id, language === "TypeScript" || Object.keys(responses).findLast((status) => status < "300")])
    expect(found).toEqual(promised)
  })
})
