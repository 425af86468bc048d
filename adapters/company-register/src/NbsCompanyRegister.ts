import { type BuyerDetails, CompanyRegister } from "@overa/domain"
import { Clock, Data, DateTime, Deferred, Effect, Layer, Option, Redacted } from "effect"
import { request } from "undici"
import { type CacheTimes, defaultCacheTimes, LookupCache } from "./LookupCache.ts"
import { type CompanyAccount, companyAccountRequest, companyAccounts, soapAction } from "./soapMessages.ts"

/** How to reach the account register of the National Bank of Serbia (V-PFR §10.1). */
export interface NbsConfig {
  /** The `.asmx` address. */
  readonly url: string
  readonly userName: string
  readonly password: Redacted.Redacted<string>
  readonly licenceId: string
  /** Default 3 s. The receipt waits a second; one that is signed before the answer has no details of the buyer. */
  readonly timeoutMillis?: number
  readonly cacheTimes?: CacheTimes
}

/** The register did not answer, or not in a known form. Used only inside this adapter: the port never fails. */
class RegisterSilent extends Data.TaggedError("RegisterSilent")<{ readonly reason: string }> {}

const largestAnswer = 1_048_576
const rememberedCompanies = 10_000

const readBody = async (body: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > largestAnswer) throw new Error("the answer is too large")
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

const ask = (config: NbsConfig, taxIdentifier: string) =>
  Effect.tryPromise({
    try: async (signal) => {
      const login = { userName: config.userName, password: Redacted.value(config.password), licenceId: config.licenceId }
      const answer = await request(config.url, {
        method: "POST",
        signal,
        headers: { "content-type": "text/xml; charset=utf-8", soapaction: `"${soapAction}"` },
        body: companyAccountRequest(login, taxIdentifier)
      })
      const text = await readBody(answer.body)
      if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`)
      return companyAccounts(text)
    },
    catch: (error) => new RegisterSilent({ reason: error instanceof Error ? error.message : String(error) })
  }).pipe(
    Effect.flatMap((accounts) =>
      accounts === null ? Effect.fail(new RegisterSilent({ reason: "not an answer of the register" })) : Effect.succeed(accounts)
    ),
    Effect.timeoutOrElse({
      duration: config.timeoutMillis ?? 3_000,
      orElse: () => Effect.fail(new RegisterSilent({ reason: "no answer in time" }))
    })
  )

const cut = (text: string | null, codePoints: number): string | null =>
  text === null ? null : [...text].slice(0, codePoints).join("")

const detailsOf = (account: CompanyAccount, resolvedAt: DateTime.Utc): BuyerDetails => ({
  legalName: cut(account.name, 350) ?? "",
  taxIdentifier: account.taxIdentifier,
  registrationNumber: account.registrationNumber,
  address: cut(account.address, 300),
  city: cut(account.city, 100),
  source: "NBS",
  resolvedAt
})

const make = (config: NbsConfig) =>
  Effect.sync(() => {
    const times = config.cacheTimes ?? defaultCacheTimes
    const cache = new LookupCache(rememberedCompanies)
    const asking = new Map<string, Deferred.Deferred<Option.Option<BuyerDetails>>>()

    // One row per account: they are all the same company.
    const fetch = Effect.fnUntraced(function*(taxIdentifier: string) {
      const outcome = yield* Effect.result(ask(config, taxIdentifier))
      const now = yield* Clock.currentTimeMillis
      if (outcome._tag === "Failure") {
        yield* Effect.logWarning("company register did not answer", { reason: outcome.failure.reason })
        cache.set(taxIdentifier, Option.none(), now + times.failed)
        return Option.none<BuyerDetails>()
      }
      const account = outcome.success.find((candidate) => candidate.taxIdentifier === taxIdentifier)
      const details = account === undefined ? Option.none<BuyerDetails>() : Option.some(detailsOf(account, yield* DateTime.now))
      cache.set(taxIdentifier, details, now + (account === undefined ? times.notFound : times.found))
      return details
    })

    return CompanyRegister.of({
      lookup: Effect.fn("CompanyRegister.lookup")(function*(taxIdentifier: string) {
        const known = cache.get(taxIdentifier, yield* Clock.currentTimeMillis)
        if (known !== undefined) return known
        const already = asking.get(taxIdentifier)
        if (already !== undefined) return yield* Deferred.await(already)
        const answer = Deferred.makeUnsafe<Option.Option<BuyerDetails>>()
        asking.set(taxIdentifier, answer)
        // The request continues when the receipt it was made for is signed sooner: the next receipt finds the answer in the cache.
        yield* Effect.forkDetach(
          fetch(taxIdentifier).pipe(
            Effect.catchDefect(() => Effect.succeed(Option.none<BuyerDetails>())),
            Effect.flatMap((details) => {
              asking.delete(taxIdentifier)
              return Deferred.succeed(answer, details)
            })
          ),
          { startImmediately: true }
        )
        return yield* Deferred.await(answer)
      })
    })
  })

/** Companies by tax identifier, from the account register; answers are kept for a day. Never fails. */
export const layer = (config: NbsConfig): Layer.Layer<CompanyRegister> => Layer.effect(CompanyRegister, make(config))

/** No register is configured: no receipt has buyer details (Spec, Resources, BuyerDetails). */
export const layerNone: Layer.Layer<CompanyRegister> = Layer.succeed(
  CompanyRegister,
  CompanyRegister.of({ lookup: () => Effect.succeed(Option.none()) })
)
