import { type Activity, InstallationOversight, OrganizationId } from "@overa/domain"
import { actWords } from "@overa/portal"
import { Effect } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import { actTable } from "../../src/portal/actTable.ts"
import { driveMembers, driveOperator } from "../../src/portal/driveActs.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()

const lines = (): Promise<ReadonlyArray<Activity>> => stage.run(Effect.flatMap(InstallationOversight, (it) => it.searchActivity({ limit: 10_000 })))

/** What each driven route left in the log besides what was there before. */
const left = new Map<string, ReadonlyArray<Activity>>()

const tracked = async (path: string, act: () => Promise<unknown>) => {
  const before = new Set((await lines()).map((line) => JSON.stringify(line)))
  await act()
  left.set(path, (await lines()).filter((line) => !before.has(JSON.stringify(line))))
}

beforeAll(async () => {
  await driveMembers({ client, rowsOf, stage }, tracked)
  await driveOperator({ client, rowsOf, stage }, tracked)
}, 240_000)

/** Who acts. Nobody is signed in where a forgotten password is asked for. */
const by = (path: string): RegExp => path === "/sign-in/forgotten" ? /^portal$/ : /^(?:portal|operator):[^@\s]+@primer\.example$/

const namesIn = (path: string) => left.get(path)?.map(({ actorName, subjectName }) => [actorName, subjectName])

describe("the activity log speaks by name", () => {
  it("of what was acted on as it was then, and of who acted", async () => {
    assert.deepStrictEqual(namesIn("/catalogue/:product"), [["Owner Петровић", "P-1 – Кафа, млевена"]])
    assert.deepStrictEqual(namesIn("/catalogue/new"), [["Owner Петровић", "P-1 – Кафа"]])
    assert.deepStrictEqual(namesIn("/setup/branding/:taxpayer"), [["Owner Петровић", "Књижара Зора"]])
    assert.deepStrictEqual(namesIn("/operator/organizations/:id/premises/:premise"), [["Operator Петровић", "Веб"]])
    assert.deepStrictEqual(namesIn("/credentials/revoke"), [["Owner Петровић", "Каса"]])
    assert.deepStrictEqual(namesIn("/webhooks/:endpoint/test"), [["Owner Петровић", "Веб продавница"]])
    assert.deepStrictEqual(namesIn("/members/role"), [["Owner Петровић", "Нова Новић"]])
    const [[who, number] = []] = namesIn("/receipts/:id/refund/:draft") ?? []
    assert.strictEqual(who, "Owner Петровић")
    assert.match(number ?? "", /^[A-Z0-9]{8}-[A-Z0-9]{8}-\d+$/)
    const session = await stage.session(stage.people.OWNER)
    const { text } = await client.get(`/activity?text=${encodeURIComponent("опозван")}`, { session })
    assert.match(text, /Owner Петровић<br\/?><span class="hint">portal:owner@primer\.example<\/span>/)
    assert.match(text, />Каса<br\/?><span class="hint">/)
  })

  it("a renamed thing keeps, in earlier lines, the name that it had", async () => {
    await rowsOf("update products set name = 'Чај'")
    const named = (await lines()).filter(({ act }) => act === "product added" || act === "product changed").map(({ subjectName }) => subjectName)
    assert.deepStrictEqual(named.toSorted(), ["P-1 – Кафа", "P-1 – Кафа, млевена"])
  })

  it("an erased person is not named any more", async () => {
    const [line] = (await lines()).filter(({ act }) => act === "person added")
    assert.deepStrictEqual([line?.subject, line?.subjectName], ["dodata@primer.example", null])
  })

  it("every act that these people did has words in Serbian", async () => {
    const said = new Set((await lines()).map(({ act }) => act))
    assert.deepStrictEqual([...said].filter((act) => actWords((serbian) => serbian, act) === act), [])
  })
})

describe("a file that a person downloads", () => {
  it("leaves its line before it is sent; what a page shows leaves none", async () => {
    const session = await stage.session(stage.people.OWNER)
    const downloads = async () => (await lines()).filter(({ act }) => act === "file downloaded").map(({ subject }) => subject)
    const [sale = { id: "", number: "" }] = await rowsOf<{ readonly id: string; readonly number: string }>(
      "select operation_id::text as id, invoice_number as number from operations where status = 'FISCALIZED' and invoice_type = 'NORMAL' limit 1")
    await rowsOf("update taxpayers set status = 'active'")
    const before = (await downloads()).length
    for (const path of [`/receipts/${sale.id}/paper/pdf-a4`, `/receipts/${sale.id}`, "/reports", "/activity"]) assert.strictEqual((await client.get(path, { session })).status, 200, path)
    assert.strictEqual((await downloads()).length, before)
    const files = ["/receipts/export/csv", "/receipts/export/xlsx", "/reports/csv", "/reports/xlsx", "/books/xlsx", "/books/csv", "/activity/csv", `/catalogue/export/${stage.shop.taxpayerId}`, `/receipts/${sale.id}/proof`, `/receipts/${sale.id}/paper/pdf-a4?save=yes`]
    for (const path of files) assert.strictEqual((await client.get(path, { session })).status, 200, path)
    assert.strictEqual((await downloads()).length, before + files.length)
    const [line] = (await lines()).filter(({ act }) => act === "file downloaded")
    assert.deepInclude(line, { actor: `portal:${stage.people.OWNER.email}`, organizationId: OrganizationId.make(stage.shop.organizationId) })
    // Without its line nothing leaves.
    await rowsOf("create function refuse_line() returns trigger language plpgsql as $$ begin raise exception 'no line'; end $$")
    await rowsOf("create trigger refuse before insert on activity_log for each row execute function refuse_line()")
    const refused = await client.get("/receipts/export/csv", { session })
    await rowsOf("drop trigger refuse on activity_log")
    assert.isAtLeast(refused.status, 500)
    assert.notInclude(refused.text, sale.number)
  })
})

describe("the activity log has every act of a person", () => {
  it("each act that changes something leaves its line, by the person who did it", () => {
    const missing = Object.entries(actTable).flatMap(([path, row]) => {
      if ("nothing" in row || row.seenIn !== undefined) return []
      const found = left.get(path)?.filter(({ act, actor }) => act === row.leaves && by(path).test(actor)) ?? []
      return found.length === 1 || (found.length > 1 && row.leaves.includes("password")) ? [] : [`${path}: ${row.leaves}, ${JSON.stringify(left.get(path)?.map(({ act, actor }) => `${actor} ${act}`) ?? "not carried out")}`]
    })
    assert.deepStrictEqual(missing, [])
  })
})
