import { describe, expect, it } from "vitest"
import { menuIcon } from "../src/html/icons.ts"
import { pageFolders } from "../src/pages/pages.ts"

describe("the menu", () => {
  it("has an icon beside each word", () => {
    const paths = pageFolders.flatMap(({ navigation }) => navigation.map(({ path }) => path))
    expect(paths.length).toBeGreaterThan(15)
    expect(paths.filter((path) => menuIcon(path) === null)).toEqual([])
  })
})
