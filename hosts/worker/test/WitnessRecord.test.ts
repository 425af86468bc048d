import { noteKeyOf } from "@overa/domain"
import { describe, expect, it } from "vitest"
import { WitnessRecord } from "../src/jobs/WitnessRecord.ts"

const witness = noteKeyOf("witness.example/a", new Uint8Array(32))
const hour = 3_600_000

describe("the record of a worker's witnesses", () => {
  it("has each series of a witness from the start, and counts by result", () => {
    const record = new WitnessRecord()
    record.begin([witness.name])
    expect(record.text()).toContain("overa_witness_answers_total{witness=\"witness.example/a\",result=\"contradicted\"} 0\n")
    record.count({ result: "cosigned", witness })
    record.count({ result: "cosigned", witness })
    record.count({ result: "behind", witness })
    expect(record.text()).toContain("{witness=\"witness.example/a\",result=\"cosigned\"} 2\n")
    expect(record.text()).toContain("{witness=\"witness.example/a\",result=\"behind\"} 1\n")
  })

  it("has a line for each log that is contradicted, for each other trouble one for the witness, and none of them twice within an hour", () => {
    const record = new WitnessRecord()
    const isNews = (result: "cosigned" | "contradicted" | "refused" | "unreachable", origin: string, at: number) => record.isNews({ origin, result, witness }, at)
    expect([isNews("contradicted", "one", 0), isNews("contradicted", "one", hour - 1), isNews("contradicted", "two", 1), isNews("contradicted", "one", hour)]).toEqual([true, false, true, true])
    expect([isNews("refused", "one", 0), isNews("refused", "two", 1), isNews("unreachable", "two", 1), isNews("refused", "two", hour)]).toEqual([true, false, true, true])
    expect(isNews("cosigned", "one", 0)).toBe(false)
  })
})
