import { composeLayout, draw } from "@overa/adapter-renderers"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { OperatorDesk } from "../src/support/operatorDesk.ts"
import { otherEsir, type OtherEsir, type OtherReceipt } from "../src/support/otherEsir.ts"
import { sampleBranding, sampleItem, sampleReceipt } from "../src/support/sampleReceipts.ts"
import type { Shop } from "../src/support/openShop.ts"
import { shopDesk } from "../src/support/shopDesk.ts"

let desk: OperatorDesk
let shop: Shop
let esir: OtherEsir
beforeAll(async () => {
  ;({ desk, shop } = await shopDesk())
  esir = otherEsir("RS100000049", { root: desk.simulator.sandbox.verificationUrl })
  const added = await desk.admin(["reference", "add-signer", "sandbox", esir.signedBy, "--pem", desk.file("signer.pem", esir.signerPem), "--reason", "test"])
  expect(added.code).toBe(0)
}, 120_000)
afterAll(() => desk.close())

const write = (name: string, content: string | Uint8Array): string => {
  const path = join(dirname(desk.file("place.txt", "")), name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}
const bring = (...files: ReadonlyArray<string>) => desk.admin(["elsewhere", "import", shop.taxpayerId, ...files, "--reason", "moves to us", "--json"])
const receipts = (from: number, count: number): ReadonlyArray<OtherReceipt> => Array.from({ length: count }, (_, at) => esir.issue(from + at))
const listed = async () => (await desk.admin(["elsewhere", "list", shop.taxpayerId, "--limit", "1000", "--json"])).json.items as ReadonlyArray<{ readonly pfrNumber: string; readonly standing: string; readonly journal: string | null; readonly verificationUrl: string | null }>
/** A paper as a shop's ESIR makes one: the QR code drawn, the text in the grid of the receipt. */
const drawn = async ({ journal, link }: OtherReceipt, output: "pdf" | "png"): Promise<Uint8Array> =>
  (await draw({ layout: composeLayout(sampleReceipt("NORMAL", "SALE", { journal, link }), sampleBranding()), paper: "a4", output })).bytes
/** The link with one bit of its signature changed. */
const damage = (link: string): string => {
  const [root = "", value = ""] = link.split("vl=")
  const bytes = Buffer.from(decodeURIComponent(value), "base64")
  bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1
  return `${root}vl=${encodeURIComponent(bytes.toString("base64"))}`
}
const numbersOf = (of: ReadonlyArray<OtherReceipt>) => of.map(({ pfrNumber }) => pfrNumber).toSorted()

describe("receipts of another ESIR are imported", () => {
  it.each<readonly [form: string, from: number, file: string, content: (of: ReadonlyArray<OtherReceipt>) => string]>([
    ["texts one after the other", 100, "all.txt", (of) => of.map(({ journal }) => journal).join("\r\n\r\n")],
    ["texts each with its link below", 110, "both.txt", (of) => of.map(({ journal, link }) => `${journal}\n${link}`).join("\n\n")],
    ["a list of links", 120, "list.links", (of) => of.map(({ link }) => link).join("\n")],
    ["CSV with links and texts in quotes", 130, "export.csv", (of) => `broj;link;tekst\r\n${of.map(({ journal, link, pfrNumber }) => `${pfrNumber};"${link}";"${journal.trimEnd().replaceAll("\"", "\"\"")}"`).join("\r\n")}\r\n`],
    ["JSON lines of the V-PFR's answers", 140, "answers.jsonl", (of) => of.map(({ journal, link }) => JSON.stringify({ journal, verificationUrl: link, messages: "Успешно" })).join("\n")],
    ["JSON as other programs write it", 150, "answers.json", (of) => JSON.stringify({ receipts: of.map(({ journal, link }) => ({ journal, qr: { text: link } })) }, null, 2).replaceAll(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`)]
  ])("from %s", async (_form, from, file, content) => {
    const of = receipts(from, 3)
    const path = write(file, content(of))
    expect(await bring(path)).toMatchObject({ code: 0, json: { added: 3, completed: 0 } })
    const stored = (await listed()).filter(({ pfrNumber }) => numbersOf(of).includes(pfrNumber))
    expect(stored.map(({ pfrNumber }) => pfrNumber).toSorted()).toEqual(numbersOf(of))
    const withLink = content(of).includes("vl=")
    expect(stored.map(({ standing }) => standing)).toEqual(stored.map(() => withLink ? "PROVEN" : "CLAIMED"))
    expect(await bring(path)).toMatchObject({ code: 0, json: { added: 0, completed: 0 } })
  })

  it("from a folder of texts, PDFs whose QR code is drawn, and pictures; hidden files are left out", async () => {
    const folder = dirname(write("folder/1.txt", esir.issue(200).journal))
    write("folder/2.pdf", await drawn(esir.issue(201), "pdf"))
    write("folder/deep/3.png", await drawn(esir.issue(202), "png"))
    write("folder/.DS_Store", "nothing")
    expect(await bring(folder)).toMatchObject({ code: 0, json: { added: 3, completed: 0, known: 0 } })
    const stored = (await listed()).filter(({ pfrNumber }) => /-20[0-2]$/.test(pfrNumber))
    expect(stored.map(({ standing }) => standing)).toEqual(["PROVEN", "PROVEN", "CLAIMED"])
  }, 60_000)

  it("a text and a link of one receipt complete each other", async () => {
    const one = esir.issue(210, { buyerId: "10:100000008" })
    expect(await bring(write("text.txt", one.journal))).toMatchObject({ json: { added: 1 } })
    expect(await bring(write("link.txt", one.link))).toMatchObject({ json: { added: 0, completed: 1 } })
    expect((await listed()).find(({ pfrNumber }) => pfrNumber === one.pfrNumber)).toMatchObject({ standing: "PROVEN", journal: one.journal.trim(), verificationUrl: one.link })
  })
})

describe("a file with faults changes nothing, and each fault has its file and line", () => {
  it("whatever the faults are", async () => {
    const before = (await listed()).length
    const [good, damaged, forged, elsewhere] = [esir.issue(300), esir.issue(301), otherEsir("RS100000049", { root: desk.simulator.sandbox.verificationUrl }).issue(302), otherEsir("RS100000049").issue(303)]
    const stranger = otherEsir("RS100000008", { signedBy: "OTHERPFR" }).issue(304)
    const cut = esir.issue(305).journal
    const changed = esir.issue(306).journal.replace("Укупан износ:                   2.469,00", "Укупан износ:                   2.479,00")
    const links = write("bad.links", ["link", good.link, damage(damaged.link), forged.link, elsewhere.link, "no link", `${good.link.slice(0, 200)}`].join("\n"))
    const texts = write("bad.txt", [stranger.journal, cut.slice(0, 300), esir.issue(307).journal, esir.issue(306).link, changed].join("\n"))
    const answer = await bring(links, texts, write("bad.pdf", "%PDF-1.7 nothing"), write("bad.bin", Uint8Array.of(0xc3, 0x28, 0xff)), write("empty.txt", ""))
    expect(answer.code).toBe(2)
    const lineOf = (text: string, mark: string) => text.slice(0, text.indexOf(mark)).split("\n").length
    const all = [stranger.journal, cut.slice(0, 300), esir.issue(307).journal].join("\n")
    const told = answer.err
    expect(told).toMatch(/^Nothing was imported: 11 faults\./)
    expect(told).toMatch(/bad\.links:3: the verification link is damaged/)
    expect(told).toMatch(/bad\.links:4: the signature does not verify under the key of PURS9876/)
    expect(told).toMatch(/bad\.links:5: the link leads to https:\/\/suf\.purs\.gov\.rs/)
    expect(told).toMatch(/bad\.links:6: there is no verification link and no receipt's text/)
    expect(told).toMatch(/bad\.links:7: the verification link cannot be read/)
    expect(told).toMatch(/bad\.txt:1: the receipt is of the seller 100000008/)
    expect(told).toMatch(new RegExp(`bad\\.txt:${lineOf(all, cut.slice(0, 300))}: a receipt begins here and does not end`))
    expect(told).toMatch(/bad\.txt:\d+: OTHER123-PURS9876-306 is known with another total/)
    expect(told).toMatch(/bad\.pdf: the file cannot be read/)
    expect(told).toMatch(/bad\.bin: the file cannot be read: it is no text in UTF-8/)
    expect(told).toMatch(/empty\.txt: there is no verification link/)
    expect((await listed()).length).toBe(before)
  })

  it("a file that is not there, and a taxpayer that is not ours", async () => {
    expect(await bring("/nowhere.txt")).toMatchObject({ code: 2, err: expect.stringContaining("cannot be opened") })
    const unknown = await desk.admin(["elsewhere", "import", shop.organizationId, write("one.txt", esir.issue(310).journal), "--reason", "x"])
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining("There is no taxpayer") })
  })
})

it("a month beside the other ESIR: each amount that this service would have had signed otherwise is listed to the para", async () => {
  const month = ["--from", "2025-03-01", "--to", "2025-04-01", "--json"]
  const items = [sampleItem("Кафа", "кг", "3", "411.50", "A")]
  const of = [500, 501].map((number) => esir.issue(number, { items, time: Date.UTC(2025, 2, 5) + number * 60_000 }).journal)
  const off = esir.issue(502, { items, time: Date.UTC(2025, 2, 6) }).journal.replaceAll("101,93", "101,94")
  const same = () => desk.admin(["elsewhere", "compare", shop.taxpayerId, ...month])
  await bring(write("month.txt", of.join("\n")), write("month.links", esir.issue(503, { items, time: Date.UTC(2025, 2, 7) }).link))
  expect(await same()).toMatchObject({ code: 0, json: { compared: 2, linksAlone: 1, different: [] } })
  expect(off).toContain("101,94")
  await bring(write("off.txt", off))
  expect(await same()).toMatchObject({ code: 3, json: { compared: 3, different: [{ pfrNumber: "OTHER123-PURS9876-502", deviations: [{ what: "tax A", theirs: "101.94", ours: "101.93" }, { what: "total tax", theirs: "101.94", ours: "101.93" }] }] } })
})

it("an organization that leaves takes them too, and another installation imports what it has taken", async () => {
  const before = await listed()
  const into = join(dirname(desk.file("place.txt", "")), "leaving")
  const answer = await desk.admin(["hand-over", shop.organizationId, into, "--reason", "leaves", "--json"])
  const [{ elsewhere, folder }] = answer.json.taxpayers as readonly [{ readonly elsewhere: number; readonly folder: string }]
  expect(elsewhere).toBe(before.length)
  await desk.admin(["elsewhere", "remove", shop.taxpayerId, "--older-than", "1", "--reason", "to bring them back", "--yes"])
  expect(await listed()).toEqual([])
  expect(await bring(join(into, folder, "elsewhere-0001.jsonl"))).toMatchObject({ code: 0, json: { added: before.length } })
  expect(await listed()).toEqual(before)
}, 60_000)

it("removal is by age and says how many", async () => {
  const old = esir.issue(400, { time: Date.UTC(2020, 1, 1) })
  await bring(write("old.txt", old.link))
  const answer = await desk.admin(["elsewhere", "remove", shop.taxpayerId, "--older-than", "1000", "--reason", "kept long enough", "--yes", "--json"])
  expect(answer).toMatchObject({ code: 0, json: { removed: 1 } })
  expect((await listed()).some(({ pfrNumber }) => pfrNumber === old.pfrNumber)).toBe(false)
})
