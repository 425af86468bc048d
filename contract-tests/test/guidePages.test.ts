import { readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { withPrograms } from "../../tools/guidePrograms/section.ts"
import { stories } from "../../tools/guidePrograms/stories/index.ts"
import { guidePage, guides } from "../src/guides/GuideFolder.ts"

describe("The programs on the guides' pages", () => {
  it("are what the stories say (npm run generate)", () => {
    for (const story of stories) expect(withPrograms(guidePage(story.guide), story)).toBe(guidePage(story.guide))
  })

  it("are there in every guide that shows a request", () => {
    const withRequests = readdirSync(guides).filter((name) => name.endsWith(".md")).map((name) => name.replace(".md", "")).filter((guide) => guidePage(guide).includes("curl -sS"))
    expect(withRequests.filter((guide) => !stories.some((story) => story.guide === guide))).toEqual([])
  })
})
