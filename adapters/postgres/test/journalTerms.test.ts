import { noFilter, OrganizationId, type Tenant } from "@overa/domain"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { monthNumbering, partsOfText, soughtTerms } from "../src/journal/journalTerms.ts"
import { searchKeys } from "../src/search/searchGrams.ts"

const tenant: Tenant = { organizationId: OrganizationId.make("01936b0e-0a00-7000-8000-000000000000"), environment: "production" }
const month = "2026-11"

/** The numbers of an entry that has these texts. */
const termsOf = (...texts: ReadonlyArray<string>) => new Set(searchKeys(monthNumbering(tenant, month), texts).grams)
const sought = (text: string) => {
  const filter = { ...noFilter, text }
  return soughtTerms(tenant, filter, month, partsOfText(filter))
}

const identifier = fc.stringMatching(/^[0-9A-Za-z]{8}$/)
const number = fc.tuple(identifier, identifier, fc.integer({ min: 1, max: 99_999_999 })).map((parts) => parts.join("-"))
/** A text and a part of it. */
const within = (texts: fc.Arbitrary<string>) =>
  fc.tuple(texts, fc.nat(), fc.nat()).map(([text, one, other]) => {
    const characters = [...text]
    const from = one % characters.length
    return { text, part: characters.slice(from, from + 1 + (other % characters.length)).join("") }
  })

describe("the numbers by which a text is looked up", () => {
  it("are numbers of every entry that has the text", () => {
    fc.assert(fc.property(within(fc.oneof(number, fc.string({ minLength: 1, unit: "grapheme" }), fc.constant("Шећер-250 г"))), ({ part, text }) => {
      const own = termsOf(text)
      for (const term of sought(part)) expect(own.has(term)).toBe(true)
    }))
  })

  it("are those of all parts of three characters of a short text", () => {
    expect(sought("сок 1")).toStrictEqual(["sok", "ok ", "k 1"].map(monthNumbering(tenant, month)))
  })

  it("are of a receipt's number the counter's alone: an element's receipts have all the others", () => {
    fc.assert(fc.property(identifier, identifier, fc.integer({ min: 100, max: 99_999_999 }), fc.integer({ min: 0, max: 16 }), (requester, signer, counter, from) => {
      const counters = termsOf(`-${counter}`)
      expect(sought(`${requester}-${signer}-${counter}`.slice(from)).filter((term) => !counters.has(term))).toStrictEqual([])
    }))
  })
})
