import { isReady, type RehearsalStep } from "@overa/domain"
import { readShop, rehearseShop } from "@overa/host-kit/rehearsal"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import type { Input } from "../input/Input.ts"
import { asAct, withExamples } from "./describe.ts"
import { findPremise } from "./premises.ts"

const runRehearsal = Effect.fnUntraced(function*(input: Input) {
  const shop = yield* readShop(yield* findPremise(yield* input.id("premise", input.argument(0))))
  const backedUpAt = yield* input.instant("backedUpAt")
  return { shop, steps: yield* rehearseShop(shop, { config: input.config, act: yield* input.act, backedUpAt }) }
})

/** The step in English, as the command and its JSON show it. */
const inEnglish = ({ found: [, found], state, step, todo }: RehearsalStep) => ({ step, state, found, todo: todo === null ? null : { who: todo.who, what: todo.what[1] } })

const shownState: Readonly<Record<RehearsalStep["state"], string>> = { GREEN: "green", RED: "RED", NOT_USED: "not used", NOT_TRIED: "not tried" }

const shown = ({ found, state, step, todo }: ReturnType<typeof inEnglish>): string => {
  const line = `${shownState[state].padEnd(9)}  ${step.padEnd(12)}  ${found}`
  return todo === null ? line : `${line}\n${" ".repeat(25)}→ ${todo.who} ${todo.what}.`
}

/** `rehearse`: everything that the first real sale will need, tried with a Training document. */
export const rehearse = (desk: Desk): Command =>
  withExamples(
    asAct(
      new Command("rehearse").description("rehearses going live: tries all that a sale needs, and has one Training document signed; nothing else is issued")
        .argument("<premise>").option("--backed-up-at <time>", "when the newest back-up ended, where the database does not archive itself")
    ).action(desk.does((input) =>
      Effect.gen(function*() {
        const { shop, steps } = yield* runRehearsal(input)
        const ready = isReady(steps)
        const ending = ready ? "Ready: every step works." : "Not ready: see the steps that are not green."
        return {
          text: [`${shop.taxpayer.name}, ${shop.premise.name} (${shop.premise.environment})`, ...steps.map(inEnglish).map(shown), ending].join("\n"),
          json: { premise: shop.premise.id, environment: shop.premise.environment, ready, steps: steps.map(inEnglish) },
          exitCode: ready ? 0 : 3
        }
      })
    )),
    [`rehearse <premise> --backed-up-at 2026-08-29T02:00:00Z --reason "before the shop goes live"`]
  )
