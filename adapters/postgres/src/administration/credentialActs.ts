import { randomBytes } from "node:crypto"
import {
  type Act, ActRefused, type BusinessPremiseId, credentialKeyId, type CredentialActs, type CredentialOptions, type Environment, managementScope, type OrganizationId,
  type OwnCredentials, secretDigest
} from "@overa/domain"
import { Effect, Redacted } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { tellOwners } from "../people/PgPersonMails.ts"
import { recordActivity, rightNow } from "./activity.ts"
import { type ActTools, requireOrganization } from "./ActTools.ts"

/** The beginnings of client ids, by environment (Spec, Authentication 5; Decisions, head: SVC stays literal). */
const clientIdPrefix = (environment: Environment | null): string =>
  environment === "sandbox" ? "svc-sbx-" : environment === "production" ? "svc-prod-" : "svc-none-"

/** 256 random bits (Decisions §7), and their digest under the installation's key. */
const newSecret = (credentialKey: Redacted.Redacted<Uint8Array>) => {
  const secret = randomBytes(32).toString("base64url")
  const key = Redacted.value(credentialKey)
  return { secret, digest: secretDigest(key, secret), keyId: credentialKeyId(key) }
}

/** The organization's row, locked, so that concurrent requests count each other; refused where the operator does not allow its own acts. */
const holdOwn = Effect.fnUntraced(function*(tx: PgStatements, organizationId: OrganizationId) {
  const [row] = yield* tx.query<{ readonly own_credentials: boolean }>(
    "select own_credentials from organizations where organization_id = $1 for update",
    [organizationId]
  )
  if (row?.own_credentials === true) return
  return yield* new ActRefused({ reason: "CREDENTIALS_NOT_ALLOWED", detail: "The operator does not allow this organization to issue credentials itself." })
})

const holdNumber = Effect.fnUntraced(function*(tx: PgStatements, organizationId: OrganizationId, environment: Environment | null, most: number) {
  const [has] = yield* tx.query<{ readonly valid: number }>(
    "select count(*)::int as valid from credentials where organization_id = $1 and environment is not distinct from $2 and revoked_at is null",
    [organizationId, environment]
  )
  if ((has?.valid ?? 0) < most) return
  return yield* new ActRefused({ reason: "QUOTA_REACHED", detail: `An organization has at most ${most} valid credentials in an environment; revoke those that nobody uses.` })
})

const requirePremises = Effect.fnUntraced(function*(
  tx: PgStatements,
  organizationId: OrganizationId,
  environment: Environment | null,
  premises: ReadonlyArray<BusinessPremiseId>
) {
  const found = yield* tx.query<{ readonly premise_id: string }>(
    "select premise_id from business_premises where organization_id = $1 and environment = $2 and premise_id = any($3::uuid[])",
    [organizationId, environment, premises]
  )
  const missing = premises.find((id) => !found.some((row) => row.premise_id === id))
  if (missing === undefined) return
  return yield* new ActRefused({ reason: "BUSINESS_PREMISE_NOT_FOUND", detail: `There is no premise ${missing} in this organization and environment.` })
})

/** Whether owners get a message: of everything that people do, and of the first act of a program in a day. Asked before the act is recorded. */
const owesMessage = Effect.fnUntraced(function*(tx: PgStatements, organizationId: OrganizationId, by: OwnCredentials["by"] | null) {
  if (by !== "PROGRAM") return true
  const [row] = yield* tx.query<{ readonly told: boolean }>(
    `select exists (select from activity_log where organization_id = $1 and at > $2::timestamptz - interval '1 day'
       and act in ('credential issued', 'credential rotated') and actor like 'client:%') as told`,
    [organizationId, yield* rightNow]
  )
  return row?.told !== true
})

/** Name and client id in the words of a message. */
const named = (name: string | null, clientId: string): string => name === null ? clientId : `${clientId}, ${name}`

const issueCredential = (tools: ActTools, credentialKey: Redacted.Redacted<Uint8Array>): CredentialActs["Service"]["issueCredential"] =>
  Effect.fn("CredentialActs.issueCredential")(function*(act, organizationId, environment, scopes, options: CredentialOptions = {}) {
    const { name = null, own, premises = null } = options
    const clientId = clientIdPrefix(environment) + randomBytes(9).toString("hex")
    const { digest, keyId, secret } = newSecret(credentialKey)
    if (own !== undefined && scopes.includes(managementScope)) {
      return yield* new ActRefused({ reason: "CREDENTIALS_NOT_ALLOWED", detail: `An operator alone grants ${managementScope}.` })
    }
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        yield* requireOrganization(tx, organizationId)
        if (own !== undefined) {
          yield* holdOwn(tx, organizationId)
          yield* holdNumber(tx, organizationId, environment, own.most)
        }
        if (premises !== null) yield* requirePremises(tx, organizationId, environment, premises)
        const tells = yield* owesMessage(tx, organizationId, own?.by ?? null)
        yield* tx.query("insert into directory_clients (client_id, organization_id) values ($1, $2)", [clientId, organizationId])
        yield* tx.query(
          `insert into credentials (organization_id, client_id, environment, scopes, secret_digest, digest_key, created_at, name, premises)
           values ($1, $2, $3, $4::text[], $5, $6, $7, $8, $9::uuid[])`,
          [organizationId, clientId, environment, scopes, digest, keyId, yield* rightNow, name, premises]
        )
        yield* recordActivity(tx, act, { organizationId, act: "credential issued", subject: clientId, before: null, after: { environment, scopes, name, premises } })
        if (tells) yield* tellOwners(tx, tools, organizationId, "NEW_CREDENTIAL", `${named(name, clientId)}, ${environment}`)
      })
    )
    return { clientId, clientSecret: Redacted.make(secret) }
  })

