import { newTokenKey } from "@overa/adapter-identity"
import { AccessActs, Credentials } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { table } from "../output/Outcome.ts"
import { asAct, withExamples } from "./describe.ts"

const list = (desk: Desk) =>
  new Command("list").description("newest first; the first one signs").action(desk.does(() =>
    Effect.gen(function*() {
      const keys = yield* (yield* Credentials).tokenKeys
      const items = keys.map(({ kid, retiredAt }) => ({ kid, retired: retiredAt !== null }))
      return { text: table(["KEY", "STATE"], items.map((it) => [it.kid, it.retired ? "retired, verifies 330 s longer" : "signs"])), json: { items } }
    })
  ))

const add = (desk: Desk) =>
  asAct(new Command("add").description("makes a new key that signs from now on; the earlier ones still verify")).action(desk.does((input) =>
    Effect.gen(function*() {
      const act = yield* input.act
      const key = yield* newTokenKey
      yield* (yield* AccessActs).addTokenKey(act, key)
      return { text: `Key ${key.kid} signs from now on.`, json: { kid: key.kid } }
    })
  ))

const revoke = (desk: Desk) =>
  asAct(new Command("revoke").argument("<key>").description("removes a retired key: its tokens end within seconds, on every host")).action(desk.does((input) =>
    Effect.gen(function*() {
      const kid = input.argument(0)
      yield* (yield* AccessActs).revokeTokenKey(yield* input.act, kid)
      return { text: `Key ${kid} is removed; its tokens end within seconds.`, json: { kid } }
    })
  ))

/** `token-keys`: the keys that sign access tokens; a new installation needs one before it can issue a token. */
export const tokenKeys = (desk: Desk): Command =>
  withExamples(new Command("token-keys").description("keys that sign access tokens").addCommand(list(desk)).addCommand(add(desk)).addCommand(revoke(desk)), [
    `token-keys add --reason "first key of this installation"`,
    `token-keys revoke 0f0e… --reason "its private half may be known"`
  ])
