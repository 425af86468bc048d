import {
  signInThrottles,
  guessingPause,
  isAlive,
  mayDo,
  MemberRole,
  passkeySite,
  passwordFault,
  readEmail,
  sessionLimits
} from "@overa/domain"
import { DateTime } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

describe("roles (Decisions §13)", () => {
  it("an Owner may do everything any role may", () => {
    const permissions = ["receipts:read", "receipts:send", "receipts:issue", "reports:read", "catalogue:read", "catalogue:write", "setup:read", "setup:write", "credentials:write", "activity:read", "members:write", "everything:take", "subscription:read"] as const
    for (const permission of permissions) assert.isTrue(mayDo("OWNER", permission))
    const of = (role: MemberRole) => permissions.filter((permission) => mayDo(role, permission))
    assert.deepStrictEqual(permissions.filter((it) => !of("ADMINISTRATOR").includes(it)), ["credentials:write", "members:write", "everything:take", "subscription:read"])
    assert.deepStrictEqual(of("ACCOUNTANT"), ["receipts:read", "reports:read", "catalogue:read", "setup:read", "activity:read", "subscription:read"])
    assert.deepStrictEqual(of("SUPPORT"), ["receipts:read", "receipts:send"])
  })
})

describe("a session (Decisions §13)", () => {
  const minute = 60_000
  const at = (millis: number) => DateTime.makeUnsafe(millis)

  it("lives at most twelve hours, and at most half an hour without use", () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 0, max: 800 }), (age, idle) => {
      const now = 10_000 * minute
      const alive = isAlive({ stage: "COMPLETE", createdAt: at(now - age * minute), seenAt: at(now - idle * minute) }, at(now))
      assert.strictEqual(alive, age < 12 * 60 && idle < 30)
    }))
  })

  it("ends after half an hour without use to the millisecond", () => {
    const of = (idle: number) => isAlive({ stage: "COMPLETE", createdAt: at(0), seenAt: at(minute) }, at(minute + idle))
    assert.deepStrictEqual([of(sessionLimits.idleMillis - 1), of(sessionLimits.idleMillis)], [true, false])
  })

  it("waits ten minutes for its second factor", () => {
    const stage = "PASSWORD" as const
    const now = 10_000 * minute
    const of = (millis: number) => isAlive({ stage, createdAt: at(now - millis), seenAt: at(now) }, at(now))
    assert.deepStrictEqual([of(sessionLimits.passwordStageMillis - 1), of(sessionLimits.passwordStageMillis)], [true, false])
  })
})

describe("guessing", () => {
  it("is free five times, then pauses that never shrink with more failures and end within a quarter of an hour", () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 4_000_000 }), (count, later) => {
      const pause = guessingPause({ count, lastAtMillis: 0 }, later)
      assert.isAtLeast(pause, 0)
      assert.isAtMost(pause + later, Math.max(later, 15 * 60_000))
      if (count < 5) assert.strictEqual(pause, 0)
      assert.isAtLeast(guessingPause({ count: count + 1, lastAtMillis: 0 }, later), pause)
    }))
    assert.strictEqual(guessingPause({ count: 2_000, lastAtMillis: 0 }, 60 * 60_000 + 1), 0)
    assert.deepStrictEqual([5, 6, 7].map((count) => guessingPause({ count, lastAtMillis: 0 }, 0)), [1_000, 2_000, 4_000])
  })

  it("of one account's codes from every network is judged fifteen times in an hour and 38 times in a day", () => {
    const judgedWithin = (millis: number): number => {
      let [count, now, lastAtMillis] = [0, 0, 0]
      while (now < millis) {
        now += guessingPause({ count, lastAtMillis }, now, signInThrottles.account)
        if (now >= millis) break
        count += 1
        lastAtMillis = now
      }
      return count
    }
    assert.deepStrictEqual([60 * 60_000, 24 * 60 * 60_000].map(judgedWithin), [15, 38])
    assert.strictEqual(guessingPause({ count: 1_000, lastAtMillis: 0 }, 24 * 60 * 60_000 + 1, signInThrottles.account), 0)
  })

  it("of one half-finished sign-in ends after five codes, for as long as it could last", () => {
    assert.strictEqual(guessingPause({ count: 4, lastAtMillis: 0 }, 0, signInThrottles.signIn), 0)
    assert.strictEqual(guessingPause({ count: 5, lastAtMillis: 0 }, 0, signInThrottles.signIn), sessionLimits.passwordStageMillis)
  })
})

