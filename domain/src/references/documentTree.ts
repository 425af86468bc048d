import { DateTime } from "effect"
import type { Operation } from "../operations/Operation.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"

/** A document and what refers to it, oldest first. */
export interface DocumentTree {
  readonly document: Operation
  readonly followers: ReadonlyArray<DocumentTree>
}

/** Of two documents with different ids. */
const byTime = (one: Operation, other: Operation): number =>
  DateTime.toEpochMillis(one.createdAt) - DateTime.toEpochMillis(other.createdAt) || (one.id < other.id ? -1 : 1)

/**
 * Documents as trees: under each document those that refer to it. A document that refers to none of the given ones begins a tree. Every document
 * occurs exactly once, in whatever order they are given.
 */
export const documentTrees = (documents: Iterable<Operation>): ReadonlyArray<DocumentTree> => {
  const known = new Map([...documents].map((document) => [document.id, document]))
  const namedBy = ({ content }: Operation): Operation | undefined => known.get((content.reference?.fiscalDocumentId ?? "") as FiscalDocumentId)
  /** The service never writes a ring of references; in one, each document would begin a tree of its own. */
  const isRing = (document: Operation): boolean => {
    const seen = new Set<FiscalDocumentId>()
    for (let at = namedBy(document); at !== undefined && !seen.has(at.id); at = namedBy(at)) {
      if (at.id === document.id) return true
      seen.add(at.id)
    }
    return false
  }
  const parentOf = (document: Operation): FiscalDocumentId | null => isRing(document) ? null : namedBy(document)?.id ?? null
  const children = Map.groupBy([...known.values()].sort(byTime), parentOf)
  const treesUnder = (parent: FiscalDocumentId | null): ReadonlyArray<DocumentTree> =>
    (children.get(parent) ?? []).map((document) => ({ document, followers: treesUnder(document.id) }))
  return treesUnder(null)
}
