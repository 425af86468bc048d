import { verifyExport, verifyProof, verifyReceipt } from "@overa/verify"
import { checkFiles, nothingKnown } from "@overa/verify/files"
import { runVerify } from "../../verify/src/command/runVerify.ts"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { changedEverywhere } from "../src/support/changedProofs.ts"
import { verdictsOf, verifierWith } from "../src/support/runVerifier.ts"
import { type Proof, verifiedFiles, type VerifiedFiles } from "../src/support/verifiedFiles.ts"

const { report, run } = verifierWith(runVerify)
let files: VerifiedFiles
beforeAll(async () => {
  files = await verifiedFiles()
}, 180_000)
afterAll(() => files.close())

/** What the library finds in one file of which nothing else is known. */
const findingsOf = async (name: string, text: string) =>
  (await checkFiles([{ name, bytes: new TextEncoder().encode(text) }], nothingKnown, async () => null))[0]?.findings ?? []

const signedFacts = ["totalAmount", "sdcTime", "kind", "buyerId", "counters"]

describe("what a receipt in each of its forms proves", () => {
  it.each([["PDF", "receipt.pdf"], ["PICTURE", "receipt.png"]])("a %s with the signer's key and the TIN", async (kind, name) => {
    const { code, reports } = await report("--tin", files.tin, files.path(name), files.path("keys"))
    const told = reports.find((one) => one.kind === kind) ?? expect.fail(JSON.stringify(reports))
    expect(code).toBe(0)
    expect(verdictsOf(told)).toMatchObject({
      checksumFits: "CLAIMED", signatureValid: "PROVEN", requestedBy: "NOT_COVERED", signedBy: "NOT_COVERED", linkAddress: "NOT_COVERED",
      ...Object.fromEntries(signedFacts.map((subject) => [subject, "PROVEN"]))
    })
    expect(told.findings.find(({ subject }) => subject === "totalAmount")?.values).toEqual(["2469.00"])
  })

  it("a link without a key, without the TIN, with another TIN: nothing but a claim", async () => {
    for (const [args, why] of [
      [[files.link], "signatureNoKey"],
      [[files.link, files.path("keys")], "signatureNoTin"],
      [["--tin", "RS999999999", files.link, files.path("keys")], "signatureUnknownKey"]
    ] as const) {
      const { code, reports } = await report(...args)
      const verdicts = verdictsOf(reports[0] ?? expect.fail("no report"))
      expect([code, verdicts[why], verdicts["totalAmount"], verdicts["requestedBy"]]).toEqual([0, "CLAIMED", "CLAIMED", "NOT_COVERED"])
    }
  })

  it("--require-proven ends with 3 where one of the files is only a claim, and 0 where each is proven", async () => {
    const proven = ["--tin", files.tin, files.path("keys"), files.path("receipt.pdf")]
    const withCode = async (...args: ReadonlyArray<string>) => (await run("--require-proven", ...args)).code
    expect(await withCode(...proven, files.path("export.csv"), files.path("checkpoint.txt"))).toBe(0)
    expect(await withCode(files.link, files.path("keys"))).toBe(3)
    expect(await withCode(...proven, files.path("keys"), "https://suf.purs.gov.rs/nothing")).toBe(3)
    expect(await withCode(files.path("keys"))).toBe(3)
    expect(await withCode(files.path("checkpoint.txt"))).toBe(3)
    expect(await withCode("--tin", "RS999999999", files.path("receipt.pdf"), files.path("keys"))).toBe(3)
    expect((await run("--tin", files.tin, files.link)).code).toBe(0)
  })

  it("a link with a forged JID and a recomputed checksum passes, and its JID is said to be covered by nothing", async () => {
    const binary = Buffer.from(decodeURIComponent(files.link.slice(files.link.indexOf("vl=") + 3)), "base64")
    const changed = Buffer.concat([binary.subarray(0, 1), Buffer.from("FORGED99"), binary.subarray(9, -16)])
    const forged = `${files.link.slice(0, files.link.indexOf("vl=") + 3)}${encodeURIComponent(Buffer.concat([changed, createHash("md5").update(changed).digest()]).toString("base64"))}`
    const { reports } = await report("--tin", files.tin, forged, files.path("keys"))
    expect(verdictsOf(reports[0] ?? expect.fail("no report"))).toMatchObject({ signatureValid: "PROVEN", requestedBy: "NOT_COVERED" })
    const { out } = await run("--tin", files.tin, forged, files.path("keys"))
    expect(out).toMatch(/– not covered: Seller's JID FORGED99: not covered by the signature/)
  })

  it("an export: each receipt against its link; that none is missing is only claimed", async () => {
    const { code, reports } = await report("--tin", files.tin, files.path("export.csv"), files.path("checkpoint.txt"), files.path("keys"))
    expect(code).toBe(0)
    expect(verdictsOf(reports[0] ?? expect.fail("no report"))).toEqual({ exportRows: "CLAIMED", exportLinks: "PROVEN", exportOnly: "CLAIMED", exportComplete: "CLAIMED" })
    expect(verdictsOf(reports[1] ?? expect.fail("no report"))).toEqual({ checkpointSigned: "PROVEN" })
  })

  it("an export with any one cell of a receipt changed: contradicted, or of a column named as the export's own", async () => {
    const [head = "", row = ""] = readFileSync(files.path("export.csv"), "utf8").split("\r\n")
    const names = head.replace("\uFEFF", "").split(";")
    const findings = (cells: string) => findingsOf("export.csv", `${head}\r\n${cells}\r\n`)
    const only = (await findings(row)).find(({ subject }) => subject === "exportOnly")?.values[0]?.split(", ") ?? []
    expect(names.filter((name) => !only.includes(name))).toEqual(
      ["status", "invoiceType", "transactionType", "buyerId", "totalAmount", "pfrNumber", "pfrTime", "pfrTotalAmount", "verificationUrl"]
    )
    for (const name of names.filter((one) => !only.includes(one))) {
      const cells = row.split(";").map((cell, at) => names[at] === name ? `${cell.slice(0, -1)}${cell.endsWith("1") ? "2" : "1"}` : cell).join(";")
      expect([name, (await findings(cells)).some(({ verdict }) => verdict === "CONTRADICTED")]).toEqual([name, true])
    }
  })

  it("an export whose amount somebody changed", async () => {
    const changed = files.write("changed.csv", readFileSync(files.path("export.csv"), "utf8").replaceAll("2469.00", "24690.00"))
    const { code, reports } = await report("--tin", files.tin, changed, files.path("keys"))
    expect(code).toBe(1)
    expect(verdictsOf(reports[0] ?? expect.fail("no report"))).toMatchObject({ rowWrong: "CONTRADICTED", exportLinks: "CLAIMED" })
  })

  it("an export with an amount of 400 million digits", () => {
    const { findings, outcome } = verifyExport(readFileSync(files.path("export.csv"), "utf8").replaceAll("2469.00", "1e400000000"))
    expect([outcome, findings.map(({ subject }) => subject)]).toEqual(["CONTRADICTED", expect.arrayContaining(["rowWrong"])])
  })
})

describe("what a proof proves", () => {
  const proofReport = async (proof: Proof, ...args: ReadonlyArray<string>) => {
    const path = files.write("tried.json", JSON.stringify(proof))
    try {
      const { code, reports } = await report(path, ...args)
      return { code, verdicts: verdictsOf(reports[0] ?? expect.fail("no report")) }
    } finally {
      rmSync(path)
    }
  }

  it("everything, with the keys of signer and log; nothing is contradicted", async () => {
    const { code, verdicts } = await proofReport(files.proof, files.path("keys"))
    expect(code).toBe(0)
    expect(verdicts).toMatchObject({
      canonicalFits: "PROVEN", fingerprintFits: "PROVEN", answerFits: "PROVEN", linkFits: "PROVEN", signatureValid: "PROVEN", totalAmount: "PROVEN",
      requestedBy: "NOT_COVERED", signedBy: "NOT_COVERED", checkpointSigned: "PROVEN", entriesIn: "PROVEN", leavesFit: "PROVEN"
    })
  })

  it("by itself it proves less: a key that it brings itself is not trusted", async () => {
    const { verdicts } = await proofReport(files.proof)
    expect(verdicts).toMatchObject({ signatureOwnKey: "CLAIMED", totalAmount: "CLAIMED", checkpointOwnKey: "CLAIMED", entriesIn: "PROVEN" })
    expect(verdicts).not.toHaveProperty("signatureValid")
  })

  const forgeries: ReadonlyArray<readonly [what: string, change: (proof: Proof) => void, contradicted: string]> = [
    ["another amount in the request", (p) => (p.request.received = p.request.received.replace("2469", "9999")), "canonicalWrong"],
    ["request and canonical text changed together", (p) => {
      p.request.received = p.request.received.replaceAll("1234.5", "1.5")
      p.request.canonical = p.request.canonical.replaceAll("1234.5", "1.5")
    }, "fingerprintWrong"],
    ["request, canonical text and fingerprint changed together", (p) => {
      p.request.received = p.request.received.replaceAll("1234.5", "1.5")
      p.request.canonical = p.request.canonical.replaceAll("1234.5", "1.5")
      p.request.fingerprint = createHash("sha256").update(p.request.canonical).digest("hex")
    }, "leafWrong"],
    ["another number in the document", (p) => (p.document.pfr.invoiceNumber = "ABCD1234-ABCD1234-1"), "answerWrong"],
    ["another answer", (p) => {
      p.answer.text = Buffer.from(Buffer.from(p.answer.text, "base64").toString().replace("\"totalCounter\":1", "\"totalCounter\":2")).toString("base64")
    }, "leafWrong"],
    ["no answer", (p) => (p.answer = null), "answerWrong"],
    ["a standing that says more than a link can", (p) => (p.answer.verification.standing.requestedBy = "PROVEN"), "verificationWrong"],
    ["another JID beside the link", (p) => (p.answer.verification.link.requestedBy = "FORGED99"), "verificationWrong"],
    ["a status that never was", (p) => (p.transitions[3].to = "REJECTED"), "leafWrong"],
    ["a time of a transition", (p) => (p.transitions[2].at = "2020-01-01T00:00:00.000Z"), "leafWrong"],
    ["a leaf", (p) => (p.journal.entries[0].leaf = p.journal.entries[0].leaf.replace("RECEIVED", "VALIDATED")), "entryNotIn"],
    ["a leaf's place", (p) => (p.journal.entries[1].index += 1), "entryNotIn"],
    ["a checkpoint of another size", (p) => (p.journal.checkpoint = p.journal.checkpoint.replace(/\n\d+\n/, "\n99\n")), "checkpointWrong"],
    ["another document's id", (p) => (p.document.id = "01936b0e-7f3a-7c11-9d55-4f6f2a9f0c01"), "leafWrong"]
  ]
  it.each(forgeries)("%s is contradicted", async (_what, change, contradicted) => {
    const proof = structuredClone(files.proof)
    change(proof)
    expect(proof).not.toEqual(files.proof)
    const { code, verdicts } = await proofReport(proof, files.path("keys"))
    expect(code).toBe(1)
    expect(verdicts[contradicted]).toBe("CONTRADICTED")
  })

  it("whatever is changed alone is contradicted, or makes a claim of what was proven", async () => {
    const honest = await findingsOf("proof.json", JSON.stringify(files.proof))
    const unconfirmed = honest.find(({ subject }) => subject === "documentOnly")?.values[0]?.split(", ") ?? []
    expect(unconfirmed).toEqual(["idempotencyKey", "buyerDetails", "receipt", "updatedAt", "attempts", "leadsToAuthority"])
    const changes = changedEverywhere(files.proof)
    expect(changes.length).toBeGreaterThan(400)
    const unnoticed: Array<string> = []
    for (const { file, path, what } of changes) {
      if (path.some((name) => unconfirmed.includes(name))) continue
      const findings = await findingsOf("proof.json", JSON.stringify(file))
      const isSaid = findings.some(({ subject, values, verdict }) => verdict === "CONTRADICTED" ||
        verdict === "CLAIMED" && !honest.some((one) => one.subject === subject && one.values.join() === values.join()))
      if (!isSaid) unnoticed.push(`${path.join(".")} ${what}`)
    }
    expect(unnoticed).toEqual([])
  }, 120_000)

  it("two checkpoints of one size that differ are a fork, whoever signed them", async () => {
    const own = files.proof.journal.checkpoint as string
    const lines = own.split("\n")
    lines[2] = Buffer.alloc(32, 7).toString("base64")
    const { code, reports } = await report(files.write("a.txt", own), files.write("b.txt", lines.join("\n")))
    expect([code, reports.at(-1)?.findings[0]?.subject]).toEqual([1, "logFork"])
    expect(readFileSync(files.path("a.txt"), "utf8")).toBe(own)
  })
})

describe("the functions for programs", () => {
  const keys = () => {
    const names = readdirSync(files.path("keys"))
    const textOf = (name: string) => readFileSync(files.path(`keys/${name}`), "utf8")
    return {
      signers: Object.fromEntries(names.filter((name) => name.endsWith(".pem")).map((name) => [name.replace(".pem", ""), textOf(name)])),
      logKeys: names.filter((name) => name.endsWith(".vkey")).map(textOf),
      tin: files.tin
    }
  }
  const csv = () => readFileSync(files.path("export.csv"), "utf8")

  it("find what the command finds, word for word", async () => {
    for (const [name, found] of [["link.txt", verifyReceipt(files.link, keys())], ["proof.json", verifyProof(files.proof, keys())], ["export.csv", verifyExport(csv(), keys())]] as const) {
      if (name === "link.txt") files.write(name, files.link)
      const { reports } = await report("--tin", files.tin, files.path(name), files.path("keys"))
      expect([name, found.findings]).toEqual([name, reports[0]?.findings])
    }
  })

  it("answer proven with the keys, claimed without them, contradicted where something is changed", () => {
    const changed = structuredClone(files.proof)
    changed.document.pfr.invoiceNumber = "ABCD1234-ABCD1234-1"
    const cut = files.link.slice(0, -60)
    expect([verifyReceipt(files.link, keys()), verifyReceipt(files.link), verifyReceipt(cut, keys())].map(({ outcome }) => outcome)).toEqual(["PROVEN", "CLAIMED", "CONTRADICTED"])
    expect([verifyProof(files.proof, keys()), verifyProof(JSON.stringify(files.proof)), verifyProof(changed, keys())].map(({ outcome }) => outcome)).toEqual(["PROVEN", "CLAIMED", "CONTRADICTED"])
    expect([verifyExport(csv(), keys()), verifyExport(csv()), verifyExport(csv().replaceAll("2469.00", "24690.00"), keys())].map(({ outcome }) => outcome)).toEqual(["PROVEN", "CLAIMED", "CONTRADICTED"])
    // A receipt is proven and its proof is not, as long as the log's key is missing.
    expect(verifyProof(files.proof, { ...keys(), logKeys: [] }).outcome).toBe("CLAIMED")
    expect(verifyProof(files.proof, { ...keys(), signers: {} }).outcome).toBe("CLAIMED")
  })

  it("a text of another kind proves nothing of what was asked, however well it is signed", () => {
    const proof = JSON.stringify(files.proof)
    const others = [
      verifyReceipt(proof, keys()), verifyReceipt(csv(), keys()), verifyReceipt("", keys()), verifyProof(files.link, keys()), verifyProof({}, keys()), verifyExport(files.link, keys()),
      verifyExport(proof, keys()), verifyProof("[".repeat(200_000), keys()), verifyReceipt("x".repeat(25_000_001), keys())
    ]
    expect(others.map(({ findings, outcome }) => [outcome, findings.map(({ subject }) => subject)])).toEqual(others.map(() => ["CLAIMED", ["unreadable"]]))
  })

  it("a key that cannot be read is refused by name, and not left out", () => {
    expect(() => verifyReceipt(files.link, { signers: { mine: "no key" } })).toThrow(new TypeError("signers.mine is no RSA-2048 public key or certificate in PEM."))
    expect(() => verifyProof(files.proof, { logKeys: [keys().logKeys[0] ?? "", ""] })).toThrow(new TypeError("logKeys[1] is no verifier key of a log, as /.well-known/overa-journal-key answers it."))
  })
})

describe("what is hostile or nothing", () => {
  it.each(["--help", "-h"])("is told by %s how to call it, and nothing failed", async (option) => {
    const { code, err, out } = await run(option)
    expect([code, err]).toEqual([0, ""])
    expect(out).toMatch(/^Usage: overa-verify [^]*FILE/)
  })

  it("says so and goes on with the other files", async () => {
    const deep = "[".repeat(200_000)
    const cases: ReadonlyArray<readonly [name: string, content: string | Uint8Array]> = [
      ["empty.txt", ""],
      ["proto.json", "{\"__proto__\":{\"version\":1},\"constructor\":{},\"version\":1,\"document\":{\"__proto__\":1},\"request\":{}}"],
      ["deep.json", deep],
      ["deepProof.json", `{"version":1,"document":{"id":"x"},"request":{"method":"POST","path":"/x","received":${JSON.stringify("[".repeat(50_000) + "]".repeat(50_000))},"canonical":"x","fingerprint":"x","fingerprintRule":1},"transitions":[]}`],
      ["broken.pdf", `%PDF-1.7\n${"/URI (".repeat(10_000)}`],
      ["broken.png", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0xff)],
      ["broken.csv", `id;status;pfrNumber;pfrTotalAmount;verificationUrl\n"never closed;${"x".repeat(1_000)}`],
      ["large.bin", new Uint8Array(25_000_001)],
      ["link.txt", files.link]
    ]
    const paths = cases.map(([name, content]) => files.write(`hostile/${name}`, content))
    const { code, reports } = await report(...paths)
    expect(reports.map(({ findings }) => findings[0]?.subject)).toEqual([
      "noLink", "noLink", "noLink", "canonicalWrong", "noLink", expect.stringMatching(/unreadable|noQrCode/), "exportRows", "tooLarge", "checksumFits"
    ])
    expect(reports.flatMap(({ findings }) => findings).filter(({ verdict }) => verdict === "PROVEN")).toEqual([])
    // A request that no host could have read contradicts the proof that contains it.
    expect(code).toBe(1)
  })

  it("shows no control characters of a file's, so that nothing moves the cursor", async () => {
    const { out } = await run(files.write("evil.csv", `id;status;pfrNumber;pfrTotalAmount;verificationUrl;pfrTime\nx;FISCALIZED;N;\u001b[2J\u202e1;${files.link};`))
    expect(out).toContain("✗ contradicted: Row 2 differs from its link")
    // oxlint-disable-next-line no-control-regex
    expect(out).not.toMatch(/[\u001b\u202e]/)
  })

  it("takes a folder, answers in three languages, and says how it is called", async () => {
    expect((await run(files.path("keys"))).code).toBe(0)
    expect((await run("--language", "sr-Cyrl", files.link)).out).toContain("није обухваћено потписом")
    expect((await run("--language", "sr-Latn", files.link)).out).toContain("nije obuhvaćeno potpisom")
    for (const args of [[], ["--language", "de", files.link], ["--unknown"], [files.path("not-there")]]) expect((await run(...args)).code).toBe(2)
  })
})
