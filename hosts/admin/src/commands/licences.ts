import { AccessActs, LicenseRegister } from "@overa/domain"
import { Command } from "commander"
import { DateTime, Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { facts, isoOrNull, shownTime } from "../output/Outcome.ts"
import { Refusal } from "../Refusal.ts"
import { asAct, asFinalAct, withExamples } from "./describe.ts"

const modules = ["advance", "email"] as const

const show = (desk: Desk) =>
  new Command("show").description("an organization's licence").argument("<organization>").action(desk.does((input) =>
    Effect.gen(function*() {
      const organizationId = yield* input.id("organization", input.argument(0))
      const license = yield* (yield* LicenseRegister).license(organizationId)
      if (license === null) return { text: "No licence.", json: null }
      return {
        text: facts([
          ["from", shownTime(license.startsAt)],
          ["until", license.expiresAt === null ? "without end" : shownTime(license.expiresAt)],
          ["modules", license.modules.join(", ") || "none"],
          ["suspended", license.suspended]
        ]),
        json: { ...license, startsAt: isoOrNull(license.startsAt), expiresAt: isoOrNull(license.expiresAt) }
      }
    })
  ))

const grant = (desk: Desk) =>
  asAct(
    new Command("grant").description("grants a licence, or replaces the one there is").argument("<organization>")
      .option("--from <date>", "now when absent").option("--until <date>", "without end when absent")
      .option("--module <module...>", modules.join(" and "))
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const organizationId = yield* input.id("organization", input.argument(0))
      const startsAt = (yield* input.instant("from")) ?? (yield* DateTime.now)
      const expiresAt = yield* input.instant("until")
      if (expiresAt !== null && expiresAt.epochMilliseconds <= startsAt.epochMilliseconds) {
        return yield* new Refusal({ sentence: "--until must be after --from." })
      }
      const chosen = yield* Effect.forEach(input.texts("module"), (it) => input.choice("--module", it, modules))
      yield* (yield* AccessActs).grantLicense(yield* input.act, organizationId, { startsAt, expiresAt, modules: [...new Set(chosen)] })
      return { text: "Granted.", json: { organizationId, startsAt: isoOrNull(startsAt), expiresAt: isoOrNull(expiresAt), modules: chosen } }
    })
  ))

const suspension = (desk: Desk, name: "suspend" | "resume") => {
  const suspended = name === "suspend"
  const description = suspended ? "stops production documents; requests in flight are finished" : "allows production documents again"
  return asFinalAct(new Command(name).description(description).argument("<organization>")).action(desk.does((input) =>
    Effect.gen(function*() {
      const organizationId = yield* input.id("organization", input.argument(0))
      const act = yield* input.act
      if (suspended) yield* input.confirm("The organization will issue no new production documents.")
      yield* (yield* AccessActs).suspendLicense(act, organizationId, suspended)
      return { text: suspended ? "Suspended." : "Resumed.", json: { organizationId, suspended } }
    })
  ))
}

/** `licences`: what an organization may do in production. */
export const licences = (desk: Desk): Command =>
  withExamples(
    new Command("licences").alias("licenses").description("production licences and their modules")
      .addCommand(show(desk)).addCommand(grant(desk)).addCommand(suspension(desk, "suspend")).addCommand(suspension(desk, "resume")),
    [`licences grant <organization> --until 2027-01-01 --module advance email --reason "order 2026/114"`]
  )
