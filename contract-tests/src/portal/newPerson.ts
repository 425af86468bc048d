import { type MemberRole, People, SignInChecks } from "@overa/domain"
import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { giveRole } from "../support/giveRole.ts"
import { password, type PortalStage, type StagePerson } from "./portalStage.ts"

/** A person of a test's own, with everybody's password and a role in the shop. */
export const newPerson = async (stage: PortalStage, role: MemberRole): Promise<StagePerson> => {
  const email = `${randomUUID()}@primer.example`
  const id = await stage.run(Effect.gen(function*() {
    const passwordHash = yield* (yield* SignInChecks).hashPassword(Redacted.make(password))
    return yield* (yield* People).add({ actor: "test", reason: "made for a test" }, { email, name: "Неко Нов", operator: false, passwordHash })
  }))
  await giveRole(await stage.desk.database.client(), stage.shop.organizationId, email, role)
  return { id, email }
}
