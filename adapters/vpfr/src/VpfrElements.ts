import { Clock, Context, Effect, Layer, Redacted } from "effect"
import {
  type ElementCredentials,
  type OrganizationId,
  type SecurityElementId,
  SecurityElements,
  SubmissionNotPossible
} from "@overa/domain"
import { CircuitBreaker } from "./CircuitBreaker.ts"
import { ContactRecord } from "./ContactRecord.ts"
import { ElementChannel } from "./ElementChannel.ts"
import { VpfrClock } from "./VpfrClock.ts"
import { elementConnector, elementSecureContext } from "./mutualTls.ts"
import { VpfrConnection, type VpfrEnvironment, type VpfrSettings } from "./VpfrConnection.ts"

/** A security element ready for use: its connections, its circuit breaker, and its request headers. */
export interface OpenElement {
  readonly credentials: ElementCredentials
  readonly environment: VpfrEnvironment
  readonly channel: ElementChannel
  readonly circuit: CircuitBreaker
  readonly vpfrClock: VpfrClock
  /** The contacts of the whole process, of which this element's are a part. */
  readonly contacts: ContactRecord
  /** Names and values alternating, the same for every request (V-PFR §1.4). */
  readonly headers: ReadonlyArray<string>
}

interface Entry {
  readonly element: OpenElement
  readonly readAt: number
}

/** The vault is read again after this long, so that a revoked or renewed element is noticed. */
const vaultReadLivesMillis = 60_000

const headerValue = /^[\x21-\x7e]+$/

const notPossible = (detail: string) =>
  new SubmissionNotPossible({ failureCode: "PFR_SECURITY_ELEMENT_UNAVAILABLE", detail })

const sameCredentials = (a: ElementCredentials, b: ElementCredentials): boolean =>
  a.certificateChain === b.certificateChain && a.environment === b.environment && a.jid === b.jid &&
  a.validTo === b.validTo && Redacted.value(a.pac) === Redacted.value(b.pac) &&
  Redacted.value(a.privateKey) === Redacted.value(b.privateKey)

const elementOf = (
  credentials: ElementCredentials,
  settings: VpfrSettings,
  fresh: Pick<OpenElement, "circuit" | "contacts" | "vpfrClock">
): OpenElement => {
  const environment = settings.environments[credentials.environment]
  if (environment === undefined) {
    throw new SubmissionNotPossible({
      failureCode: "PFR_UNAVAILABLE",
      detail: `no V-PFR is configured for ${credentials.environment}`
    })
  }
  const pac = Redacted.value(credentials.pac)
  if (!headerValue.test(pac)) throw notPossible("the element's PAC has characters no header may have")
  const secureContext = elementSecureContext({
    privateKey: Redacted.value(credentials.privateKey),
    certificateChain: credentials.certificateChain,
    trustAnchors: environment.trustAnchors
  })
  const channel = new ElementChannel({
    origin: new URL(environment.baseUrl).origin,
    connector: elementConnector(secureContext, settings.connectTimeoutMillis),
    connections: settings.connectionsPerElement,
    keepAliveMillis: settings.keepAliveMillis
  })
  const headers = ["accept", "application/json", "accept-language", settings.acceptLanguage, "PAC", pac]
  return { credentials, environment, channel, ...fresh, headers }
}

/**
 * The open elements of this process; beyond the operator's limit the least recently used ones are closed, but never one in use. Keys stay inside the
 * TLS context and the vault's redacted value.
 */
export class VpfrElements extends Context.Service<VpfrElements, {
  /** Opens an element, or fails with the reason why it cannot be used. Sends nothing. */
  readonly open: (
    organizationId: OrganizationId,
    id: SecurityElementId
  ) => Effect.Effect<OpenElement, SubmissionNotPossible>
  /** Closes the connections of an element, if it is open; the next request opens a new one. */
  readonly renewConnections: (organizationId: OrganizationId, id: SecurityElementId) => void
  /** The elements open in this process. */
  readonly opened: () => Iterable<OpenElement>
  /** Every contact with a V-PFR over any of them. */
  readonly contacts: ContactRecord
}>()("@overa/adapter-vpfr/VpfrElements") {
  static readonly layer = Layer.effect(
    VpfrElements,
    Effect.gen(function*() {
      const settings = yield* VpfrConnection
      const vault = yield* SecurityElements
      const clock = yield* Clock.Clock
      const monotonicMillis = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
      const entries = new Map<string, Entry>()
      const configured = (["sandbox", "production"] as const).filter((environment) => settings.environments[environment] !== undefined)
      const contacts = new ContactRecord(configured, () => clock.currentTimeMillisUnsafe())
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          for (const { element } of entries.values()) element.channel.close()
          entries.clear()
        })
      )

      const closeLeastUsed = () => {
        for (const [key, { element }] of entries) {
          if (entries.size <= settings.elementsOpen) return
          if (!element.channel.isIdle) continue
          element.channel.close()
          entries.delete(key)
        }
      }

      /** Keeps the connections when the vault's answer is unchanged; a renewed element starts with its circuit closed. */
      const adopt = (key: string, credentials: ElementCredentials): OpenElement => {
        const known = entries.get(key)
        const same = known !== undefined && sameCredentials(known.element.credentials, credentials)
        const fresh = () => ({ circuit: new CircuitBreaker(monotonicMillis), contacts, vpfrClock: new VpfrClock(clock) })
        const element = same ? known.element : elementOf(credentials, settings, fresh())
        if (known !== undefined && !same) known.element.channel.close()
        entries.set(key, { element, readAt: monotonicMillis() })
        closeLeastUsed()
        return element
      }

      const read = Effect.fnUntraced(function*(key: string, organizationId: OrganizationId, id: SecurityElementId) {
        const credentials = yield* vault.open(organizationId, id).pipe(
          Effect.mapError((unavailable) => notPossible(unavailable.detail))
        )
        return yield* Effect.try({
          try: () => adopt(key, credentials),
          // OpenSSL's message contains no secret: it says which structure it could not read.
          catch: (cause) =>
            cause instanceof SubmissionNotPossible
              ? cause
              : notPossible(`key and certificate cannot be used: ${cause instanceof Error ? cause.message : "unknown"}`)
        })
      })

      const unlessExpired = (element: OpenElement) =>
        clock.currentTimeMillisUnsafe() < element.credentials.validTo
          ? Effect.succeed(element)
          : Effect.fail(notPossible("the element's certificate has expired"))

      const keyOf = (organizationId: OrganizationId, id: SecurityElementId) => `${organizationId}/${id}`

      const open = (organizationId: OrganizationId, id: SecurityElementId) =>
        Effect.suspend(() => {
          const key = keyOf(organizationId, id)
          const entry = entries.get(key)
          if (entry === undefined || monotonicMillis() - entry.readAt >= vaultReadLivesMillis) {
            return Effect.flatMap(read(key, organizationId, id), unlessExpired)
          }
          entries.delete(key) // moved to the end: the map's order is the order of last use
          entries.set(key, entry)
          return unlessExpired(entry.element)
        })
      return VpfrElements.of({
        contacts,
        open,
        opened: () => entries.values().map(({ element }) => element),
        renewConnections: (organizationId, id) => entries.get(keyOf(organizationId, id))?.element.channel.renewConnections()
      })
    })
  )
}
