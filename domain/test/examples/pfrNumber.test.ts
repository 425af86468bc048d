import { describe, expect, it } from "vitest"
import { beginningsOfNumber, isJid } from "../../src/verification/pfrCodes.ts"

describe("a JID", () => {
  it.each(["ABCD1234", "Dt1Ov1o0", "12345678", "abcdefgh"])("%s is one", (text) => {
    expect(isJid(text)).toBe(true)
  })
  it.each(["", "ABCD123", "ABCD12345", "ABCD 234", "ABCD-234", "АBCD1234", "ABCD1234\n"])("%j is none", (text) => {
    expect(isJid(text)).toBe(false)
  })
})

describe("what is typed of a number", () => {
  it("is looked for as it is written, in capitals, and with only the requester in capitals", () => {
    expect(beginningsOfNumber("f7cb")).toEqual(["f7cb", "F7CB"])
    expect(beginningsOfNumber("F7CBZMLQ-Dt1Ov1o0-21")).toEqual(["F7CBZMLQ-Dt1Ov1o0-21", "F7CBZMLQ-DT1OV1O0-21"])
    expect(beginningsOfNumber("f7cbzmlq-Dt1")).toEqual(["f7cbzmlq-Dt1", "F7CBZMLQ-DT1", "F7CBZMLQ-Dt1"])
    expect(beginningsOfNumber("F7CB")).toEqual(["F7CB"])
  })
  it("is no beginning of a number where it has anything else", () => {
    for (const text of ["", "-", "order 7", "шећер", "ABCD1234-ABCD1234-1-", "ABCD12345"]) expect([text, beginningsOfNumber(text)]).toEqual([text, []])
  })
})
