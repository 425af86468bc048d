import { DateTime } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { Operation } from "../../src/operations/Operation.ts"
import { type DocumentTree, documentTrees } from "../../src/references/documentTree.ts"
import type { FiscalDocumentId } from "../../src/tenancy/identifiers.ts"
import { operationOf } from "../arbitraries/Operation.ts"

const idOf = (at: number) => `01900003-0000-7000-8000-0000000000${String(at).padStart(2, "0")}` as FiscalDocumentId

/** Documents that refer to any other one, to none, to an unknown one, or in rings. */
const documents = fc.array(fc.tuple(fc.option(fc.nat({ max: 12 })), fc.nat({ max: 3 })), { maxLength: 10 }).map((parents) =>
  parents.map(([parent, hour], at): Operation => {
    const base = operationOf({ id: idOf(at), createdAt: DateTime.makeUnsafe(`2026-01-01T0${hour}:00:00Z`) })
    return parent === null ? base : { ...base, content: { ...base.content, reference: { fiscalDocumentId: idOf(parent) } as unknown as Operation["content"]["reference"] } }
  }))

const flat = (trees: ReadonlyArray<DocumentTree>): ReadonlyArray<Operation> => trees.flatMap(({ document, followers }) => [document, ...flat(followers)])

const edges = (trees: ReadonlyArray<DocumentTree>): ReadonlyArray<readonly [DocumentTree["document"], DocumentTree["document"]]> =>
  trees.flatMap(({ document, followers }) => [...followers.map((it) => [document, it.document] as const), ...edges(followers)])

describe("documents as trees of what refers to what", () => {
  it("have every document exactly once, whatever names whatever", () => {
    fc.assert(fc.property(documents, (given) => {
      assert.deepStrictEqual(flat(documentTrees(given)).map(({ id }) => id).toSorted(), given.map(({ id }) => id).toSorted())
    }))
  })

  it("stand under what they name, and under nothing else, in whatever order they come", () => {
    fc.assert(fc.property(documents, (given) => {
      const trees = documentTrees(given)
      assert.isTrue(edges(trees).every(([above, below]) => below.content.reference?.fiscalDocumentId === above.id))
      assert.deepStrictEqual(documentTrees(given.toReversed()), trees)
    }))
  })

  it("begin only with what names no document given, or is in a ring of names", () => {
    fc.assert(fc.property(documents, (given) => {
      const nameOf = (id: FiscalDocumentId) => given.find((it) => it.id === given.find((one) => one.id === id)?.content.reference?.fiscalDocumentId)?.id
      const isRoot = ({ id }: Operation): boolean => {
        let at = nameOf(id)
        for (let steps = 0; at !== undefined && at !== id && steps < given.length; steps++) at = nameOf(at)
        return nameOf(id) === undefined || at === id
      }
      assert.deepStrictEqual(documentTrees(given).map(({ document }) => document.id).toSorted(), given.filter(isRoot).map(({ id }) => id).toSorted())
    }), { numRuns: 200 })
  })

  it("stand beside each other by time, those of one moment by id", () => {
    const sortKey = ({ createdAt, id }: Operation) => `${DateTime.formatIso(createdAt)} ${id}`
    const groups = (trees: ReadonlyArray<DocumentTree>): ReadonlyArray<ReadonlyArray<string>> =>
      [trees.map(({ document }) => sortKey(document)), ...trees.flatMap(({ followers }) => groups(followers))]
    fc.assert(fc.property(documents, (given) => {
      for (const keys of groups(documentTrees(given))) assert.deepStrictEqual(keys, keys.toSorted())
    }))
  })
})
