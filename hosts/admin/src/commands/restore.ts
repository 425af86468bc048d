import { OperationOversight, RestoreActs } from "@overa/domain"
import { Command } from "commander"
import { DateTime, Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { isoOrNull } from "../output/Outcome.ts"
import { Refusal } from "../Refusal.ts"
import { asAct, asFinalAct, withExamples } from "./describe.ts"
import { takeBackCommand } from "./takeBack.ts"

/** Unresolved documents that `status` counts. */
const most = 10_000

const status = (desk: Desk) =>
  new Command("status").description("whether a restore is declared, and how many documents are unresolved").action(desk.does(() =>
    Effect.gen(function*() {
      const since = yield* (yield* RestoreActs).since
      const unresolved = (yield* (yield* OperationOversight).unresolved(most)).length
      const text = since === null ? "No restore is declared." : `A restore is declared: everything since ${DateTime.formatIso(since)} may be forgotten. Nothing is issued.`
      return { text: `${text}\n${unresolved} documents are unresolved.`, json: { since: isoOrNull(since), unresolved } }
    })
  ))

const begin = (desk: Desk) =>
  asAct(
    new Command("begin").description("declares that the database was restored to an earlier point: nothing is issued until it is ended")
      .option("--since <time>", "the point it was restored to, e.g. 2026-08-29T10:30:00Z (required)")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const since = yield* input.instant("since")
      if (since === null) return yield* new Refusal({ sentence: "Say with --since to which point the database was restored." })
      if (DateTime.isGreaterThan(since, yield* DateTime.now)) return yield* new Refusal({ sentence: "--since lies in the future." })
      yield* (yield* RestoreActs).begin(yield* input.act, since)
      return { text: "The restore is declared. Hosts that run issue nothing within two seconds; callers get 503 RESTORE_IN_PROGRESS.", json: { since: isoOrNull(since) } }
    })
  ))

const end = (desk: Desk) =>
  asFinalAct(new Command("end").description("ends it: callers may issue again")).action(desk.does((input) =>
    Effect.gen(function*() {
      const act = yield* input.act
      const unresolved = (yield* (yield* OperationOversight).unresolved(most)).length
      yield* input.confirm(
        `Requests whose receipts were forgotten and not taken back are signed a second time if their callers repeat them. ${unresolved} documents are unresolved; they stay safe.`
      )
      yield* (yield* RestoreActs).end(act)
      return { text: "The restore is ended; callers may issue again.", json: { ended: true, unresolved } }
    })
  ))

/** `restore`: what to do after the database was restored to an earlier point in time. */
export const restore = (desk: Desk): Command =>
  withExamples(new Command("restore").description("the database was restored to an earlier point").addCommand(status(desk)).addCommand(begin(desk)).addCommand(takeBackCommand(desk)).addCommand(end(desk)), [
    "restore status",
    `restore begin --since 2026-08-29T10:30:00Z --reason "disk of the primary lost"`,
    `restore take-back <organization> proofs/*.json --environment production --reason "kept by the shop, ticket 12"`,
    `restore end --reason "all receipts of the V-PFR are accounted for"`
  ])
