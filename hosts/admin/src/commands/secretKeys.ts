import { AccessOversight, credentialKeyId, InstallationActs, InstallationOversight } from "@overa/domain"
import { Command } from "commander"
import { Effect, Redacted } from "effect"
import type { Desk } from "../Desk.ts"
import { table } from "../output/Outcome.ts"
import { asAct, withExamples } from "./describe.ts"

const list = (desk: Desk) =>
  new Command("list").description("ids of the keys in use; a key with nothing left under it may be taken out of OVERA_SECRET_KEYS or OVERA_CREDENTIAL_KEY").action(desk.does((input) =>
    Effect.gen(function*() {
      const items = yield* (yield* InstallationOversight).sealingKeys
      const current = credentialKeyId(Redacted.value(input.config.credentialKey))
      const digests = (yield* (yield* AccessOversight).digestKeys).map((it) => ({ ...it, current: it.keyId === current }))
      const rows = digests.map((it) => [it.keyId ?? "not noted", it.current ? "in front" : "former", String(it.credentials)])
      return {
        text: `${table(["KEY ID", "SECRETS"], items.map((it) => [it.keyId, String(it.envelopes)]))}\n\n${table(["CREDENTIAL KEY", "", "CREDENTIALS"], rows)}`,
        json: { items, credentialKeys: digests }
      }
    })
  ))

const reseal = (desk: Desk) =>
  asAct(new Command("reseal").description("encrypts every secret again with the first key of OVERA_SECRET_KEYS; hosts continue to run")).action(desk.does((input) =>
    Effect.gen(function*() {
      const resealed = yield* (yield* InstallationActs).resealSecrets(yield* input.act)
      return { text: `Sealed ${resealed} secrets again.`, json: { resealed } }
    })
  ))

/** `secret-keys`: the keys that encrypt elements' keys and PACs. */
export const secretKeys = (desk: Desk): Command =>
  withExamples(
    new Command("secret-keys").description("the keys that encrypt secrets at rest: which are in use, and their rotation").addCommand(list(desk)).addCommand(reseal(desk)),
    [`secret-keys list`, `secret-keys reseal --reason "yearly rotation"`]
  )
