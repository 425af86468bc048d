import type { Html } from "../../html/el.ts"

/** Something that a person must do, with the next step. */
export interface Matter {
  readonly sentence: Html
  readonly href: string
  readonly step: string
}
