import { type ErasureActs, PersonActRefused } from "@overa/domain"
import { Effect } from "effect"
import { installationItself, recordActivity, rightNow } from "../administration/activity.ts"
import type { ActTools } from "../administration/ActTools.ts"
import { endIdleRecoveryCodes, endReset, endSessions, forgetIssuerAccounts } from "./personRows.ts"

// No e-mail address has this form, so nobody can sign in with it, and the address is free again.
const erasedAddress = (id: string): string => `erased-${id}`

const forget = `update people set email = $2, name = '', cashier_name = null, operator = false, password_hash = '', totp_secrets = null, totp_last_step = null, devices_since = $3, updated_at = $3
where person_id = $1`

/** Erases a person without a role; the row stays, because sessions and acts refer to its id. */
export const erasePerson = ({ database }: ActTools): ErasureActs["Service"]["erasePerson"] =>
  Effect.fn("ErasureActs.erasePerson")(function*(act, email) {
    yield* database.transaction(Effect.fnUntraced(function*(tx) {
      const [person] = yield* tx.query<{ readonly person_id: string }>("select person_id from people where email = $1 for update", [email])
      if (person === undefined) return yield* new PersonActRefused({ reason: "PERSON_NOT_FOUND" })
      const { person_id: id } = person
      // First, because an invitation that is being accepted is locked: afterwards the role that it gave is visible.
      yield* tx.query("update invitations set email = $2, ended_at = coalesce(ended_at, $3) where email = $1", [email, erasedAddress(id), yield* rightNow])
      const roles = yield* tx.query("select organization_id from members where person = $1", [email])
      if (roles.length > 0) return yield* new PersonActRefused({ reason: "PERSON_HAS_ROLE" })
      yield* tx.query(forget, [id, erasedAddress(id), yield* rightNow])
      yield* tx.query("delete from portal_guesses where strpos(guess_key, $1) > 0 or strpos(guess_key, $2) > 0", [` ${email} `, ` ${id} `])
      yield* endReset(tx, id)
      yield* tx.query("delete from portal_mail where recipient = $1", [email])
      yield* tx.query("delete from portal_passkeys where person_id = $1", [id])
      yield* tx.query("delete from portal_devices where person_id = $1", [id])
      yield* tx.query("delete from portal_sent_forms where person_id = $1", [id])
      yield* tx.query("delete from saved_searches where person_id = $1", [id])
      yield* tx.query("delete from month_mails where person_id = $1", [id])
      yield* endIdleRecoveryCodes(tx, id)
      yield* forgetIssuerAccounts(tx, id)
      yield* endSessions(tx, id, null)
      yield* recordActivity(tx, act, { organizationId: installationItself, act: "person erased", subject: id, before: null, after: null })
    }))
  })
