import type { KeyOwner, TakeBack } from "@overa/domain"

/** What of a kept file is taken back. */
export type Taken = Exclude<TakeBack, { readonly _tag: "Nothing" }>

/** The document or key that an item is about. */
export const ownerOf = (taken: Taken): KeyOwner => (taken._tag === "Key" ? taken.owner : taken.operation)
