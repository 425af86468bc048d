import { type MemberRole, OrganizationActs, OrganizationId, People, PortalSessions, SecondFactors, SignInChecks } from "@overa/domain"
import { portalConfig, portalServices, type PortalServices, type RunningPortal, servePortal } from "@overa/portal"
import { restApiConfig, type RunningRestApi, startRestApi } from "@overa/rest-api"
import { hostLog } from "@overa/host-kit"
import { ConfigProvider, DateTime, Effect, Layer, ManagedRuntime, Option, Redacted } from "effect"
import { createHash, randomBytes } from "node:crypto"
import type { Shop } from "../support/openShop.ts"
import type { OperatorDesk } from "../support/operatorDesk.ts"
import { shopDesk } from "../support/shopDesk.ts"

/** The password of every test person. */
export const password = "tri plave kornjače"

/** A person in the test installation. */
export interface StagePerson {
  readonly id: string
  readonly email: string
}

/** A portal over a real store and a real V-PFR simulator, with people of every role. */
export interface PortalStage {
  readonly desk: OperatorDesk
  readonly portal: RunningPortal
  /** The same installation's API, for issuing documents. */
  readonly api: RunningRestApi
  readonly shop: Shop
  readonly otherOrganizationId: OrganizationId
  readonly people: Readonly<Record<MemberRole | "OTHER" | "OPERATOR" | "NOBODY", StagePerson>>
  /** The operator's second factor. */
  readonly operatorSecret: string
  readonly run: <A, E>(effect: Effect.Effect<A, E, PortalServices>) => Promise<A>
  /** Opens a session without the sign-in page; answers the cookie's value. */
  readonly session: (person: StagePerson, stage?: "PASSWORD" | "COMPLETE") => Promise<string>
  readonly log: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

const act = { actor: "test", reason: "made for a test" }

/** The name of a session in the database, made from the cookie's value. */
export const digestOf = (token: string): string => createHash("sha256").update(token).digest("hex")

const addPeople = Effect.fnUntraced(function*(organizationId: OrganizationId, operatorSecret: string) {
  const organizationActs = yield* OrganizationActs
  const people = yield* People
  const passwordHash = yield* (yield* SignInChecks).hashPassword(Redacted.make(password))
  const add = Effect.fnUntraced(function*(name: string, operator: boolean) {
    const email = `${name.toLowerCase()}@primer.example`
    return { id: yield* people.add(act, { email, name: `${name} Петровић`, operator, passwordHash }), email }
  })
  const member = Effect.fnUntraced(function*(role: MemberRole, organization: OrganizationId, name: string) {
    const person = yield* add(name, false)
    yield* organizationActs.addMember(act, organization, { person: person.email, role })
    return person
  })
  const otherOrganizationId = yield* organizationActs.createOrganization(act, "Друга организација")
  const everybody = {
    OWNER: yield* member("OWNER", organizationId, "Owner"),
    ADMINISTRATOR: yield* member("ADMINISTRATOR", organizationId, "Administrator"),
    ACCOUNTANT: yield* member("ACCOUNTANT", organizationId, "Accountant"),
    SUPPORT: yield* member("SUPPORT", organizationId, "Support"),
    OTHER: yield* member("OWNER", otherOrganizationId, "Other"),
    OPERATOR: yield* add("Operator", true),
    NOBODY: yield* add("Nobody", false)
  }
  yield* (yield* SecondFactors).setAuthenticator(act, everybody.OPERATOR.id, Redacted.make(operatorSecret), null)
  return { everybody, otherOrganizationId }
})

const openSessionFor = (person: StagePerson, stage: "PASSWORD" | "COMPLETE") =>
  Effect.gen(function*() {
    const token = randomBytes(32).toString("base64url")
    const { devicesSince } = Option.getOrThrow(yield* (yield* People).find(person.id))
    yield* (yield* PortalSessions).open({
      digest: digestOf(token),
      personId: person.id,
      stage,
      at: yield* DateTime.now,
      address: "127.0.0.1",
      device: "test",
      basis: { checked: devicesSince, replaces: null }
    })
    return token
  })

/** Builds a test installation. */
export const portalStage = async (environment: Readonly<Record<string, string>> = {}): Promise<PortalStage> => {
  const { desk, shop } = await shopDesk()
  const settings = { ...desk.environment, PORT: "0", OVERA_PORTAL_PORT: "0", OVERA_LISTEN_HOST: "127.0.0.1", OVERA_HOST_ID: "api", OVERA_PORTAL_ID: "portal", OVERA_SMTP_URL: "smtp://127.0.0.1:1", ...environment }
  const provided = ConfigProvider.layer(ConfigProvider.fromUnknown(settings))
  const log: Array<string> = []
  const write = (line: string) => void log.push(line)
  const api = await startRestApi(await Effect.runPromise(restApiConfig.pipe(Effect.provide(provided))), write)
  const config = await Effect.runPromise(portalConfig.pipe(Effect.provide(provided)))
  const { baseUrl, credentialKey: key, listenHost: host, port, trustProxy } = config
  const portal = await servePortal(portalServices(config).pipe(Layer.provideMerge(hostLog(write, config.logLevel))), { host, port, baseUrl, trustProxy, key, write, stopMillis: 5_000 })
  const runtime = ManagedRuntime.make(portalServices({ ...config, hostId: "stage" }))
  const operatorSecret = await runtime.runPromise(Effect.flatMap(Effect.service(SignInChecks), (checks) => checks.newTotpSecret)).then(Redacted.value)
  const { everybody, otherOrganizationId } = await runtime.runPromise(addPeople(OrganizationId.make(shop.organizationId), operatorSecret))
  // The operator's command is run by the installation's operator, who is signed in throughout.
  const admin: OperatorDesk["admin"] = async (args, options) => {
    const session = await runtime.runPromise(openSessionFor(everybody.OPERATOR, "COMPLETE"))
    try {
      return await desk.admin(args, { ...options, environment: { OVERA_OPERATOR_SESSION: session, ...options?.environment } })
    } finally {
      await runtime.runPromise(Effect.flatMap(PortalSessions, (sessions) => sessions.end(digestOf(session))))
    }
  }
  return {
    desk: { ...desk, admin },
    portal,
    api,
    shop,
    otherOrganizationId,
    people: everybody,
    operatorSecret,
    run: (effect) => runtime.runPromise(effect),
    session: (person, stage = "COMPLETE") => runtime.runPromise(openSessionFor(person, stage)),
    log,
    close: async () => {
      await Promise.all([portal.stop(), api.stop(), runtime.dispose()])
      await desk.close()
    }
  }
}
