import { CredentialActs, AccessOversight, type BusinessPremiseId, credentialLimits, GrantableScope, type IssuedCredential, managementScope, Scope, webhookScope } from "@overa/domain"
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
        it.name ?? "",
        Scope.literals.every((scope) => it.scopes.includes(scope)) ? ["all", ...it.scopes.filter((scope) => !(Scope.literals as ReadonlyArray<string>).includes(scope))].join(" ") : it.scopes.join(" "),
        it.premises === null ? "all" : it.premises.join(" "),
        shownTime(it.createdAt),
        it.lastUsedAt === null ? "never" : shownTime(it.lastUsedAt),
        it.revokedAt === null ? "valid" : `revoked ${shownTime(it.revokedAt)}`,
        it.organizationId
      ])
      return { text: table(["CLIENT ID", "ENVIRONMENT", "NAME", "SCOPES", "PREMISES", "ISSUED", "LAST USE", "STATE", "ORGANIZATION"], rows), json: { items: found } }
    })
  ))

const shownSecret = (made: IssuedCredential, more: object) => {
  const clientSecret = Redacted.value(made.clientSecret)
  return {
    text: `${facts([["client id", made.clientId], ["client secret", clientSecret]])}\nThe secret is shown this once; hand it over and keep no copy.`,
    json: { clientId: made.clientId, clientSecret, ...more }
  }
}

const issue = (desk: Desk) =>
  asAct(
    new Command("issue").description("issues a credential; its secret is shown once and never again").argument("<organization>")
      .requiredOption("--environment <name>", "sandbox, production or none")
      .option("--scope <scope...>", `some of the twelve scopes, ${webhookScope} or ${managementScope}; the twelve when absent`)
      .option("--name <name>", "so that people know it in a list")
      .option("--premise <id...>", "the only premises it may be used for; never changes")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const organizationId = yield* input.id("organization", input.argument(0))
      const named = yield* input.choice("--environment", input.text("environment") ?? "", ["sandbox", "production", "none"])
      const asked = input.texts("scope")
      const unknown = asked.find((it) => !(GrantableScope.literals as ReadonlyArray<string>).includes(it))
      if (unknown !== undefined) return yield* new Refusal({ sentence: `"${unknown}" is no scope; there are ${GrantableScope.literals.join(", ")}.` })
      const scopes = asked.length === 0 ? Scope.literals : GrantableScope.literals.filter((it) => asked.includes(it))
      const name = input.text("name")
      if (name !== null && [...name].length > credentialLimits.nameLength) return yield* new Refusal({ sentence: `A name has at most ${credentialLimits.nameLength} characters.` })
      const premises = input.texts("premise").map((it) => it.toLowerCase() as BusinessPremiseId)
      if (premises.some((it) => !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(it))) return yield* new Refusal({ sentence: "--premise takes ids of premises." })
      const environment = named === "none" ? null : named
      const made = yield* (yield* CredentialActs).issueCredential(yield* input.act, organizationId, environment, scopes, {
        ...(name === null ? {} : { name }),
        premises: premises.length === 0 ? null : premises
      })
      return shownSecret(made, { environment, scopes })
    })
  ))

const rotate = (desk: Desk) =>
  asAct(
    new Command("rotate").description("replaces a secret; the one before is accepted for a while").argument("<client-id>")
      .requiredOption("--keep <hours>", "for how long the secret before is accepted; 0 ends it at once")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const hours = Number(input.text("keep"))
      const most = credentialLimits.keepSeconds / 3_600
      if (!Number.isInteger(hours) || hours < 0 || hours > most) return yield* new Refusal({ sentence: `--keep takes whole hours, 0 to ${most}.` })
      const made = yield* (yield* CredentialActs).rotateCredential(yield* input.act, input.argument(0), hours * 3_600)
      return shownSecret(made, { keptHours: hours })
    })
  ))

const own = (desk: Desk) =>
  asAct(new Command("own").description("whether an organization may issue and rotate its credentials itself").argument("<organization>").argument("<allow|forbid>")).action(desk.does((input) =>
    Effect.gen(function*() {
      const organizationId = yield* input.id("organization", input.argument(0))
      const said = yield* input.choice("allow or forbid", input.argument(1), ["allow", "forbid"])
      yield* (yield* CredentialActs).allowOwnCredentials(yield* input.act, organizationId, said === "allow")
      return { text: said === "allow" ? "The organization issues its credentials itself." : "Only operators issue credentials for the organization; those that are there stay valid.", json: { organizationId, allowed: said === "allow" } }
    })
  ))

const revoke = (desk: Desk) =>
  asFinalAct(new Command("revoke").description("revokes a credential permanently").argument("<client-id>")).action(desk.does((input) =>
    Effect.gen(function*() {
      const clientId = input.argument(0)
      const act = yield* input.act
      yield* input.confirm(`${clientId} will get no more tokens; those it has end within 300 seconds.`)
      yield* (yield* CredentialActs).revokeCredential(act, clientId)
      return { text: `Revoked ${clientId}.`, json: { clientId } }
    })
  ))

/** `credentials`: who may call the API. */
export const credentials = (desk: Desk): Command =>
  withExamples(
    new Command("credentials").description("API credentials").addCommand(list(desk)).addCommand(issue(desk)).addCommand(rotate(desk)).addCommand(revoke(desk)).addCommand(own(desk)),
    [
      `credentials issue <organization> --environment production --reason "asked for by the Owner, 12 May"`,
      `credentials issue <organization> --environment sandbox --scope fiscal:read operations:read --reason "reporting tool"`,
      `credentials issue <organization> --environment production --scope credentials:manage --name "platform" --reason "contract 17"`,
      `credentials rotate svc-prod-0123456789abcdef01 --keep 24 --reason "every quarter"`,
      `credentials own <organization> forbid --reason "asked for by the Owner"`,
      `credentials revoke svc-prod-0123456789abcdef01 --reason "leaked" --yes`
    ]
  )
