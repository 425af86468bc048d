import { DateTime } from "effect"
import { assert, describe, it } from "vitest"
import { toText } from "../src/html/el.ts"
import { speaker } from "../src/language/Language.ts"
import { shorterElementNotice } from "../src/pages/shorterElement.ts"

const until = (text: string) => ({ validTo: DateTime.makeUnsafe(text) })
const shown = (fresh: string, active: string | undefined) => toText(shorterElementNotice(speaker("en"), until(fresh), active === undefined ? undefined : until(active)))

describe("an element that ends before the one it replaces", () => {
  it("is warned of, with both days", () => {
    const text = shown("2026-11-30T12:00:00Z", "2029-11-25T12:00:00Z")
    for (const part of ["ends before the present one", "30.11.2026. and", "25.11.2029. An", "role=\"alert\""]) assert.include(text, part)
  })

  it("is the only one that is warned of", () => {
    for (const active of [undefined, "2026-11-30T12:00:00Z", "2026-11-29T12:00:00Z"]) assert.notInclude(shown("2026-11-30T12:00:00Z", active), "notice")
  })
})
