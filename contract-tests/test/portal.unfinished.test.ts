import { pageFolders } from "@overa/portal"
import { assert, describe, it } from "vitest"
import { sharedPortal } from "../src/portal/sharedPortal.ts"
import { giveRole } from "../src/support/giveRole.ts"

const { client, rowsOf, stage } = sharedPortal()

const openPages = pageFolders.flatMap(({ routes }) => routes).filter(({ access, method }) => method === "GET" && access.area === "open").map(({ path }) => path.replaceAll(/:\w+/g, "x"))
/** What the head of a member's page shows. */
const ofOrganization = ["Књижара Зора", 'action="/find"', 'class="place"']

const saysOf = async (session: string, paths: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const path of paths) {
    const { text } = await client.get(path, { session, exactly: true })
    for (const words of ofOrganization) if (text.includes(words)) found.push(`${path}: ${words}`)
  }
  return found
}

describe("a sign-in that lacks a step shows nothing of an organization", () => {
  it("on pages that are open to everybody, which show it once nothing is missing", async () => {
    const paths = [...openPages, "/nowhere", `/o/${stage.shop.organizationId}/sandbox/nowhere`]
    assert.include(paths, "/sign-in")
    assert.include((await saysOf(await stage.session(stage.people.OWNER), ["/sign-in"])).join(), "Књижара Зора")
    assert.deepStrictEqual(await saysOf(await stage.session(stage.people.OWNER, "PASSWORD"), [...paths, "/sign-in/code"]), [])
  })

  it("also where the password is the one that an operator made", async () => {
    await rowsOf("update people set password_given = true where person_id = $1", [stage.people.ADMINISTRATOR.id])
    assert.deepStrictEqual(await saysOf(await stage.session(stage.people.ADMINISTRATOR), [...openPages, "/nowhere", "/account/password"]), [])
  })

  it("also where a member is an operator without a second factor", async () => {
    await giveRole(await stage.desk.database.client(), stage.shop.organizationId, stage.people.OPERATOR.email, "SUPPORT")
    await rowsOf("update people set totp_secrets = null where person_id = $1", [stage.people.OPERATOR.id])
    assert.deepStrictEqual(await saysOf(await stage.session(stage.people.OPERATOR), [...openPages, "/nowhere", "/account/second-factor"]), [])
  })
})
