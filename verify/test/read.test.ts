import { generateKeyPairSync } from "node:crypto"
import { deflateSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { linksOfPdf } from "../src/read/linksOfPdf.ts"
import { readCsv } from "../src/read/readCsv.ts"
import { readLogKeys, readSignerKey } from "../src/read/readKey.ts"

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"))
const link = "https://suf.purs.gov.rs/v/?vl=A1(x)%2B"

describe("the links of a PDF (ISO 32000-1)", () => {
  it.each([
    ["a string with escapes", `/A << /S /URI /URI (https://suf.purs.gov.rs/v/?vl=A1\\(x\\)%2B) >>`],
    ["octal escapes and a broken line", `/URI (https://suf.purs.gov.rs/v/?vl=A1\\050x\\051\\\n%2B)`],
    ["hexadecimal", `/URI <${Buffer.from(link).toString("hex")}>`]
  ])("are read as %s", async (_how, content) => {
    expect(await linksOfPdf(bytes(`%PDF-1.7\n1 0 obj ${content} endobj`))).toEqual([link])
  })

  it("are read from packed object streams, as programs write them that save a PDF again", async () => {
    const packed = deflateSync(bytes(`1 0 << /S /URI /URI (${link.replace("(", "\\(").replace(")", "\\)")}) >>`))
    const file = Buffer.concat([bytes("%PDF-1.7\n9 0 obj << /Type /ObjStm /N 1 /Filter /FlateDecode >>\nstream\r\n"), packed, bytes("\nendstream endobj")])
    expect(await linksOfPdf(Uint8Array.from(file))).toEqual([link])
  })

  it("cost a bounded processor time in a file that was made to cost more", async () => {
    const bomb = deflateSync(Buffer.alloc(40_000_000))
    const streams = Buffer.concat(Array.from({ length: 30 }, () => Buffer.concat([bytes("<< /Type /ObjStm >>\nstream\n"), bomb, bytes("\nendstream\n")])))
    const from = process.cpuUsage()
    expect(await linksOfPdf(Uint8Array.from(Buffer.concat([bytes("%PDF-1.7\n"), streams, bytes("/URI (".repeat(100_000))])))).toEqual([])
    expect(await linksOfPdf(bytes(`%PDF-1.7\n${"/ObjStm stream\n".repeat(1_600_000)}`))).toEqual([])
    // Of the processor, not of the clock: a busy machine makes nothing dearer.
    const { system, user } = process.cpuUsage(from)
    expect(user + system).toBeLessThan(10_000_000)
  })
})

describe("public keys", () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 }).publicKey
  const modulus = BigInt(`0x${Buffer.from(String(rsa.export({ format: "jwk" }).n), "base64url").toString("hex")}`)

  it("of a signer are read in both forms of PEM", () => {
    for (const type of ["spki", "pkcs1"] as const) expect(readSignerKey("a", rsa.export({ type, format: "pem" }).toString())).toEqual({ name: "a", modulus })
  })

  it("of another kind, and damaged ones, are none", () => {
    const pem = rsa.export({ type: "spki", format: "pem" }).toString()
    const small = generateKeyPairSync("rsa", { modulusLength: 1_024 }).publicKey.export({ type: "spki", format: "pem" }).toString()
    const curve = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "pem" }).toString()
    for (const text of ["", small, curve, pem.replace(/\n[^\n]{40}/, "\n"), pem.slice(0, 200), pem.replaceAll("A", "!")]) expect(readSignerKey("a", text)).toBeNull()
  })

  it("of a log are read a line each, or not at all", () => {
    expect(readLogKeys("no key\n")).toEqual([])
    expect(readLogKeys("")).toEqual([])
  })
})

describe("CSV (RFC 4180)", () => {
  it.each([
    ["a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]],
    ["\uFEFFa;b\n\"x;\"\"y\"\"\";\n", [["a", "b"], ["x;\"y\"", ""]]],
    ["a,b\n\"two\nlines\",2", [["a", "b"], ["two\nlines", "2"]]],
    ["a,b\n\"never closed,2\n", [["a", "b"], ["never closed,2\n"]]],
    ["", []]
  ] as const)("%j", (text, rows) => {
    expect(readCsv(text, 100)).toEqual(rows)
  })

  it("reads no more rows than are asked for", () => {
    expect(readCsv("a\n".repeat(1_000), 10)).toHaveLength(10)
  })
})
