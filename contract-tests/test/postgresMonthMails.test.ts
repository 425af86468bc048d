import { firstMonthToMail, lastMonthToMail, MonthMailOutbox, MonthMails, monthsLater, OrganizationId, TaxpayerId } from "@overa/domain"
import { layerDatabase, layerMonthMailOutbox, layerMonthMails, makeSecrets } from "@overa/adapter-postgres"
import { DateTime, Effect, Layer, Option, Redacted, Result } from "effect"
import { assert, describe, it } from "vitest"
import { takeMails } from "../src/portal/mailedLinks.ts"
import type { StagePerson } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"
import { isReadOverAll, recordStatements, splitOffences } from "../src/support/splitRules.ts"

const { stage } = sharedPortal()

const now = DateTime.nowUnsafe()
const [last, first] = [lastMonthToMail(now), firstMonthToMail(now)]

describe("the store of months by mail", () => {
  const recorder = recordStatements()
  const run = <A, E>(work: Effect.Effect<A, E, MonthMails | MonthMailOutbox>) => {
    const secrets = Result.getOrThrow(makeSecrets(Redacted.make(stage.desk.environment["OVERA_SECRET_KEYS"] ?? "")))
    const store = Layer.mergeAll(layerMonthMails, layerMonthMailOutbox(secrets)).pipe(Layer.provide(recorder.layer), Layer.provide(layerDatabase({ url: Redacted.make(stage.desk.database.url), applicationName: "contract" })))
    return Effect.runPromise(Effect.provide(work, store))
  }

  it("answers what is due in one order behind a place, and queues it only as it was read", async () => {
    const act = { actor: "test", reason: "test" }
    const ownerOf = ({ id }: StagePerson) => ({ organizationId: OrganizationId.make(stage.shop.organizationId), environment: "sandbox" as const, personId: id, taxpayerId: TaxpayerId.make(stage.shop.taxpayerId) })
    const choice = { formats: ["pdf"] as const, language: "sr-Cyrl" as const, portal: "https://portal.example", firstMonth: last }
    const queuedFor = await run(Effect.gen(function*() {
      const [mails, outbox] = [yield* MonthMails, yield* MonthMailOutbox]
      const readers = [stage.people.OWNER, stage.people.ADMINISTRATOR]
      for (const person of readers) assert.isTrue(yield* mails.switchOn(act, ownerOf(person), choice))
      for (const person of [stage.people.SUPPORT, stage.people.OTHER, stage.people.NOBODY]) assert.isFalse(yield* mails.switchOn(act, ownerOf(person), choice), person.email)
      assert.deepStrictEqual(yield* outbox.due(monthsLater(last, -1), null, 10), [])
      const all = yield* outbox.due(last, null, 10)
      assert.sameMembers(all.map(({ recipient }) => recipient), readers.map(({ email }) => email))
      const [one, other] = all
      if (one === undefined || other === undefined) return assert.fail("two are due")
      assert.deepInclude(other, { formats: ["pdf"], language: "sr-Cyrl", month: last, portal: "https://portal.example", taxpayer: { name: "Књижара Зора", taxIdentifier: "100000049" } })
      assert.deepStrictEqual(yield* outbox.due(last, null, 1), [one])
      assert.deepStrictEqual(yield* outbox.due(last, one, 10), [other])
      assert.deepStrictEqual(yield* outbox.due(last, other, 10), [])
      const mail = { recipient: one.recipient, subject: "s", text: "t", expiresAt: DateTime.add(now, { days: 1 }) }
      assert.isTrue(yield* outbox.queue(act, one, mail))
      assert.isFalse(yield* outbox.queue(act, one, mail), "it was queued already")
      assert.deepStrictEqual(Option.getOrNull(yield* mails.find(one)), { formats: ["pdf"], language: "sr-Cyrl", nextMonth: first, lastMonth: last, isWaiting: true })
      assert.isTrue(yield* mails.switchOff(act, other))
      assert.isFalse(yield* outbox.queue(act, other, mail), "it was switched off meanwhile")
      assert.isFalse(yield* mails.switchOff(act, other))
      assert.isTrue(Option.isNone(yield* mails.find(other)))
      assert.lengthOf(yield* outbox.due(first, null, 10), 1)
      return one.recipient
    }))
    assert.deepStrictEqual((await takeMails(stage)).filter(({ subject }) => subject === "s").map(({ recipient }) => recipient), [queuedFor])
  })

  it("keeps the rules of rows that are split over servers; only what is due is read over all organizations", async () => {
    const statements = [...recorder.statements].filter((sql) => sql.includes("month_mails"))
    assert.deepStrictEqual((await Promise.all(statements.map(splitOffences))).flat(), [])
    const over = (await Promise.all(statements.map(async (sql) => (await isReadOverAll(sql)) ? [sql] : []))).flat()
    assert.isTrue(over.length === 1 && /next_month <= \$1/.test(over[0] ?? ""), over.join("\n"))
  })
})
