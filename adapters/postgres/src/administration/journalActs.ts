import { JournalActs, verifierKey } from "@overa/domain"
import { Effect } from "effect"
import { insertKey, newJournalKey, readJournalKeys } from "../journal-log/JournalKeys.ts"
import { installationItself, recordActivity, rightNow } from "./activity.ts"
import type { ActTools } from "./ActTools.ts"

interface StoredKey {
  readonly number: number
  readonly name: string
}

const rotateKey = ({ database, secrets }: ActTools): JournalActs["Service"]["rotateKey"] =>
  Effect.fn("JournalActs.rotateKey")(function*(act) {
    const before = yield* readJournalKeys(database, secrets)
    yield* database.transaction(Effect.fnUntraced(function*(tx) {
      const [last] = yield* tx.query<StoredKey>("select number, name from journal_keys order by number desc limit 1 for update")
      if (last === undefined) return yield* Effect.die(new Error("a key that was just read does not exist"))
      yield* tx.query(insertKey, newJournalKey(secrets, last.number + 1, last.name, yield* rightNow))
      yield* recordActivity(tx, act, {
        organizationId: installationItself,
        act: "journal key added",
        subject: String(last.number + 1),
        before: { signs: before.known.slice(0, 1).map(verifierKey) },
        after: null
      })
    }))
    const [current] = (yield* readJournalKeys(database, secrets)).known
    return current === undefined ? yield* Effect.die(new Error("a key that was just created does not exist")) : verifierKey(current)
  })

/** Keys of the journal's log. */
export const journalActs = (tools: ActTools): JournalActs["Service"] => JournalActs.of({ rotateKey: rotateKey(tools) })
