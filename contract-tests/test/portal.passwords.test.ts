import { assert, describe, it } from "vitest"
import { password } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()

describe("a new password", () => {
  const change = async (next: string) => {
    const session = await stage.session(stage.people.ACCOUNTANT)
    return await client.send("/account/password", session, { current: password, next })
  }
  const hash = async () => (await rowsOf<{ readonly password_hash: string }>("select password_hash from people where person_id = $1", [stage.people.ACCOUNTANT.id]))[0]?.password_hash

  it("is refused where it is a common one with digits, or holds a word of the organization's name, in any script", async () => {
    const before = await hash()
    await rowsOf("update organizations set name = 'Књижара Шљива д.о.о.' where organization_id = $1", [stage.shop.organizationId])
    const refused = [["baseball2026!", "најчешћих лозинки"], ["P@ssw0rd 2026", "најчешћих лозинки"], ["moja sljiva 1985", "назив ваше организације"], ["стара ШЉИВА и кућа", "назив ваше организације"]] as const
    for (const [next, sentence] of refused) {
      const answer = await change(next)
      assert.strictEqual(answer.status, 422, next)
      assert.include(answer.text, sentence, next)
    }
    assert.strictEqual(await hash(), before)
    // A name of another organization says nothing about this person.
    await rowsOf("update organizations set name = 'Пекара Клас' where organization_id = $1", [stage.otherOrganizationId])
    assert.strictEqual((await change("pekara na cosku")).location, "/account?done=password-changed")
    assert.notStrictEqual(await hash(), before)
  })

  it("is refused by the operator's command, too, unless it is the one that it makes", async () => {
    const add = (email: string, given: string) => stage.desk.admin(["people", "add", email, "--name", "Нови", "--reason", "test", "--json"], { environment: { OVERA_PORTAL_PASSWORD: given } })
    const refused = await add("novi@primer.example", "football12345")
    assert.notStrictEqual(refused.code, 0)
    assert.include(refused.err, "one of the most common passwords")
    const made = await add("novi@primer.example", "")
    assert.match(made.json.password, /^[\w-]{16}$/)
  })
})
