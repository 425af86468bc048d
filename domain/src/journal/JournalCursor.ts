import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { DateTime, Option, Result } from "effect"
import type { Operation } from "../operations/Operation.ts"
import { RequestFaults } from "../requests/Fault.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import { onlyValue, queryFault, type QueryTexts } from "./queryFields.ts"

/** The place behind one operation of the journal, which runs from the latest to the earliest: by `createdAt`, then `id`, descending. */
export interface JournalCursor {
  readonly createdAt: DateTime.Utc
  readonly id: string
}

type Placed = Pick<Operation, "createdAt"> & { readonly id: string }

const written = /^(\d{1,15})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([0-9a-f]{16})$/

/**
 * What a cursor is bound to: organization, environment and filter, in 16 hex characters. A cursor with another binding is refused
 * (Decisions §11).
 */
export const cursorBinding = (tenant: Tenant, filter: object): string => {
  const asked = Object.entries(filter).sort(([one], [other]) => (one < other ? -1 : 1))
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([tenant.organizationId, tenant.environment, asked])))).slice(0, 16)
}

const decodeBase64Url = (text: string): string | null => {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  } catch {
    return null // atob has no other way to say "not base64"
  }
}

/** The cursor as callers see it: a text that means nothing to them (Decisions §5, Journal). */
export const encodeJournalCursor = (cursor: JournalCursor, binding: string): string =>
  btoa(`${cursor.createdAt.epochMilliseconds}.${cursor.id}.${binding}`).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")

/** The cursor that a text encodes; none where the service never wrote such a text for this binding. */
export const decodeJournalCursor = (text: string, binding: string): Option.Option<JournalCursor> => {
  const parts = written.exec(decodeBase64Url(text) ?? "")
  if (parts === null || parts[3] !== binding) return Option.none()
  return DateTime.make(Number(parts[1])).pipe(
    Option.map((instant) => ({ createdAt: DateTime.toUtc(instant), id: parts[2] ?? "" })),
    // Only the one spelling the service writes is taken.
    Option.filter((cursor) => encodeJournalCursor(cursor, binding) === text)
  )
}

/** The journal's order: negative when the one comes before the other, that is, was created later. */
export const compareInJournal = (one: Placed, other: Placed): number => {
  const byTime = other.createdAt.epochMilliseconds - one.createdAt.epochMilliseconds
  if (byTime !== 0) return byTime
  if (one.id === other.id) return 0
  return one.id > other.id ? -1 : 1
}

/** Whether an operation lies behind a cursor, on one of the pages still to come. */
export const isBehindCursor = (operation: Placed, cursor: Placed | null): boolean =>
  cursor === null || compareInJournal(operation, cursor) > 0

/** Least, most and usual size of a page. Source: Spec, Limits. */
export const pageSizes = { least: 1, most: 200, usual: 50 } as const

/** Which page of the journal is asked for. */
export interface JournalPlace {
  readonly cursor: JournalCursor | null
  readonly pageSize: number
}

/** The place of a journal query (`cursor`, `pageSize`), or everything wrong with it. */
export const readJournalPlace = (query: QueryTexts, binding: string): Result.Result<JournalPlace, RequestFaults> => {
  const cursorText = onlyValue(query, "cursor")
  const cursor = decodeJournalCursor(cursorText ?? "", binding)
  const sizeText = onlyValue(query, "pageSize") ?? String(pageSizes.usual)
  const pageSize = /^\d{1,3}$/.test(sizeText) ? Number(sizeText) : 0
  const faults = [
    ...(cursorText !== null && Option.isNone(cursor) ? [queryFault("cursor", "must be the nextCursor of an earlier answer to the same filters")] : []),
    ...(pageSize < pageSizes.least || pageSize > pageSizes.most
      ? [queryFault("pageSize", `must be a whole number from ${pageSizes.least} to ${pageSizes.most}`)]
      : [])
  ]
  return faults.length > 0
    ? Result.fail(new RequestFaults({ faults }))
    : Result.succeed({ cursor: Option.getOrNull(cursor), pageSize })
}

/**
 * A page of rows. A store reads `pageSize + 1` rows behind the cursor; the extra row shows that there is a next page. `nextCursor` is null at the
 * end.
 */
export const journalPage = <Row extends Placed>(
  rows: ReadonlyArray<Row>,
  pageSize: number
): { readonly items: ReadonlyArray<Row>; readonly nextCursor: JournalCursor | null } => {
  const items = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? items.at(-1) : undefined
  return { items, nextCursor: last === undefined ? null : { createdAt: last.createdAt, id: last.id } }
}
