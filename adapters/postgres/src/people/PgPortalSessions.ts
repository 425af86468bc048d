import {
  type Act,
  type Environment,
  type NewSession,
  type OrganizationId,
  PersonSessions,
  PortalSessions,
  sessionLimits,
  SessionRefused
} from "@overa/domain"
import { DateTime, Effect, Layer, Option } from "effect"
import { decodePerson, decodeSession, endSessions, lockPersonRow, personColumns, type PersonRow, sessionColumns, type SessionRow } from "./personRows.ts"
import { type Mails, tellPerson } from "./PgPersonMails.ts"
import { recordAboutPerson } from "./recordAboutPerson.ts"
import { forgetDevices, noteDevice } from "./PgPersonDevices.ts"
import { forgetOldGuesses } from "./PgSignInAttempts.ts"
import { PgDatabase, type PgQueries, type PgStatements } from "../PgDatabase.ts"

interface OpenSessionRow extends PersonRow, SessionRow {
  readonly organization_id: string | null
  readonly environment: Environment | null
  readonly opened_organization_id: string | null
}

const dateOf = (at: DateTime.Utc): Date => new Date(DateTime.toEpochMillis(at))

const continueStatement = "delete from portal_sessions where digest = $1 and person_id = $2 returning stage, created_at"

/** Ends the former session and answers when the new one began; refuses where its basis is over. */
const beginningOf = Effect.fnUntraced(function*(tx: PgStatements, { at, basis, personId, stage }: NewSession, since: Date | undefined) {
  if ("checked" in basis) {
    if (since?.getTime() !== DateTime.toEpochMillis(basis.checked)) return yield* new SessionRefused({})
    if (basis.replaces !== null) yield* tx.query("delete from portal_sessions where digest = $1", [basis.replaces])
    return dateOf(at)
  }
  const [former] = yield* tx.query<Pick<SessionRow, "created_at" | "stage">>(continueStatement, [basis.continues, personId])
  if (former === undefined) return yield* new SessionRefused({})
  return former.stage === "COMPLETE" && stage === "COMPLETE" ? former.created_at : dateOf(at)
})

const open = Effect.fnUntraced(function*(tx: PgStatements, mails: Mails, session: NewSession) {
  const at = dateOf(session.at)
  // A change of password or factor locks the row too: it comes before this commit, which then refuses, or after it, and ends this session.
  const begun = yield* beginningOf(tx, session, yield* lockPersonRow(tx, session.personId))
  // Expired sessions are deleted whenever their person signs in or an attempt fails, so the tables stay small.
  yield* tx.query("delete from portal_sessions where person_id = $1 and seen_at < $2", [
    session.personId,
    new Date(at.getTime() - sessionLimits.idleMillis)
  ])
  yield* forgetOldGuesses(tx, at)
  yield* tx.query(
    `insert into portal_sessions (digest, person_id, stage, created_at, seen_at, address, device, device_id) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [session.digest, session.personId, session.stage, begun, at, session.address, session.device, session.deviceId ?? null]
  )
  if (session.deviceId !== undefined) yield* noteDevice(tx, session, session.deviceId, at)
  if (session.isNewDevice === true) yield* tellPerson(tx, mails, session.personId, "NEW_DEVICE", `${session.address}, ${session.device}`)
})

const findStatement = `select ${sessionColumns}, ${personColumns}, s.organization_id, s.environment, s.opened_organization_id
  from portal_sessions s join people p using (person_id) where s.digest = $1`

const reads = (database: PgQueries) => ({
  find: Effect.fn("PortalSessions.find")(function*(digest: string) {
    const [row] = yield* database.read<OpenSessionRow>(findStatement, [digest])
    return Option.map(Option.fromNullishOr(row), (found) => ({
      session: decodeSession(found),
      person: decodePerson(found),
      organizationId: found.organization_id as OrganizationId | null,
      environment: found.environment,
      openedOrganizationId: found.opened_organization_id as OrganizationId | null
    }))
  })
})

const make = Effect.fnUntraced(function*(mails: Mails) {
  const database = yield* PgDatabase
  return PortalSessions.of({
    ...reads(database),
    open: Effect.fn("PortalSessions.open")(function*(session: NewSession) {
      yield* database.transaction((tx) => open(tx, mails, session))
    }),
    seen: Effect.fn("PortalSessions.seen")(function*(digest: string, at: DateTime.Utc) {
      yield* database.read("update portal_sessions set seen_at = greatest(seen_at, $2) where digest = $1", [digest, dateOf(at)])
    }),
    lookAt: Effect.fn("PortalSessions.lookAt")(function*(digest: string, organizationId: OrganizationId, environment: Environment) {
      yield* database.read("update portal_sessions set organization_id = $2, environment = $3 where digest = $1", [digest, organizationId, environment])
    }),
    openFor: Effect.fn("PortalSessions.openFor")(function*(digest: string, organizationId: OrganizationId) {
      yield* database.read("update portal_sessions set opened_organization_id = $2 where digest = $1", [digest, organizationId])
    }),
    end: Effect.fn("PortalSessions.end")(function*(digest: string) {
      yield* database.read("delete from portal_sessions where digest = $1", [digest])
    })
  })
})

const makePersonSessions = Effect.map(PgDatabase, (database) =>
  PersonSessions.of({
    endOthers: Effect.fn("PersonSessions.endOthers")(function*(act: Act, personId: string, keep: string) {
      return yield* database.transaction((tx) =>
        Effect.gen(function*() {
          yield* lockPersonRow(tx, personId)
          const ended = yield* endSessions(tx, personId, keep)
          yield* recordAboutPerson(tx, act, personId, "other sessions ended", { sessions: ended })
          return ended
        })
      )
    }),
    endOne: Effect.fn("PersonSessions.endOne")(function*(act: Act, personId: string, digest: string) {
      return yield* database.transaction((tx) =>
        Effect.gen(function*() {
          const [ended] = yield* tx.query<{ readonly device: string }>("delete from portal_sessions where person_id = $1 and digest = $2 returning device", [personId, digest])
          if (ended === undefined) return false
          yield* recordAboutPerson(tx, act, personId, "session ended", { device: ended.device })
          return true
        })
      )
    }),
    endAll: Effect.fn("PersonSessions.endAll")(function*(act: Act, personId: string) {
      yield* database.transaction((tx) =>
        Effect.gen(function*() {
          yield* recordAboutPerson(tx, act, personId, "signed out everywhere")
          yield* forgetDevices(tx, personId)
          yield* endSessions(tx, personId, null)
        })
      )
    }),
    ofPerson: Effect.fn("PersonSessions.ofPerson")(function*(personId: string) {
      const rows = yield* database.read<SessionRow>(
        `select ${sessionColumns} from portal_sessions s where s.person_id = $1 order by s.created_at desc, s.digest`,
        [personId]
      )
      return rows.map(decodeSession)
    })
  }))

/** Sessions of the portal. */
export const layerPortalSessions = (mails: Mails): Layer.Layer<PortalSessions | PersonSessions, never, PgDatabase> => Layer.mergeAll(
  Layer.effect(PortalSessions, make(mails)),
  Layer.effect(PersonSessions, makePersonSessions)
)
