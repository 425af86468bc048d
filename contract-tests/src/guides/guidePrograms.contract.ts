import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ApiTarget } from "../http/ApiTarget.ts"
import { GuideFolder, guideLanguages, type ToldProgram } from "./GuideFolder.ts"

/** Every program of the guides prints what its page shows, against a running service. */
export const guideProgramsContract = (name: string, start: () => Promise<ApiTarget>, programs: ReadonlyArray<ToldProgram>) =>
  describe.each(guideLanguages)(`${name}: the guides' programs in %s`, (language) => {
    const folder = new GuideFolder(language)
    let target: ApiTarget
    beforeAll(async () => {
      target = await start()
    }, 240_000)
    afterAll(() => folder.remove())

    it.each(programs.map((story) => [story.guide, story] as const))("%s prints what the page shows", { timeout: 60_000 }, async (_guide, story) => {
      const printed = await folder.run(story, target, `order-${randomUUID()}`)
      if (story.prints.endsWith("…")) expect(printed.slice(0, story.prints.length - 1)).toBe(story.prints.slice(0, -1))
      else expect(printed).toBe(story.prints)
    })
  })
