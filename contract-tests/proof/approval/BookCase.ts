import type { Installation, Step } from "./Installation.ts"
import type { Approved, Sample } from "./Sample.ts"

/** One sentence of the book, compared. */
export interface Check {
  readonly what: string
  readonly holds: boolean
}

export interface CaseResult {
  readonly page: number
  readonly title: string
  readonly asked: string
  readonly status: "PASSED" | "FAILED" | "NOT_APPLICABLE"
  /** Why it does not apply, or what a reader should know. */
  readonly remark: string | null
  readonly checks: ReadonlyArray<Check>
  readonly steps: ReadonlyArray<Step>
  readonly receipts: ReadonlyArray<Sample>
}

/** What a case is tried with. */
export interface CaseGround {
  readonly at: Installation
  readonly labels: ReadonlyArray<{ readonly label: string; readonly rate: number; readonly category: string }>
  /** The fifteen samples and those that they refer to. */
  readonly samples: ReadonlyArray<Sample>
  readonly approved: Approved
  /** A sale with these members, as a sample. */
  readonly sale: (title: string, change: Record<string, unknown>) => Promise<Sample>
  /** Members of a sale that the service accepts. */
  readonly content: (change: Record<string, unknown>) => Record<string, unknown>
}

/** A case of the book: its page, what is asked in short, and its trial. */
export interface BookCase {
  readonly page: number
  readonly title: string
  readonly asked: string
  readonly notApplicable?: string
  readonly remark?: string
  readonly run?: (ground: CaseGround) => Promise<{ readonly checks: ReadonlyArray<Check>; readonly receipts?: ReadonlyArray<Sample> }>
}

export const check = (what: string, holds: boolean): Check => ({ what, holds })

/** Tries one case. What throws has failed, and its message is the report's. */
export const tried = async ({ run, ...book }: BookCase, ground: CaseGround): Promise<CaseResult> => {
  const about = { page: book.page, title: book.title, asked: book.asked }
  if (run === undefined) return { ...about, status: "NOT_APPLICABLE", remark: book.notApplicable ?? "", checks: [], steps: [], receipts: [] }
  const outcome = await run(ground).catch((cause: unknown) => ({ checks: [check(String(cause), false)], receipts: [] }))
  const passed = outcome.checks.length > 0 && outcome.checks.every(({ holds }) => holds)
  return {
    ...about,
    status: passed ? "PASSED" : "FAILED",
    remark: book.remark ?? null,
    checks: outcome.checks,
    steps: ground.at.takeSteps(),
    receipts: outcome.receipts ?? []
  }
}
