import { JournalActs, JournalAudit, JournalLog, type LogReport } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { table } from "../output/Outcome.ts"
import { asAct, withExamples } from "./describe.ts"

/** There are findings: another code than that of a command that failed. */
const foundSomething = 3

const shown = ({ environment, erased, findings, leaves, organizationId }: LogReport): ReadonlyArray<string> => [
  `${organizationId} ${environment}: ${leaves} transitions compared${erased === 0 ? "" : `; personal data was erased from ${erased} documents`}.`,
  ...(findings.length === 0 ? [] : [table(
    ["FINDING", "DOCUMENT", "LEAF", "WHAT"],
    findings.map(({ detail, documentId, index, kind }) => [kind, documentId ?? "-", index === null ? "-" : String(index), detail])
  )])
]

const verify = (desk: Desk) =>
  new Command("verify").description("compares every log with the rows it was made from; names what was changed, removed or inserted. Ends with 3 where something was").action(
    desk.does(() =>
      Effect.gen(function*() {
        const logs = yield* (yield* JournalAudit).verify
        const [leaves, found] = [logs.reduce((sum, log) => sum + log.leaves, 0), logs.reduce((sum, log) => sum + log.findingCount, 0)]
        const ending = found === 0 ? `${leaves} transitions in ${logs.length} logs: all as they were sealed.` : `${found} findings in ${leaves} transitions of ${logs.length} logs.`
        return { text: [...logs.flatMap(shown), ending].join("\n"), json: { leaves, findings: found, logs }, exitCode: found === 0 ? 0 : foundSomething }
      })
    )
  )

const keys = (desk: Desk) =>
  new Command("keys").description("verifier keys of the log, the one that signs first").action(desk.does(() =>
    Effect.gen(function*() {
      const items = yield* (yield* JournalLog).verifierKeys
      return { text: items.join("\n"), json: { items } }
    })
  ))

const rotateKey = (desk: Desk) =>
  asAct(new Command("rotate-key").description("makes a new key that signs from the next checkpoint on; earlier checkpoints stay verifiable")).action(desk.does((input) =>
    Effect.gen(function*() {
      const key = yield* (yield* JournalActs).rotateKey(yield* input.act)
      return { text: `Signs from now on:\n${key}`, json: { key } }
    })
  ))

/** `journal`: the log of the journal, its keys and its verification. */
export const journal = (desk: Desk): Command =>
  withExamples(new Command("journal").description("the log that shows whether the journal was rewritten").addCommand(verify(desk)).addCommand(keys(desk)).addCommand(rotateKey(desk)), [
    "journal verify",
    "journal verify --json",
    `journal rotate-key --reason "yearly rotation"`
  ])
