import type { TurnoverDocument } from "../journal/turnoverParts.ts"
import type { Operation } from "../operations/Operation.ts"

type Signed = NonNullable<Operation["answer"]>

/** What a month's book reads of a document; every `Operation` has it. A store need not read the rest, which is most of its bytes. */
export interface BookDocument extends Pick<Operation, "businessPremiseId" | "createdAt" | "id" | "rejection" | "status"> {
  readonly content: TurnoverDocument["content"] & Pick<Operation["content"], "clientReference"> & {
    readonly reference: Pick<NonNullable<Operation["content"]["reference"]>, "pfrNumber"> | null
    readonly buyer: Pick<NonNullable<Operation["content"]["buyer"]>, "id"> | null
  }
  readonly answer: {
    readonly pfr: { readonly invoiceNumber: string; readonly sdcTime: string }
    readonly taxes: ReadonlyArray<Pick<Signed["taxes"][number], "amount" | "category" | "categoryType" | "label" | "rate">>
  } | null
  readonly workflow: Pick<NonNullable<Operation["workflow"]>, "id"> | null
}
