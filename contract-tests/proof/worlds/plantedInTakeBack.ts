import { Effect } from "effect"
import type { FaultyStore } from "./FaultyStore.ts"
import { type KeptItem, ownerOf } from "./keptItems.ts"

/** Bugs of taking back that the checks must find. */
export type PlantedInTakeBack = "known-without-comparing" | "held-under-the-copy"

const act = { actor: "ana", reason: "the disk is lost" }

/** A planted bug: what is stored counts as known, whichever attempts it has. */
const isStored = (store: FaultyStore, item: KeptItem): boolean =>
  [...store.memory.byId.values()].some(({ operation }) => operation.id === ownerOf(item).id)

/** A planted bug: the key of a copy is held like a caller's, by a row with the copy's id. */
const asCallers = (item: KeptItem): KeptItem =>
  item._tag === "Key" && item.owner.boundKey.role === "INNER" ? { ...item, owner: { ...item.owner, boundKey: { ...item.owner.boundKey, role: "REQUEST" } } } : item

/** Taking one item back, with one planted bug, or as it is. */
export const plantInTakeBack = (bug: string | null, store: FaultyStore) => (item: KeptItem) =>
  Effect.suspend(() => {
    const desk = store.behind.restore
    if (desk === null) return Effect.die(new Error("this store cannot be restored"))
    if (bug === "known-without-comparing" && isStored(store, item)) return Effect.succeed("KNOWN" as const)
    return desk.putBack(act, bug === "held-under-the-copy" ? asCallers(item) : item)
  })
