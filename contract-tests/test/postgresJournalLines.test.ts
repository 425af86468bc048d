import { fc, test } from "@fast-check/vitest"
import type { JournalLine } from "@overa/domain"
import type pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { cutAnswer, cutContent, cutSteps, mostBytesOfText } from "../../adapters/postgres/src/journal/cutTexts.ts"
import { decodeLine, type LineRow } from "../../adapters/postgres/src/journal/journalLines.ts"
import { encodeAnswerFacts } from "../../adapters/postgres/src/rows/storedAnswer.ts"
import { toStoredJson } from "../../adapters/postgres/src/rows/storedJson.ts"
import { mintPlace, sampleAnswer, sampleContent, sampleOperation } from "../src/support/sampleOperations.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
let client: pg.Client
beforeAll(async () => {
  database = await throwawayDatabase()
  client = await database.client()
})
afterAll(() => database.drop())

interface Texts {
  readonly content: string
  readonly answer_text: string | null
}

type CutTexts = { readonly [Name in keyof Texts]: string | null }

const cut = async (texts: ReadonlyArray<Texts>): Promise<ReadonlyArray<CutTexts>> =>
  (await client.query(
    `select ${cutContent} as content, ${cutAnswer} as answer_text
     from unnest($1::text[], $2::text[]) with ordinality as o (content, answer_text, place) ${cutSteps} order by o.place`,
    [texts.map(({ content }) => content), texts.map(({ answer_text }) => answer_text)]
  )).rows

const bytesOf = (text: string | null): number => Buffer.byteLength(text ?? "")

const number = "ABCD2345-ABCD2345-9"
const { answer_facts: factsWithLink, ...row } = ((): Omit<LineRow, keyof Texts> => {
  const operation = sampleOperation(mintPlace())
  return {
    operation_id: operation.id,
    created_at: new Date(0),
    updated_at: new Date(0),
    status: "FISCALIZED",
    failure_code: null,
    in_doubt: false,
    taxpayer_id: operation.taxpayerId,
    premise_id: operation.businessPremiseId,
    client_reference: "поруџбина",
    invoice_type: "NORMAL",
    transaction_type: "SALE",
    cashier_id: "web",
    buyer_id: null,
    total_amount: "125.50",
    invoice_number: number,
    pfr_time: "2026-03-04T05:06:07.089+01:00",
    signed_total: "125.50",
    late_reference: null,
    buyer_details: null,
    answer_facts: encodeAnswerFacts({ ...sampleAnswer(number), text: "{}" })
  }
})()

const withoutLink = (facts: string): string => {
  const { pfr, ...others } = JSON.parse(facts) as { readonly pfr: object }
  return JSON.stringify({ ...others, pfr: { ...pfr, verificationUrl: undefined } })
}

/** The line of a row, or null where it is unreadable. */
const lineOf = (texts: Texts, facts: string): JournalLine | null => {
  try {
    return decodeLine({ ...row, ...texts, answer_facts: texts.answer_text === null ? null : facts })
  } catch {
    return null // an unreadable document
  }
}

const written = (...pieces: ReadonlyArray<string>): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((chosen) => chosen.join(""))

const filling = ["ж".repeat(1_500), "x".repeat(5_000), "ж".repeat(40_000)]
const payment = "{\"type\":\"CARD\",\"amount\":{\"$decimal\":\"1.50\"}}"
const content = fc.oneof(
  written("\"payments\":[", payment, "]", ",", "\"reference\":{", "\"reference\":null", "\"pfrNumber\":\"A-1\"", "{", "}", "\"", "\\", "\n", "ж", ...filling),
  fc.record({
    items: fc.constantFrom([], [{ name: "\"payments\":[{}]" }], filling.map((name) => ({ name }))),
    metadata: fc.constantFrom(null, { payments: "\"payments\":[", reference: null }, { reference: { $decimal: "1.5" } }, { "\"payments\":[": true }),
    payments: fc.array(fc.constant(JSON.parse(payment) as unknown), { maxLength: 120 }),
    reference: fc.constantFrom(null, { pfrNumber: "A-1" }, { pfrNumber: "}]\"payments\":[" }),
    order: fc.nat(3)
  }).map(({ order, ...members }) => {
    const all = Object.entries(members)
    return JSON.stringify(Object.fromEntries([...all.slice(order), ...all.slice(0, order)]))
  })
)

const link = "https://pfr.test/v/?vl=A0%3D"
const answerText = fc.oneof(
  written("\"verificationUrl\"", ":", ":\"", " : \"", "\"", `"verificationUrl":"${link}"`, link, "\\/", "\\\"", "\\u0026", "\\", ",", "{", "}", "\"journal\":", "\n", "\u007f", "ж", ...filling),
  fc.tuple(fc.constantFrom(link, link.replaceAll("/", "\\/"), `${link}\\u0026`, `${link}\t`, "", "x".repeat(5_000)), fc.constantFrom("", "ж", ...filling)).chain(([one, long]) =>
    fc.constantFrom(
      `{"verificationUrl":"${one}","journal":"${long}"}`,
      `{"journal":"${long}","verificationUrl":"${one}"}`,
      `{"journal":"${long}","verificationUrl" :\n"${one}"}`,
      `{"more":{"verificationUrl":"${one}"},"verificationUrl":"${link}","journal":"${long}"}`,
      `{"more":"verificationUrl","verificationUrl":"${one}","journal":"${long}"}`,
      `{"journal":"\\"verificationUrl\\":\\"${link}\\"","verificationUrl":"${one}","more":"${long}"}`,
      `{"verificationUrl":null,"journal":"${long}"}`,
      `{"verificationUrl":"${one}","verificationUrl":"${link}","journal":"${long}"}`,
      `"verificationUrl":"${one}`,
      `"verificationUrl":"${one}"`
    )),
  fc.constant(null)
)

describe("what PostgreSQL cuts out of the texts of a document", () => {
  test.prop({ all: fc.array(fc.record({ content, answer_text: answerText }), { minLength: 1, maxLength: 30 }) }, { numRuns: 200 })(
    "gives the line that the whole texts give; only long texts are left out",
    async ({ all }) => {
      const found = await cut(all)
      assert.lengthOf(found, all.length)
      for (const [at, whole] of all.entries()) {
        const short = found[at] as CutTexts
        for (const name of ["content", "answer_text"] as const) {
          if (bytesOf(whole[name]) <= mostBytesOfText) assert.strictEqual(short[name] === null, whole[name] === null, name)
          assert.isAtMost(bytesOf(short[name]), mostBytesOfText + 30)
        }
        for (const facts of [factsWithLink ?? "", withoutLink(factsWithLink ?? "")]) {
          const sent = { content: short.content ?? whole.content, answer_text: short.answer_text ?? whole.answer_text }
          assert.deepStrictEqual(lineOf(sent, facts), lineOf(whole, facts), JSON.stringify([whole, short]).slice(0, 2_000))
        }
      }
    }
  )

  it("is a small part of a usual document", async () => {
    const whole = {
      content: toStoredJson(sampleContent(30)),
      answer_text: JSON.stringify({ invoiceNumber: number, verificationUrl: link, journal: "ФИСКАЛНИ РАЧУН\r\n".repeat(200) })
    }
    assert.isAbove(Math.min(bytesOf(whole.content), bytesOf(whole.answer_text)), mostBytesOfText)
    const [short] = await cut([whole])
    assert.deepStrictEqual(short, { content: `"payments":[{"type":"CARD","amount":{"$decimal":"3765.00"}}]`, answer_text: `"verificationUrl":"${link}"` })
  })
})
