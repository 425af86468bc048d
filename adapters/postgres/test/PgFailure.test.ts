import { StoreUnavailable } from "@overa/domain"
import { Cause, Effect, Exit } from "effect"
import { ConnectionError, SqlError, UnknownError } from "effect/sql/SqlError"
import { assert, describe, it } from "vitest"
import { classifySqlError, isConflict, toStoreUnavailable } from "../src/PgFailure.ts"

const fromServer = (code: string, operation = "query") =>
  new SqlError({ reason: new UnknownError({ cause: Object.assign(new Error("server"), { severity: "ERROR", code, constraint: "some_name" }), operation }) })
const fromNetwork = (code: string, operation: string) =>
  new SqlError({ reason: new ConnectionError({ cause: Object.assign(new Error("network"), { code }), operation }) })

describe("whether a failed statement may have been committed", () => {
  it.each([
    ["a taken key", "23505", "no"],
    ["a serialization conflict", "40001", "no"],
    ["a deadlock", "40P01", "no"],
    ["a full disk", "53100", "no"],
    ["a standby that does not write", "25006", "no"],
    ["a statement that took too long", "57014", "no"],
    ["a lock that took too long", "55P03", "no"],
    ["an administrator's shutdown", "57P01", "unknown"],
    ["a crash of another session", "57P02", "unknown"],
    ["a broken session", "08006", "unknown"]
  ])("%s (%s): %s", (_title, code, committed) => {
    const failure = classifySqlError(fromServer(code))
    assert.strictEqual(failure.committed, committed)
    assert.strictEqual(failure.sqlState, code)
    assert.strictEqual(failure.constraint, "some_name")
    assert.strictEqual(isConflict(failure), code.startsWith("40"))
  })

  it.each([
    ["refused", fromNetwork("ECONNREFUSED", "connect"), "no"],
    ["too slow to connect", fromNetwork("ETIMEDOUT", "connect"), "no"],
    ["no room for another session", fromServer("53300", "connect"), "no"],
    ["starting up", fromServer("57P03", "connect"), "no"],
    ["reset on the way", fromNetwork("ECONNRESET", "query"), "unknown"],
    ["a broken pipe, whose code looks like the server's", fromNetwork("EPIPE", "query"), "unknown"]
  ])("%s", (_title, error, committed) => {
    assert.strictEqual(classifySqlError(error).committed, committed)
  })
})

describe("what the ports hear", () => {
  const heard = (code: string) => Effect.runSyncExit(toStoreUnavailable(classifySqlError(fromServer(code))))

  it("trouble of the store is the ports' error", () => {
    for (const code of ["53100", "57014", "40001", "25006", "57P01"]) {
      const exit = heard(code)
      assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StoreUnavailable, code)
    }
  })

  it("a statement that cannot be right is a defect, not bad weather", () => {
    for (const code of ["23514", "42703", "22001", "P0001"]) {
      const exit = heard(code)
      assert.isTrue(Exit.isFailure(exit) && exit.cause.reasons.every((reason) => reason._tag === "Die"), code)
    }
  })
})
