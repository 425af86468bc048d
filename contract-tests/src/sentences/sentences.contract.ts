import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import type { ApiTarget } from "../http/ApiTarget.ts"
import { checks } from "./checks.ts"
import { type CheckName, namedProofs, proofOf } from "./proofs.ts"
import { readSentences } from "./readSentences.ts"
import { openWorld, type World } from "./world.ts"

const root = join(import.meta.dirname, "../../..")
const sentences = readSentences(readFileSync(join(root, "docs/specification/interface.md"), "utf8"))
const judged = sentences.map((sentence) => ({ sentence, proof: proofOf(sentence) }))
const run = judged.flatMap(({ proof, sentence }) => proof !== null && "run" in proof ? [{ sentence, check: proof.run }] : [])

const ruleIds = (): ReadonlySet<string> => {
  const folder = join(root, "domain/test/rules")
  const texts = readdirSync(folder).filter((name) => name.endsWith(".rules.test.ts")).map((name) => readFileSync(join(folder, name), "utf8"))
  return new Set(texts.flatMap((text) => [...text.matchAll(/^rule\("([A-Z0-9-]+)"/gm)].map(([, id = ""]) => id)))
}

/**
 * The interface specification, sentence by sentence. The program reads `docs/specification/interface.md` and the running service's `/openapi.yaml`, and
 * holds each sentence against the service, or names what proves it.
 */
export const sentencesContract = (name: string, start: () => Promise<ApiTarget>) =>
  describe(`${name}: the specification's sentences`, () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld(await start())
    })

    it("each has a check, a proof or a reason, and every proof exists", () => {
      const count = (kind: string) => judged.filter(({ proof }) => proof !== null && kind in proof).length
      process.stdout.write(`sentences: ${sentences.length}; run by this program: ${run.length}; proven by rules and contracts: ${count("by")}; read, nothing to run: ${count("reason")}\n`)
      expect(sentences.length).toBeGreaterThan(350)
      expect(judged.filter(({ proof }) => proof === null).map(({ sentence }) => `${sentence.id}: ${sentence.text}`)).toEqual([])
      const rules = ruleIds()
      expect(namedProofs.filter((proof) => proof.includes("/") ? !existsSync(join(root, proof)) : !rules.has(proof))).toEqual([])
    })

    it.each(Object.keys(checks) as ReadonlyArray<CheckName>)("%s: no sentence deviates", async (check) => {
      const asked = run.filter((one) => one.check === check)
      expect(asked.length).toBeGreaterThan(0)
      const deviations: Array<string> = []
      for (const { sentence } of asked) {
        for (const deviation of await checks[check](sentence, world)) deviations.push(`${sentence.id} "${sentence.text}": ${deviation}`)
      }
      expect(deviations).toEqual([])
    })
  })
