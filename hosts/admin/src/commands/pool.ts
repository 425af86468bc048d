import { ElementActs, ElementOversight } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { readElement } from "../elements/readElement.ts"
import { shownTime, table } from "../output/Outcome.ts"
import { asAct, withExamples } from "./describe.ts"

const list = (desk: Desk) =>
  new Command("list").description("elements that wait for a sandbox premise").action(desk.does(() =>
    Effect.gen(function*() {
      const entries = yield* (yield* ElementOversight).pool
      const rows = entries.map((it) => [it.jid, it.subject, shownTime(it.validTo), shownTime(it.addedAt)])
      return { text: table(["JID", "SUBJECT", "UNTIL", "ADDED"], rows, "The pool is empty: new sandbox premises get no element."), json: { items: entries } }
    })
  ))

const add = (desk: Desk) =>
  asAct(
    new Command("add").description("gives an element to the next sandbox premise that needs one")
      .requiredOption("--pfx <file>", "the element's PFX file")
      .option("--password-file <file>", "its password; - for the next line of standard input; else OVERA_PFX_PASSWORD")
      .option("--pac-file <file>", "its PAC; - for the next line of standard input; else OVERA_PFX_PAC")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const act = yield* input.act
      // An element of the pool may be issued to any taxpayer: the sandbox does not compare it.
      const { facts, notes } = yield* readElement(input, input.text("pfx") ?? "", { environment: "sandbox", taxIdentifier: "" })
      yield* (yield* ElementActs).addToPool(act, facts)
      return { text: [`Added ${facts.jid} to the sandbox pool.`, ...notes].join("\n"), json: { jid: facts.jid, notes } }
    })
  ))

/** `pool`: spare elements of the sandbox. */
export const pool = (desk: Desk): Command =>
  withExamples(new Command("pool").description("spare elements of the sandbox").addCommand(list(desk)).addCommand(add(desk)), [
    `pool list`,
    `pool add --pfx spare.pfx --password-file password.txt --pac-file pac.txt --reason "pool ran low"`
  ])
