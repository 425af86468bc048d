import { Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { serverAddresses } from "../src/serverAddresses.ts"

const of = (url: string): ReadonlyArray<string> => serverAddresses(Redacted.make(url)).map(Redacted.value)

describe("a URL that names several servers", () => {
  it.each([
    ["postgres://u:p@one:1/db", ["postgres://u:p@one:1/db"]],
    ["postgres://u:p@one:1,two:2/db?sslmode=require", ["postgres://u:p@one:1/db?sslmode=require", "postgres://u:p@two:2/db?sslmode=require"]],
    ["postgresql://one,[::1]:5433,three/db", ["postgresql://one/db", "postgresql://[::1]:5433/db", "postgresql://three/db"]],
    ["postgres://u:p%2C%40@one/db", ["postgres://u:p%2C%40@one/db"]],
    ["postgres://u:a,b@one/db", ["postgres://u:a,b@one/db"]]
  ])("%s", (url, expected) => {
    assert.deepStrictEqual(of(url), expected)
  })
})
