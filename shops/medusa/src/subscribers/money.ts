import { lookAtPayment } from "../kept/fiscalizer.ts"
import type { Container } from "../kept/Database.ts"

/** Medusa tells of money after its commit; what it never told of is found by the sweep. */
export default async ({ container, event }: { readonly container: Container; readonly event: { readonly data: { readonly id: string } } }): Promise<void> =>
  lookAtPayment(container, event.data.id)

export const config = { event: ["payment.captured", "payment.refunded"] }
