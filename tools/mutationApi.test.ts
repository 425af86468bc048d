import { expect, it } from "vitest"
import * as testApi from "./mutation/testApi.ts"
import { filesOf } from "./sourceTree.ts"

const importOfTests = /^import \{([^}]*)\} from "(?:vitest|@effect\/vitest)"$/gm

/** The names that a file imports from the two libraries of tests, without types. */
const importedNames = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(importOfTests)].flatMap(([, names = ""]) => names.split(",").map((name) => name.trim()).filter((name) => name !== "" && !name.startsWith("type ")))

it("the mutation tests run every test of the domain: they import nothing that the runner does not have", () => {
  const missing = filesOf("domain/test/**/*.ts").flatMap(({ path, text }) => importedNames(text).filter((name) => !(name in testApi)).map((name) => `${path}: ${name}`))
  expect(missing).toEqual([])
})
