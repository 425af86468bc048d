import { ActRefused, BillingTerms, type CalendarMonth, formatDecimal, InvoiceIssuer, type LicenseModule, type Price, type PriceList, type VatRate } from "@overa/domain"
import { BigDecimal, Effect, Layer } from "effect"
import { installationItself, recordActivity, rightNow } from "../administration/activity.ts"
import { constraints } from "../constraints.ts"
import { PgDatabase, type PgStatements } from "../PgDatabase.ts"
import { utc } from "../rows/OperationRow.ts"
import { fromStoredJson, toStoredJson } from "../rows/storedJson.ts"

interface PriceListRow {
  readonly version: number
  readonly valid_from: string
  readonly licence_fee: string
  readonly advance_fee: string
  readonly email_fee: string
  readonly document_price: string
  readonly vat_rate: string
  readonly decided_at: Date
}

const price = (text: string): Price => BigDecimal.fromStringUnsafe(text) as Price

const decodePriceList = (row: PriceListRow): PriceList => ({
  version: row.version,
  validFrom: row.valid_from as CalendarMonth,
  licenseFee: price(row.licence_fee),
  moduleFees: { advance: price(row.advance_fee), email: price(row.email_fee) } satisfies Record<LicenseModule, Price>,
  documentPrice: price(row.document_price),
  vatRate: BigDecimal.fromStringUnsafe(row.vat_rate) as VatRate,
  decidedAt: utc(row.decided_at)
})

const readPriceLists = `select version, valid_from, licence_fee, advance_fee, email_fee, document_price, vat_rate, decided_at
from price_lists order by version desc`

const insertPriceList = `insert into price_lists (version, valid_from, licence_fee, advance_fee, email_fee, document_price, vat_rate, decided_at)
select $1::int4, $2::text, $3::numeric, $4::numeric, $5::numeric, $6::numeric, $7::numeric, $8::timestamptz
where $1 = coalesce((select max(version) from price_lists), 0) + 1 returning version`

const readIssuer = "select version, details from invoice_issuers order by version desc limit 1"
const insertIssuer = `insert into invoice_issuers (version, details, decided_at) select $1::int4, $2::text, $3::timestamptz
where $1 = coalesce((select max(version) from invoice_issuers), 0) + 1 returning version`

const decodeIssuer = fromStoredJson(InvoiceIssuer)

/** Adds the version after the one seen; refused if that is not the newest, or another one is being added. */
const addVersion = Effect.fnUntraced(function*(
  tx: PgStatements,
  insertion: { readonly sql: string; readonly constraint: string; readonly what: string },
  values: ReadonlyArray<unknown>
) {
  const changed = new ActRefused({ reason: "CHANGED_MEANWHILE", detail: `Somebody else has changed ${insertion.what} meanwhile; look again.` })
  const added = yield* Effect.mapError(tx.query(insertion.sql, values), (failure) => (failure.constraint === insertion.constraint ? changed : failure))
  if (added.length === 0) return yield* changed
})

const prices = { sql: insertPriceList, constraint: constraints.priceListVersion, what: "the prices" }
const issuers = { sql: insertIssuer, constraint: constraints.issuerVersion, what: "the issuer of invoices" }

const asTold = ({ documentPrice, licenseFee, moduleFees, validFrom, vatRate }: Omit<PriceList, "version" | "decidedAt">) => ({
  validFrom,
  licence: formatDecimal(licenseFee, 2),
  advance: formatDecimal(moduleFees.advance, 2),
  email: formatDecimal(moduleFees.email, 2),
  document: formatDecimal(documentPrice, 2),
  vatRate: formatDecimal(vatRate, 2)
})

const make = Effect.gen(function*() {
  const database = yield* PgDatabase
  return BillingTerms.of({
    priceLists: Effect.map(database.read<PriceListRow>(readPriceLists), (rows) => rows.map(decodePriceList)),
    addPriceList: Effect.fn("BillingTerms.addPriceList")(function*(act, list, seen) {
      const version = seen + 1
      const told = asTold(list)
      yield* database.transaction((tx) =>
        Effect.gen(function*() {
          const values = [version, told.validFrom, told.licence, told.advance, told.email, told.document, told.vatRate, yield* rightNow]
          yield* addVersion(tx, prices, values)
          yield* recordActivity(tx, act, { organizationId: installationItself, act: "price list added", subject: `version ${version}`, before: null, after: told })
        })
      )
      return version
    }),
    issuer: Effect.map(database.read<{ readonly version: number; readonly details: string }>(readIssuer), ([row]) =>
      row === undefined ? null : { version: row.version, issuer: decodeIssuer(row.details) }),
    changeIssuer: Effect.fn("BillingTerms.changeIssuer")(function*(act, issuer, seen) {
      const version = seen + 1
      yield* database.transaction((tx) =>
        Effect.gen(function*() {
          const [before] = yield* tx.query<{ readonly details: string }>(readIssuer)
          yield* addVersion(tx, issuers, [version, toStoredJson(issuer), yield* rightNow])
          const deed = { act: "issuer of invoices changed", subject: `version ${version}`, before: before === undefined ? null : decodeIssuer(before.details), after: issuer }
          yield* recordActivity(tx, act, { organizationId: installationItself, ...deed })
        })
      )
      return version
    })
  })
})

/** Price lists and the issuer of invoices. */
export const layerBillingTerms: Layer.Layer<BillingTerms, never, PgDatabase> = Layer.effect(BillingTerms, make)
