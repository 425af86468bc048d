import type { Container } from "../kept/Database.ts"
import { lookSoon } from "../kept/fiscalizer.ts"

/** An order may be placed after its payment was captured. */
export default async ({ container, event }: { readonly container: Container; readonly event: { readonly data: { readonly id: string } } }): Promise<void> =>
  lookSoon(container, event.data.id)

export const config = { event: ["order.placed"] }