interface FoundCredential {
  readonly organization_id: OrganizationId
  readonly environment: Environment | null
  readonly scopes: ReadonlyArray<string>
  readonly name: string | null
  readonly revoked_at: Date | null
}

/** Whether an organization's own act may name it; one that manages others only where `managing` says so. */
const isOwn = (found: FoundCredential, own: OwnCredentials, managing: boolean): boolean =>
  found.organization_id === own.organizationId && (own.environment === null || found.environment === own.environment) && (managing || !found.scopes.includes(managementScope))

/** The credential, locked. */
const holdCredential = Effect.fnUntraced(function*(tx: PgStatements, clientId: string, own: OwnCredentials | undefined, managing = false) {
  const [found] = yield* tx.query<FoundCredential>(
    `select c.organization_id, c.environment, c.scopes, c.name, c.revoked_at from directory_clients d join credentials c using (organization_id, client_id)
     where d.client_id = $1 for update of c`,
    [clientId]
  )
  if (found !== undefined && (own === undefined || isOwn(found, own, managing))) return found
  return yield* new ActRefused({ reason: "CREDENTIAL_NOT_FOUND", detail: `There is no credential ${clientId}.` })
})

const rotateCredential = (tools: ActTools, credentialKey: Redacted.Redacted<Uint8Array>): CredentialActs["Service"]["rotateCredential"] =>
  Effect.fn("CredentialActs.rotateCredential")(function*(act, clientId, keepSeconds, own) {
    const { digest, keyId, secret } = newSecret(credentialKey)
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        if (own !== undefined) yield* holdOwn(tx, own.organizationId)
        const { name, organization_id: organizationId, revoked_at } = yield* holdCredential(tx, clientId, own)
        if (revoked_at !== null) return yield* new ActRefused({ reason: "CREDENTIAL_NOT_FOUND", detail: `The credential ${clientId} is revoked.` })
        const tells = yield* owesMessage(tx, organizationId, own?.by ?? null)
        const until = keepSeconds === 0 ? null : new Date((yield* rightNow).getTime() + keepSeconds * 1_000)
        yield* tx.query(
          `update credentials set secret_digest = $3, digest_key = $4, former_until = $5::timestamptz,
             former_digest = case when $5::timestamptz is null then null else secret_digest end,
             former_digest_key = case when $5::timestamptz is null then null else digest_key end
           where organization_id = $1 and client_id = $2`,
          [organizationId, clientId, digest, keyId, until]
        )
        yield* recordActivity(tx, act, { organizationId, act: "credential rotated", subject: clientId, before: null, after: { formerSecretUntil: until?.toISOString() ?? null } })
        if (tells) yield* tellOwners(tx, tools, organizationId, "CREDENTIAL_ROTATED", named(name, clientId))
      })
    )
    return { clientId, clientSecret: Redacted.make(secret) }
  })

const revokeCredential = (tools: ActTools): CredentialActs["Service"]["revokeCredential"] =>
  Effect.fn("CredentialActs.revokeCredential")(function*(act, clientId, own) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const { organization_id: organizationId } = yield* holdCredential(tx, clientId, own, own?.by === "OWNER")
        const [row] = yield* tx.query<{ readonly revoked_at: Date }>(
          "update credentials set revoked_at = coalesce(revoked_at, $3) where organization_id = $1 and client_id = $2 returning revoked_at",
          [organizationId, clientId, yield* rightNow]
        )
        yield* recordActivity(tx, act, { organizationId, act: "credential revoked", subject: clientId, before: null, after: { revokedAt: row?.revoked_at.toISOString() } })
      })
    )
  })

const allowOwnCredentials = (tools: ActTools): CredentialActs["Service"]["allowOwnCredentials"] =>
  Effect.fn("CredentialActs.allowOwnCredentials")(function*(act: Act, organizationId, allowed) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        yield* requireOrganization(tx, organizationId)
        yield* tx.query("update organizations set own_credentials = $2 where organization_id = $1", [organizationId, allowed])
        yield* recordActivity(tx, act, {
          organizationId, act: allowed ? "own credentials allowed" : "own credentials forbidden", subject: organizationId, before: null, after: { allowed }
        })
      })
    )
  })

/** Credentials of the API: issued, rotated and revoked by operators, owners and programs. */
export const credentialActs = (tools: ActTools, credentialKey: Redacted.Redacted<Uint8Array>): CredentialActs["Service"] => ({
  issueCredential: issueCredential(tools, credentialKey),
  rotateCredential: rotateCredential(tools, credentialKey),
  revokeCredential: revokeCredential(tools),
  allowOwnCredentials: allowOwnCredentials(tools)
})