const context = { email: "ana@primer.rs", organizations: [], isCommon: (word: string) => word === "dragon" }

describe("a new password", () => {
  it.each([
    ["kratka", "TOO_SHORT"],
    ["a".repeat(201), "TOO_LONG"],
    ["mojazora.petrovic12", "LIKE_EMAIL"],
    ["aaaaaaaaaaaa", "TOO_SIMPLE"],
    ["abcabcabcabc", "TOO_SIMPLE"],
    ["qwertyuiopasdf", "TOO_SIMPLE"],
    ["lozinka12345", "TOO_COMMON"],
    ["Лозинка12345", "TOO_COMMON"],
    ["Password123!!", "TOO_COMMON"],
    ["P@ssw0rd2026", "TOO_COMMON"],
    ["pa55word 2026", "TOO_COMMON"],
    ["1we1c0me 2026!", "TOO_COMMON"],
    ["dragondragon", "TOO_COMMON"],
    ["2026dragon!!!", "TOO_COMMON"],
    ["dragon-dragon", "TOO_COMMON"],
    ["d r a g o n 2026", "TOO_COMMON"],
    ["dragon lives there", null],
    ["Knjižara1985!", "LIKE_ORGANIZATION"],
    ["књижара на ћошку", "LIKE_ORGANIZATION"],
    ["moja zora i ja, doo", null],
    ["tri plave kornjače", null],
    ["шест црвених кућа", null],
    ["abcdabcadbca", "TOO_SIMPLE"],
    ["abcdeabcdabc", null]
  ])("%s: %s", (password, fault) => {
    assert.strictEqual(passwordFault(password, { ...context, email: "zora.petrovic@primer.rs", organizations: ["Књижара Зора д.о.о."] }), fault)
  })

  it("may have 200 characters and no more, an emoji counted as one", () => {
    const text = "тих плав коњ 😀".repeat(20)
    assert.strictEqual(passwordFault([...text].slice(0, 200).join(""), context), null)
    assert.strictEqual(passwordFault([...text].slice(0, 201).join(""), context), "TOO_LONG")
  })

  it("may not hold the name of the address, unless it is shorter than four characters", () => {
    assert.strictEqual(passwordFault("banana kornjača", context), null)
    assert.strictEqual(passwordFault("stara mira kuća", { ...context, email: "MIRA@primer.rs" }), "LIKE_EMAIL")
  })
})

describe("an e-mail address", () => {
  it.each([
    [" Ana@Primer.RS ", "ana@primer.rs"],
    ["ana@primer", null],
    // U+212A, the sign of the unit kelvin, is folded to a plain k.
    ["\u212Aosta@primer.rs", null],
    ["ana@\u212Ac.rs", null],
    ["\u0130van@primer.rs", null],
    ["ана@пример.срб", null],
    ["o'neill+shop=a@primer.co.rs", "o'neill+shop=a@primer.co.rs"],
    ["\"Ana\"@primer.rs", null],
    ["ana@primer..rs", null],
    ["ana@.rs", null],
    ["ana primer@x.rs", null],
    ["ana@x.rs\nbcc:b@x.rs", null],
    ["@x.rs", null],
    ["", null],
    [`${"a".repeat(249)}@x.rs`, `${"a".repeat(249)}@x.rs`],
    [`${"a".repeat(250)}@x.rs`, null]
  ])("%j is read as %s", (text, email) => {
    assert.strictEqual(readEmail(text), email)
  })
})

describe("the portal's site, for which browsers make passkeys", () => {
  it.each([
    ["https://portal.example.rs", "portal.example.rs"],
    ["https://portal.example.rs:8443", "portal.example.rs"],
    ["http://localhost:8080", "localhost"],
    ["https://10.0.0.7", null],
    ["https://[::1]:8443", null],
    ["https://10.example.rs", "10.example.rs"],
    ["https://a7", "a7"]
  ])("%s", (origin, host) => {
    assert.deepStrictEqual(passkeySite(origin), host === null ? null : { origin, host })
  })
})
