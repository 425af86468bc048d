import { AccessActs, AccessOversight, Scope } from "@overa/domain"
import { Command } from "commander"
import { Effect, Redacted } from "effect"
import type { Desk } from "../Desk.ts"
import { facts, shownTime, table } from "../output/Outcome.ts"
import { Refusal } from "../Refusal.ts"
import { asAct, asFinalAct, withExamples } from "./describe.ts"

const list = (desk: Desk) =>
  new Command("list").description("credentials, without their secrets").option("--organization <id>").action(desk.does((input) =>
    Effect.gen(function*() {
      const found = yield* (yield* AccessOversight).credentials(yield* input.optionalId("organization", "organization"))
      const rows = found.map((it) => [
        it.clientId,
        it.environment ?? "none",
        it.scopes.length === Scope.literals.length ? "all" : it.scopes.join(" "),
        shownTime(it.createdAt),
        it.lastUsedAt === null ? "never" : shownTime(it.lastUsedAt),
        it.revokedAt === null ? "valid" : `revoked ${shownTime(it.revokedAt)}`,
        it.organizationId
      ])
      return { text: table(["CLIENT ID", "ENVIRONMENT", "SCOPES", "ISSUED", "LAST USE", "STATE", "ORGANIZATION"], rows), json: { items: found } }
    })
  ))

const issue = (desk: Desk) =>
  asAct(
    new Command("issue").description("issues a credential; its secret is shown once and never again").argument("<organization>")
      .requiredOption("--environment <name>", "sandbox, production or none")
      .option("--scope <scope...>", "some of the twelve scopes; all of them when absent")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const organizationId = yield* input.id("organization", input.argument(0))
      const named = yield* input.choice("--environment", input.text("environment") ?? "", ["sandbox", "production", "none"])
      const asked = input.texts("scope")
      const unknown = asked.find((it) => !(Scope.literals as ReadonlyArray<string>).includes(it))
      if (unknown !== undefined) return yield* new Refusal({ sentence: `"${unknown}" is no scope; there are ${Scope.literals.join(", ")}.` })
      const scopes = asked.length === 0 ? Scope.literals : Scope.literals.filter((it) => asked.includes(it))
      const environment = named === "none" ? null : named
      const made = yield* (yield* AccessActs).issueCredential(yield* input.act, organizationId, environment, scopes)
      const clientSecret = Redacted.value(made.clientSecret)
      return {
        text: `${facts([["client id", made.clientId], ["client secret", clientSecret]])}\nThe secret is shown this once; hand it over and keep no copy.`,
        json: { clientId: made.clientId, clientSecret, environment, scopes }
      }
    })
  ))

const revoke = (desk: Desk) =>
  asFinalAct(new Command("revoke").description("revokes a credential permanently").argument("<client-id>")).action(desk.does((input) =>
    Effect.gen(function*() {
      const clientId = input.argument(0)
      const act = yield* input.act
      yield* input.confirm(`${clientId} will get no more tokens; those it has end within 300 seconds.`)
      yield* (yield* AccessActs).revokeCredential(act, clientId)
      return { text: `Revoked ${clientId}.`, json: { clientId } }
    })
  ))

/** `credentials`: who may call the API. */
export const credentials = (desk: Desk): Command =>
  withExamples(
    new Command("credentials").description("API credentials").addCommand(list(desk)).addCommand(issue(desk)).addCommand(revoke(desk)),
    [
      `credentials issue <organization> --environment production --reason "asked for by the Owner, 12 May"`,
      `credentials issue <organization> --environment sandbox --scope fiscal:read operations:read --reason "reporting tool"`,
      `credentials revoke svc-prod-0123456789abcdef01 --reason "leaked" --yes`
    ]
  )
