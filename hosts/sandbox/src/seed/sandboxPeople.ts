import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { layerIdentifiers, layerSignInChecks } from "@overa/adapter-identity"
import { layerPortalStore, layerPostgres } from "@overa/adapter-postgres"
import { type Act, OrganizationActs, OrganizationId, People, SignInChecks } from "@overa/domain"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { type SharedSettings, storeAndVpfr } from "../hostConfigs.ts"
import { readPrivate, writePrivate } from "../privateFile.ts"
import { SandboxProblem } from "../SandboxProblem.ts"

const SignIn = Schema.Struct({ email: Schema.String, password: Schema.String })

/** Who can sign in to the sandbox's portal (Decisions §13). */
export const SandboxPeople = Schema.Struct({ owner: SignIn, operator: SignIn })
export type SandboxPeople = typeof SandboxPeople.Type

const act: Act = { actor: "sandbox", reason: "first start of the sandbox" }

const fresh = Effect.sync((): SandboxPeople => ({
  owner: { email: "owner@overa.example", password: randomBytes(12).toString("base64url") },
  operator: { email: "operator@overa.example", password: randomBytes(12).toString("base64url") }
}))

/** The passwords are written to the file before anybody is added: a start that was interrupted continues with the same ones. */
const peopleOf = Effect.fnUntraced(function*(home: string) {
  const file = join(home, "people.json")
  const kept = yield* readPrivate(file, SandboxPeople)
  if (kept !== null) return kept
  const made = yield* fresh
  yield* writePrivate(file, made)
  return made
})

const addPerson = Effect.fnUntraced(function*(signIn: typeof SignIn.Type, name: string, operator: boolean) {
  const people = yield* People
  if (Option.isSome(yield* people.findByEmail(signIn.email))) return
  const passwordHash = yield* (yield* SignInChecks).hashPassword(Redacted.make(signIn.password))
  yield* people.add(act, { email: signIn.email, name, operator, passwordHash })
})

const addOwner = Effect.fnUntraced(function*(organizationId: OrganizationId, email: string) {
  const member = { person: email, role: "OWNER" } as const
  yield* (yield* OrganizationActs).addMember(act, organizationId, member).pipe(
    Effect.catchTag("ActRefused", (refused) => refused.reason === "MEMBER_ALREADY_EXISTS" ? Effect.void : Effect.fail(refused))
  )
})

const services = (settings: SharedSettings) => {
  const { credentialKey, databaseUrl, encryptionKeys } = storeAndVpfr(settings)
  const postgres = layerPostgres({
    database: { url: databaseUrl, applicationName: "overa sandbox people", maxConnections: 2 },
    encryptionKeys,
    credentialKey,
    host: { hostId: "sandbox people", bootId: "people", configuredAdapters: new Set() }
  })
  return Layer.mergeAll(layerPortalStore(encryptionKeys), layerSignInChecks).pipe(
    Layer.provideMerge(postgres),
    Layer.provide(layerIdentifiers)
  )
}

/** An Owner of the ready organization and an operator, made at the first start. */
export const sandboxPeople = Effect.fn("sandboxPeople")(function*(place: {
  readonly home: string
  readonly settings: SharedSettings
  readonly organizationId: string
}) {
  const people = yield* peopleOf(place.home)
  yield* Effect.gen(function*() {
    yield* addPerson(people.owner, "Зора Петровић", false)
    yield* addPerson(people.operator, "Оператер", true)
    yield* addOwner(OrganizationId.make(place.organizationId), people.owner.email)
  }).pipe(
    Effect.provide(services(place.settings)),
    Effect.catch((error) => Effect.fail(new SandboxProblem({ line: `the portal's people cannot be added: ${error.message}` })))
  )
  return people
})
