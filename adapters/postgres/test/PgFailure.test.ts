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
    ["a broken session", "08006", "unknown"],
    ["an error between the servers of a cluster", "XX000", "unknown"],
    ["a statement whose end the server does not know", "40003", "unknown"]
  ])("%s (%s): %s", (_title, code, committed) => {
    const failure = classifySqlError(fromServer(code))
    assert.strictEqual(failure.committed, committed)
    assert.strictEqual(failure.sqlState, code)
    assert.strictEqual(failure.constraint, "some_name")
    assert.strictEqual(isConflict(failure), code === "40001" || code === "40P01")
  })

  it.each([
    ["the server's field", { constraint: "operations_key_unique", message: "whatever" }, "operations_key_unique"],
    [
      "the message of a cluster, which has the field empty and its part's number behind the name",
      { constraint: "", message: "duplicate key value violates unique constraint \"operations_invoice_number_unique_102169\"" },
      "operations_invoice_number_unique"
    ],
    ["no message of another kind", { constraint: "", message: "column \"a\" of constraint \"b\"", code: "42703" }, null]
  ])("the violated constraint is read from %s", (_title, fields, constraint) => {
    const cause = Object.assign(new Error(fields.message), { severity: "ERROR", code: "23505", ...fields })
    assert.strictEqual(classifySqlError(new SqlError({ reason: new UnknownError({ cause, operation: "query" }) })).constraint, constraint)
  })

  it("a taken key that a cluster found while it copied rows to another server is a taken key, and nothing was stored", () => {
    const reported = (message: string) => classifySqlError(new SqlError({ reason: new UnknownError({ cause: Object.assign(new Error(message), { severity: "ERROR", code: "XX000" }), operation: "query" }) }))
    const { committed, constraint, sqlState } = reported("duplicate key value violates unique constraint \"products_sku_unique_102193\"")
    assert.deepStrictEqual([sqlState, constraint, committed], ["23505", "products_sku_unique", "no"])
    assert.strictEqual(reported("could not commit transaction for shard 102193 on at least one active node").committed, "unknown")
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
