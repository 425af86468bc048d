import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runVerify } from "../../verify/src/command/runVerify.ts"
import { verdictsOf, verifierWith } from "../src/support/runVerifier.ts"
import { verifiedFiles, type VerifiedFiles } from "../src/support/verifiedFiles.ts"

const { report, run } = verifierWith(runVerify)
let files: VerifiedFiles
beforeAll(async () => {
  files = await verifiedFiles()
}, 180_000)
afterAll(() => files.close())

describe("an organization that leaves takes everything with it", () => {
  const handOver = (into: string) =>
    files.installation.desk.admin(["hand-over", files.installation.shop.organizationId, into, "--reason", "the shop leaves", "--json"])

  it("in one folder for each taxpayer, which is verified whole without the service, and in which a changed amount is found", async () => {
    const into = files.path("leaving")
    const answer = await handOver(into)
    expect({ code: answer.code, err: answer.err }).toEqual({ code: 0, err: "" })
    const [taxpayer, ...others] = answer.json.taxpayers as ReadonlyArray<{ readonly folder: string; readonly tin: string; readonly documents: number; readonly receipts: number }>
    expect(others).toEqual([])
    expect(taxpayer).toMatchObject({ tin: files.tin, documents: 1, receipts: 1 })
    const folder = join(into, taxpayer?.folder ?? "")
    // Nothing proves that a list of receipts is whole; each proof is proven with the keys beside it.
    expect((await run("--tin", files.tin, folder)).code).toBe(0)
    const keys = readdirSync(folder).filter((name) => /\.pem$|^journal-key/.test(name)).map((name) => join(folder, name))
    const proven = await run("--tin", files.tin, "--require-proven", join(folder, "proofs"), ...keys)
    expect({ code: proven.code, err: proven.err }).toEqual({ code: 0, err: "" })
    expect(readFileSync(join(folder, "journal-0001.csv"), "utf8").trim().split("\r\n")).toHaveLength(2)
    const [receipt = ""] = readdirSync(join(folder, "receipts"))
    expect(readFileSync(join(folder, "receipts", receipt), "utf8")).toBe(files.proof.document.pfr.journal)
    const written = readdirSync(into, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name))
    for (const name of written) expect(readFileSync(join(into, name), "utf8")).not.toMatch(/PRIVATE KEY/)
    const linesOf = (name: string) => readFileSync(join(into, name), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line))
    const activity = written.filter((name) => /^activity-\d{4}-\d{2}\.jsonl$/.test(name)).flatMap(linesOf)
    expect(activity.map(({ act }) => act)).toEqual(expect.arrayContaining(["taxpayer created", "hand-over begun"]))
    expect(answer.json.organization).toMatchObject({ people: 0, deliveries: 0, activity: activity.length })
    expect(JSON.parse(readFileSync(join(into, "people.json"), "utf8"))).toEqual([])
    expect(readdirSync(folder).filter((name) => name.startsWith("elsewhere"))).toEqual([])
    const proof = join(folder, "proofs", `${files.proof.document.id}.json`)
    writeFileSync(proof, readFileSync(proof, "utf8").replace("\"unitPrice\\\":1234.5", "\"unitPrice\\\":1234.6"))
    expect((await run("--tin", files.tin, folder)).code).toBe(1)
  })

  it("and what is missing, changed or added in it is found without a key", async () => {
    const into = files.path("whole")
    await handOver(into)
    const told = async () => {
      const { code, reports } = await report(into)
      return { code, verdicts: verdictsOf(reports.find(({ kind }) => kind === "LEAVING") ?? expect.fail("nothing is said of the whole")) }
    }
    expect(await told()).toEqual({ code: 0, verdicts: { leavingWhole: "CLAIMED" } })
    const people = readFileSync(join(into, "people.json"))
    writeFileSync(join(into, "people.json"), "[{}]")
    expect(await told()).toEqual({ code: 1, verdicts: { leavingChanged: "CONTRADICTED" } })
    rmSync(join(into, "people.json"))
    expect(await told()).toEqual({ code: 1, verdicts: { leavingMissing: "CONTRADICTED" } })
    writeFileSync(join(into, "people.json"), people)
    writeFileSync(join(into, "added.txt"), "a note")
    expect(await told()).toEqual({ code: 0, verdicts: { leavingWhole: "CLAIMED", leavingUnlisted: "CLAIMED" } })
    rmSync(join(into, "checksums/0001.sha256"))
    expect((await told()).verdicts).toMatchObject({ leavingMissing: "CONTRADICTED" })
    rmSync(join(into, "checksums.sha256"))
    expect(await told()).toEqual({ code: 1, verdicts: { leavingCut: "CONTRADICTED" } })
    const { code, out } = await run("--summary", into)
    expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(/Not whole: the last file \(checksums\.sha256\) is missing[\s\S]*contradicted: 1\n$/) })
  })

  it("and writes nothing into a folder that has anything in it", async () => {
    expect(await handOver(files.folder)).toMatchObject({ code: 2, err: expect.stringContaining("is not empty") })
  })
})
