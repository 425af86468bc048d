import { Result, Schema } from "effect"
import type { Faults } from "../../html/forms.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import type { ElementDraft } from "../elementForm.ts"

const DraftText = Schema.fromJsonString(Schema.Struct({ file: Schema.String, password: Schema.String, pac: Schema.String }))

const useOf = (premiseId: string): string => `element ${premiseId}`

/** The draft in the page that shows its certificate. */
export const sealedDraft = (visit: MemberVisit, premiseId: string, draft: ElementDraft): string =>
  visit.draft.seal(useOf(premiseId), Schema.encodeSync(DraftText)(draft))

/** The draft of the page that showed the certificate; a page of another premise or session has no draft for this one. */
export const keptDraft = (visit: MemberVisit, premiseId: string): Result.Result<ElementDraft, Faults> => {
  const text = visit.draft.open(useOf(premiseId), visit.form?.exact("element") ?? "")
  const read = Schema.decodeUnknownResult(DraftText)(text)
  return Result.mapError(read, () => ({
    file: visit.say("Ова страница више не важи. Изаберите датотеку поново.", "This page is no longer valid. Choose the file again.")
  }))
}
