import { passwordFault } from "@overa/domain"
import { assert, describe, it } from "vitest"
import { commonPasswordDigests } from "../src/commonPasswordDigests.ts"
import { isCommonPassword, wordsToRefuse } from "../src/commonPasswords.ts"

/** From the beginning, the middle and the end of the first 10 000 of eight characters or more. */
const known = [
  "password", "12345678", "123456789", "baseball", "football", "qwertyuiop", "1234567890", "superman", "1qaz2wsx", "trustno1", "jennifer", "sunshine", "iloveyou", "starwars", "computer",
  "michelle", "11111111", "princess", "1qaz2wsx3edc", "q1w2e3r4t5y6", "123qweasdzxc", "qazwsxedcrfv", "motherfucker", "finalfantasy", "administrator", "needforspeed", "unbelievable"
]

const context = { email: "ana@primer.rs", organizations: [], isCommon: isCommonPassword }

describe("the most common passwords", () => {
  it("of eight characters or more are known: ten thousand, and what is left of others without digits around", () => {
    for (const word of known) assert.isTrue(isCommonPassword(word), word)
    const count = Buffer.from(commonPasswordDigests, "base64").length / 4
    assert.isAbove(count, 15_000)
  })

  it("are refused as they are, with digits and signs around, with digits for letters, and twice", () => {
    const varied = [
      "administrator", "unbelievable", "motherfucker", "FinalFantasy", "1qaz2wsx3edc", "baseball2026", "2026football!", "Superman#1234", "sunshine....12", "B@s3b@11 2026", "st@rwars9999", "computercomputer",
      "michelle-michelle", "princess12345678"
    ]
    for (const password of varied) assert.strictEqual(passwordFault(password, context), "TOO_COMMON", password)
  })

  it("leave what people are told to choose, a few words, and what a password manager makes", () => {
    const good = ["tri plave kornjače", "шест црвених кућа", "correct horse battery staple", "sedam malih tigrova", "cetiri zelena kofera", "Xk9#vQ2m!Lp7Zr4w", "nOZ0hH3Yk6x1Qd_-", "dragon eats the computer"]
    for (const password of good) assert.isNull(passwordFault(password, context), password)
  })

  it("are chosen from a list by how common they are, without regard to capitals", () => {
    assert.deepStrictEqual(wordsToRefuse(["Dragon12", "123456", "dragon", "abc1", "DRAGON12", "1hello2"]), ["dragon12", "dragon", "hello"])
  })
})
