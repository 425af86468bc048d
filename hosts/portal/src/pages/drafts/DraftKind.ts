import type { BuyerDetails, FiscalDocumentId, Operation, Product, ReceiptPreview } from "@overa/domain"
import type { Effect } from "effect"
import type { Html } from "../../html/el.ts"
import type { Faults } from "../../html/forms.ts"
import type { Form } from "../../http/Form.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import type { PortalServices } from "../../layers.ts"

/** What a page does. */
export type Doing<A> = Effect.Effect<A, unknown, PortalServices>

/** A receipt as it would be signed now. */
export interface Paper {
  /** Null where it is the only one. */
  readonly title: string | null
  readonly receipt: ReceiptPreview
}

/** A document that may be tried or issued now, under the key of its draft. */
export interface Asked {
  /** Names what is issued, by target and canonical body: nothing but what was previewed is issued. */
  readonly seen: string
  /** The checks of issuing itself: nothing is stored and nothing is sent. The last paper is the document's own. */
  readonly tried: Doing<ReadonlyArray<Paper>>
  /** Issues it under the key of the draft; answers the document. */
  readonly issued: Doing<FiscalDocumentId>
}

/** Whether entries are complete; else they are faults by field. */
export const isAsked = (read: Asked | Faults): read is Asked => typeof (read as Asked).seen === "string" && typeof (read as Asked).tried === "object"

/** What a button has looked up. */
export interface Looked {
  /** From the catalogue; a single product is taken. */
  readonly products: { readonly text: string; readonly products: ReadonlyArray<Product> } | null
  /** What the register says of the buyer. */
  readonly buyer: BuyerDetails | null
  /** Identifications of earlier buyers; null where nobody looked for them. */
  readonly buyers: ReadonlyArray<EarlierBuyer> | null
}

/** A buyer of an earlier receipt. */
export interface EarlierBuyer {
  readonly id: string
  readonly name: string | null
}

export const nothingLooked: Looked = { products: null, buyer: null, buyers: null }

export interface Preview {
  readonly papers: ReadonlyArray<Paper>
  readonly seen: string
}

/** Everything that a draft's page shows. */
export interface Shown<Subject, Typed> {
  /** The page's own address, where the document is issued; `/entry` behind it changes the entries. */
  readonly address: string
  readonly subject: Subject
  readonly typed: Typed
  readonly faults: Faults
  readonly preview: Preview | null
  /** Why the document cannot be issued now. */
  readonly refusal: string | null
  readonly looked: Looked
  /** The entries are no longer those that were previewed. */
  readonly changed: boolean
  /** The failed document that this one is issued anew for. */
  readonly source: Operation | null
}

/** The entries after a button was pressed. */
export interface Pressed<Typed> {
  readonly typed: Typed
  readonly looked: Looked
}

/**
 * A kind of document that a person issues by hand. The address of its page names the draft, and the draft is the key of the one document that it may become
 * (docs/adr/0301).
 */
export interface DraftKind<Subject, Typed> {
  /** The page's route, which ends with `/:draft`. */
  readonly route: string
  readonly title: (visit: MemberVisit, subject: Subject) => string
  /** What the document is issued for; `NotFound` where the address names nothing of the organization's. */
  readonly subject: (visit: MemberVisit) => Doing<Subject>
  /** The entries of a new draft. */
  readonly start: (visit: MemberVisit, draft: string, subject: Subject, source: Operation | null) => Typed
  readonly typedIn: (form: Form) => Typed
  readonly pressed: (visit: MemberVisit, form: Form, typed: Typed, subject: Subject) => Doing<Pressed<Typed>>
  readonly read: (visit: MemberVisit, draft: string, typed: Typed, subject: Subject) => Asked | Faults
  /** The fields of the entries. */
  readonly entries: (visit: MemberVisit, shown: Shown<Subject, Typed>) => Html
  /** The words of the button that issues. */
  readonly issueWords: (visit: MemberVisit, typed: Typed) => string
  /** Said instead of the form, where nothing can be issued for the subject. */
  readonly nothing: (visit: MemberVisit, subject: Subject) => Html
}
