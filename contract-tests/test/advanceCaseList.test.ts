import { layerAdvanceCases, layerJournalStore, layerOperationStore, layerUnresolvedOperations, MemoryOperations } from "@overa/adapter-memory"
import { type AskedCases, JournalStore, listAdvanceCases, noFilter } from "@overa/domain"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { openedCase, paid } from "../src/support/caseSteps.ts"

const stores = Layer.mergeAll(layerAdvanceCases, layerJournalStore).pipe(
  Layer.provideMerge(Layer.mergeAll(layerOperationStore, layerUnresolvedOperations)),
  Layer.provideMerge(MemoryOperations.layer)
)

/** A journal whose search finds more than is read one by one. */
const findsTooMany = Layer.effect(JournalStore, Effect.map(Effect.service(JournalStore), (journal) =>
  JournalStore.of({
    ...journal,
    select: (tenant, filter, most) => Effect.map(journal.select(tenant, filter, most), (ids) => Array.from({ length: most }, (_, at) => ids[at % ids.length] ?? ids[0] as never))
  })))

describe("a search for cases by what their documents say", () => {
  it("answers the same whether the journal finds few documents or too many to read one by one", async () => {
    const asked = (text: string): AskedCases => ({
      filter: { taxpayerId: null, businessPremiseId: null, clientReference: null, created: noFilter.created },
      documents: { ...noFilter, text },
      states: null
    })
    const listed = (opened: Parameters<typeof listAdvanceCases>[0], text: string) =>
      Effect.map(listAdvanceCases(opened, asked(text), { cursor: null, pageSize: 50 }), ({ items }) => items.map(({ opened: { id } }) => id))
    await Effect.runPromise(Effect.provide(Effect.gen(function*() {
      const opened = yield* openedCase
      const document = yield* paid(opened)
      const name = document.content.items[0]?.name ?? ""
      for (const [text, wanted] of [[name, [opened.id]], ["nothing like it", []]] as const) {
        expect(yield* listed(opened, text)).toEqual(wanted)
      }
      expect(yield* Effect.provide(listed(opened, name), findsTooMany)).toEqual([opened.id])
    }), stores))
  })
})
