import { Clock, Context, Effect, Layer, Schema } from "effect"
import { field, isJsonObject, parseExactJson, type SecurityElementId, type Tenant, textField } from "@overa/domain"
import { askElement, queryTerms } from "./askElement.ts"
import { answerText } from "./answerText.ts"
import type { Exchanged } from "./Exchange.ts"
import { VpfrConnection } from "./VpfrConnection.ts"
import { VpfrElements } from "./VpfrElements.ts"

/** The V-PFR gave no usable answer to a query about itself. */
export class FarEndUnanswered extends Schema.TaggedError<FarEndUnanswered>()("FarEndUnanswered", { detail: Schema.String }) {}

/** The V-PFR's own description of its environment (V-PFR §5). Shown and compared, never used for a connection (Decisions §4, Trust). */
export interface EnvironmentParameters {
  readonly organizationName: string | null
  readonly environmentName: string | null
  readonly country: string | null
  readonly serverTimeZone: string | null
  readonly supportedLanguages: ReadonlyArray<string>
  readonly endpoints: {
    readonly taxpayerAdminPortal: string | null
    readonly taxCoreApi: string | null
    readonly vsdc: string | null
    /** Root of verification links. */
    readonly root: string | null
  }
}

const readParameters = (text: string): EnvironmentParameters | null => {
  const body = parseExactJson(text)
  if (!isJsonObject(body)) return null
  const languages = field(body, "supportedLanguages")
  const addresses = field(body, "endpoints")
  const address = (name: string) => (isJsonObject(addresses) ? textField(addresses, name) : null)
  return {
    organizationName: textField(body, "organizationName"),
    environmentName: textField(body, "environmentName"),
    country: textField(body, "country"),
    serverTimeZone: textField(body, "serverTimeZone"),
    supportedLanguages: Array.isArray(languages) ? languages.filter((language) => typeof language === "string") : [],
    endpoints: {
      taxpayerAdminPortal: address("taxpayerAdminPortal"),
      taxCoreApi: address("taxCoreApi"),
      vsdc: address("vsdc"),
      root: address("root")
    }
  }
}

/** The body of a 200, or why there is none. */
const textOf = (exchanged: Exchanged): Effect.Effect<string, FarEndUnanswered> => {
  if (exchanged._tag !== "Answered") return Effect.fail(new FarEndUnanswered({ detail: exchanged.detail }))
  const text = exchanged.status === 200 ? answerText(exchanged) : null
  return text === null
    ? Effect.fail(new FarEndUnanswered({ detail: `the V-PFR answered with status ${exchanged.status}, or with no readable text` }))
    : Effect.succeed(text)
}

/** For operators: whether the V-PFR answers for this element, and what it says about itself. Read-only, never part of a sale. */
export class VpfrFarEnd extends Context.Service<VpfrFarEnd, {
  /** Succeeds when the V-PFR is ready for the next command (V-PFR §1.1). */
  readonly attention: (tenant: Tenant, elementId: SecurityElementId) => Effect.Effect<void, FarEndUnanswered>
  readonly environmentParameters: (
    tenant: Tenant,
    elementId: SecurityElementId
  ) => Effect.Effect<EnvironmentParameters, FarEndUnanswered>
}>()("@overa/adapter-vpfr/VpfrFarEnd") {
  static readonly layer = Layer.effect(
    VpfrFarEnd,
    Effect.gen(function*() {
      const settings = yield* VpfrConnection
      const elements = yield* VpfrElements
      const clock = yield* Clock.Clock

      const ask = Effect.fn("VpfrFarEnd.ask")(function*(tenant: Tenant, elementId: SecurityElementId, path: string) {
        const element = yield* elements.open(tenant.organizationId, elementId).pipe(
          Effect.mapError(({ detail }) => new FarEndUnanswered({ detail }))
        )
        const request = { method: "GET", path, headers: element.headers, body: null } as const
        const exchanged = yield* askElement(element, request, queryTerms(clock, settings.statusDeadlineMillis), (value) => ({
          value,
          reusable: value._tag === "Answered" && value.status === 200
        }))
        return yield* textOf(exchanged)
      })

      return VpfrFarEnd.of({
        attention: (tenant, elementId) => Effect.asVoid(ask(tenant, elementId, "/api/v3/attention")),
        environmentParameters: (tenant, elementId) =>
          Effect.flatMap(ask(tenant, elementId, "/api/v3/environment-parameters"), (text) => {
            const parameters = readParameters(text)
            return parameters === null
              ? Effect.fail(new FarEndUnanswered({ detail: "the environment parameters are not a JSON object" }))
              : Effect.succeed(parameters)
          })
      })
    })
  ).pipe(Layer.provide(VpfrElements.layer))
}
