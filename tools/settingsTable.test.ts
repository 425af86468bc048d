import { expect, it } from "vitest"
import { settings } from "./settings.ts"
import { page, pageWith, settingsTable } from "./settingsTable.ts"

it("docs/operations/configure.md names every variable the hosts ask for, and no other", async () => {
  const { asked } = await settingsTable()
  expect(settings.map((setting) => setting.name).sort()).toEqual([...asked].sort())
})

it("docs/operations/configure.md is what the hosts' configuration says", async () => {
  const { text } = await settingsTable()
  expect(page()).toBe(pageWith(page(), text))
})
