import { type AccessActs, ActRefused, type License, licenseChange } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { noteChanges } from "../events/noteChanges.ts"
import { tokenKeyRow } from "../PgCredentials.ts"
import { utc } from "../rows/OperationRow.ts"
import { installationItself, recordActivity, rightNow } from "./activity.ts"
import { type ActTools, requireOrganization } from "./ActTools.ts"

const licenceText = (license: Pick<License, "startsAt" | "expiresAt" | "modules">) => ({
  startsAt: DateTime.formatIso(license.startsAt),
  expiresAt: license.expiresAt === null ? null : DateTime.formatIso(license.expiresAt),
  modules: license.modules
})

const licenceBefore = `select starts_at, expires_at, suspended, modules from licences where organization_id = $1 for update`

// A month is billed after its end, by the state of the licence on each of its days.
const noteLicenceChange = `insert into licence_changes (organization_id, changed_at, starts_at, expires_at, suspended, modules)
  select l.organization_id,
    greatest($2::timestamptz, (select max(c.changed_at) + interval '1 microsecond' from licence_changes c where c.organization_id = $1)),
    l.starts_at, l.expires_at, l.suspended, l.modules
  from licences l where l.organization_id = $1`

const grantLicense = (tools: ActTools): AccessActs["Service"]["grantLicense"] =>
  Effect.fn("AccessActs.grantLicense")(function*(act, organizationId, license) {
    const expiresAt = license.expiresAt === null ? null : new Date(DateTime.toEpochMillis(license.expiresAt))
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        yield* requireOrganization(tx, organizationId)
        const [before] = yield* tx.query(licenceBefore, [organizationId])
        const at = yield* rightNow
        yield* tx.query(
          `insert into licences (organization_id, starts_at, expires_at, suspended, modules, updated_at)
           values ($1, $2, $3, false, $4::text[], $5)
           on conflict on constraint licences_pk do update set starts_at = excluded.starts_at, expires_at = excluded.expires_at,
             modules = excluded.modules, updated_at = excluded.updated_at`,
          [organizationId, new Date(DateTime.toEpochMillis(license.startsAt)), expiresAt, license.modules, at]
        )
        yield* tx.query(noteLicenceChange, [organizationId, at])
        yield* noteChanges(tx, { organizationId, environment: "production" }, [licenseChange(organizationId, utc(at), yield* tools.uuid)])
        yield* recordActivity(tx, act, {
          organizationId,
          act: "licence granted",
          subject: organizationId,
          before: before ?? null,
          after: licenceText(license)
        })
      })
    )
  })

const suspendLicense = (tools: ActTools): AccessActs["Service"]["suspendLicense"] =>
  Effect.fn("AccessActs.suspendLicense")(function*(act, organizationId, suspended) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const [before] = yield* tx.query(licenceBefore, [organizationId])
        if (before === undefined) {
          return yield* new ActRefused({ reason: "LICENSE_NOT_FOUND", detail: "The organization has no licence." })
        }
        const at = yield* rightNow
        yield* tx.query("update licences set suspended = $2, updated_at = $3 where organization_id = $1", [organizationId, suspended, at])
        yield* tx.query(noteLicenceChange, [organizationId, at])
        yield* noteChanges(tx, { organizationId, environment: "production" }, [licenseChange(organizationId, utc(at), yield* tools.uuid)])
        yield* recordActivity(tx, act, {
          organizationId,
          act: suspended ? "licence suspended" : "licence resumed",
          subject: organizationId,
          before,
          after: { suspended }
        })
      })
    )
  })

const addTokenKey = (tools: ActTools): AccessActs["Service"]["addTokenKey"] =>
  Effect.fn("AccessActs.addTokenKey")(function*(act, key) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const at = yield* rightNow
        yield* tx.query("update token_keys set retired_at = $1 where retired_at is null", [at])
        yield* tx.query("insert into token_keys (kid, public_jwk, secrets, created_at) values ($1, $2, $3, $4)", [
          key.kid,
          JSON.stringify(key.publicJwk),
          tools.secrets.seal(tokenKeyRow(key.kid), key.privateKey),
          at
        ])
        yield* recordActivity(tx, act, {
          organizationId: installationItself,
          act: "token key added",
          subject: key.kid,
          before: null,
          after: null
        })
      })
    )
  })

const revokeTokenKey = (tools: ActTools): AccessActs["Service"]["revokeTokenKey"] =>
  Effect.fn("AccessActs.revokeTokenKey")(function*(act, kid) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const [gone] = yield* tx.query("delete from token_keys where kid = $1 and retired_at is not null returning kid", [kid])
        if (gone === undefined) {
          return yield* new ActRefused({
            reason: "TOKEN_KEY_NOT_FOUND",
            detail: "There is no retired key of this id. A key that signs is retired by adding the next one."
          })
        }
        yield* recordActivity(tx, act, { organizationId: installationItself, act: "token key revoked", subject: kid, before: null, after: null })
      })
    )
  })

/** Licences and token keys. */
export const accessActs = (tools: ActTools): AccessActs["Service"] => ({
  grantLicense: grantLicense(tools),
  suspendLicense: suspendLicense(tools),
  addTokenKey: addTokenKey(tools),
  revokeTokenKey: revokeTokenKey(tools)
})
