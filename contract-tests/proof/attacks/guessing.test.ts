import { SecondFactors } from "@overa/domain"
import { Effect, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { password, type StagePerson } from "../../src/portal/portalStage.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"
import { totpCode } from "../../src/support/totpCode.ts"

const networks = 10_000
const together = 20

// Behind a proxy that says where a request comes from.
const { client, rowsOf, stage } = sharedPortal(() => Promise.resolve({ OVERA_TRUST_PROXY: "true" }))

/** The address number `index` of a subscriber's own: every one in another network of 48 bits. */
const addressOf = (index: number): string => `2001:${(index + 1).toString(16)}:7::${(index % 60_000).toString(16)}`

interface HalfSession {
  readonly session: string
  readonly proof: string
}

/** A sign-in of somebody who knows the password. */
const halfSession = async (person: StagePerson): Promise<HalfSession> => {
  const session = await stage.session(person, "PASSWORD")
  return { session, proof: await client.proof(session) }
}

const tryCode = ({ proof, session }: HalfSession, code: string, options: { readonly address?: string; readonly device?: string } = {}) =>
  client.ask("POST", "/sign-in/code", { session, form: { proof, code }, ...options })

/** A code that is wrong now and around now. */
const wrongCode = (index: number): string => {
  const right = [-60_000, -30_000, 0, 30_000, 60_000].map((offset) => totpCode(stage.operatorSecret, Date.now() + offset))
  const [code = ""] = Array.from({ length: right.length + 1 }, (_, step) => String((index * 7 + step) % 1_000_000).padStart(6, "0")).filter((it) => !right.includes(it))
  return code
}

const linesAbout = (person: StagePerson) =>
  rowsOf<{ readonly after: string }>("select after from activity_log where act = 'second factor refused' and subject = $1", [person.email])

const openItems = (person: StagePerson) => rowsOf<{ readonly detail: string }>("select detail from attention where kind = 'SECOND_FACTOR_GUESSED' and person_id = $1 and acknowledged_at is null", [person.id])

describe("who knows a password does not find the second factor", () => {
  it(`by guessing from ${networks} networks`, async () => {
    const { OPERATOR } = stage.people
    const sessions: Array<HalfSession> = []
    const answers: Array<number> = []
    let next = 0
    const guesser = async (): Promise<void> => {
      let half = await halfSession(OPERATOR)
      sessions.push(half)
      while (next < networks) {
        const index = next
        next += 1
        const { headers, status } = await tryCode(half, wrongCode(index), { address: addressOf(index) })
        // A sign-in that has ended is begun again.
        if (status === 303) half = await halfSession(OPERATOR)
        else answers.push(status)
        if (status === 429) assert.match(String(headers["retry-after"]), /^[1-9]\d*$/)
      }
    }
    await Promise.all(Array.from({ length: together }, guesser))
    const judged = answers.filter((status) => status === 422).length
    // Ten are judged at once; one more after a minute, another one two minutes later.
    assert.isAtLeast(judged, 10)
    assert.isAtMost(judged, 12)
    assert.strictEqual(answers.filter((status) => status === 429).length, answers.length - judged)
    const lines = await linesAbout(OPERATOR)
    assert.strictEqual(lines.length, judged, "each wrong code stands in the activity log")
    assert.include(lines[0]?.after ?? "", "2001:")
    assert.strictEqual((await openItems(OPERATOR)).length, 1, "the operator is told once")
  }, 300_000)

  it("and the rightful person signs in meanwhile, from a device that has signed in before", async () => {
    const { OPERATOR } = stage.people
    const device = await knownDevice(OPERATOR)
    // On a slow machine a minute has passed since the last judged code: the next wrong one takes the place of this minute.
    const isBraked = async (index: number) => (await tryCode(await halfSession(OPERATOR), wrongCode(index), { address: addressOf(index) })).status === 429
    assert.isTrue(await isBraked(1) || await isBraked(2))
    const half = await halfSession(OPERATOR)
    assert.strictEqual((await tryCode(half, totpCode(stage.operatorSecret), { address: addressOf(1) })).status, 429)
    const right = await tryCode(half, totpCode(stage.operatorSecret), { address: addressOf(1), device })
    assert.strictEqual(right.status, 303)
    assert.strictEqual(right.location, "/")
  })

  it("because the person's own sign-in from a new network does not begin the count again", async () => {
    const { OPERATOR } = stage.people
    await rowsOf("delete from portal_guesses")
    await rowsOf("update people set totp_last_step = null where person_id = $1", [OPERATOR.id])
    const guess = async (index: number) => (await tryCode(await halfSession(OPERATOR), wrongCode(index), { address: addressOf(index) })).status
    for (let index = 0; index < 9; index += 1) assert.strictEqual(await guess(index), 422)
    assert.strictEqual((await tryCode(await halfSession(OPERATOR), totpCode(stage.operatorSecret), { address: addressOf(20) })).status, 303)
    assert.deepStrictEqual([await guess(9), await guess(10)], [422, 429])
  })

  it("with more than five codes in one sign-in", async () => {
    const { OPERATOR } = stage.people
    await rowsOf("delete from portal_guesses")
    const device = await knownDevice(OPERATOR)
    const half = await halfSession(OPERATOR)
    for (let count = 0; count < 5; count += 1) assert.strictEqual((await tryCode(half, wrongCode(count), { device })).status, 422)
    const ended = await tryCode(half, totpCode(stage.operatorSecret, Date.now() + 30_000), { device })
    assert.strictEqual(ended.status, 303)
    assert.match(ended.location, /^\/sign-in\?ended=/)
    assert.include((await client.get(ended.location)).text, "Превише погрешних кодова")
    assert.match((await client.get("/sign-in/code", { session: half.session })).location, /^\/sign-in/, "the password is asked again")
  })

  it("from the networks of one subscriber, which are one network", async () => {
    const { OPERATOR } = stage.people
    await rowsOf("delete from portal_guesses")
    const address = (index: number): string => `2001:db8:7:${index.toString(16)}::1`
    for (let count = 0; count < 5; count += 1) assert.strictEqual((await tryCode(await halfSession(OPERATOR), wrongCode(count), { address: address(count) })).status, 422)
    await rowsOf("update portal_guesses set last_at = now() + interval '10 minutes'")
    assert.strictEqual((await tryCode(await halfSession(OPERATOR), wrongCode(5), { address: address(5) })).status, 429)
  })
})

/** The mark of a browser in which the person has signed in completely. */
const knownDevice = async (person: StagePerson): Promise<string> => {
  await rowsOf("update people set totp_last_step = null where person_id = $1", [person.id])
  const kept = await rowsOf<{ readonly guess_key: string; readonly failures: number; readonly last_at: Date }>("delete from portal_guesses returning guess_key, failures, last_at")
  const signedIn = await tryCode(await halfSession(person), totpCode(stage.operatorSecret), { address: "192.0.2.77" })
  for (const { failures, guess_key, last_at } of kept) {
    await rowsOf("insert into portal_guesses (guess_key, failures, last_at) values ($1, $2, $3) on conflict (guess_key) do update set failures = $2, last_at = $3", [guess_key, failures, last_at])
  }
  await rowsOf("update people set totp_last_step = null where person_id = $1", [person.id])
  assert.strictEqual(signedIn.status, 303, signedIn.text)
  return signedIn.cookies.get("device") ?? ""
}

describe("a device that has signed in before", () => {
  it("is not known any more after the password or the second factor was changed", async () => {
    const { OPERATOR, SUPPORT } = stage.people
    const guess = (device: string) => client.ask("POST", "/sign-in", { address: "192.0.2.31", device, form: { email: SUPPORT.email, password: "wrong wrong wrong" } })
    const signIn = () => client.ask("POST", "/sign-in", { address: "192.0.2.32", form: { email: SUPPORT.email, password } })
    const [first, session] = await signIn().then(({ cookies }) => [cookies.get("device") ?? "", cookies.get("session") ?? ""] as const)
    for (let count = 0; count < 5; count += 1) assert.strictEqual((await guess("")).status, 422)
    await rowsOf("update portal_guesses set last_at = now() + interval '10 minutes'")
    assert.strictEqual((await guess(first)).status, 422)
    const changed = await client.send("/account/password", session, { current: password, next: `${password} ${password}` })
    assert.strictEqual(changed.location, "/account?done=password-changed")
    assert.strictEqual((await guess(first)).status, 429, "known before the change only")
    assert.strictEqual((await guess(changed.cookies.get("device") ?? "")).status, 422, "the browser of the change is known")

    const device = await knownDevice(OPERATOR)
    await stage.run(Effect.flatMap(Effect.service(SecondFactors), (it) => it.setAuthenticator({ actor: "test", reason: "test" }, OPERATOR.id, Redacted.make(stage.operatorSecret), null)))
    await rowsOf("delete from portal_guesses")
    for (let count = 0; count < 10; count += 1) assert.strictEqual((await tryCode(await halfSession(OPERATOR), wrongCode(count), { address: addressOf(count), device })).status, 422)
    assert.strictEqual((await tryCode(await halfSession(OPERATOR), wrongCode(10), { address: addressOf(10), device })).status, 429)
  })
})

it("a session that was left open sets no second factor without the password, not even the first one", async () => {
  const { ACCOUNTANT } = stage.people
  const secret = "A".repeat(32)
  const set = async (more: Readonly<Record<string, string>>) => client.send("/account/second-factor", await stage.session(ACCOUNTANT), { secret, code: totpCode(secret), ...more })
  assert.strictEqual((await set({})).status, 422)
  assert.strictEqual((await set({ current: "not the password" })).status, 422)
  assert.deepStrictEqual(await rowsOf("select 1 from people where person_id = $1 and totp_secrets is not null", [ACCOUNTANT.id]), [])
  assert.strictEqual((await set({ current: password })).location, "/account?done=second-factor-set")
})

describe("whoever is slowed down is told when to try again", () => {
  it("with 429 and Retry-After at the password, too", async () => {
    const guess = () => client.ask("POST", "/sign-in", { address: "192.0.2.99", form: { email: stage.people.SUPPORT.email, password: `not ${password}` } })
    for (let count = 0; count < 5; count += 1) assert.strictEqual((await guess()).status, 422)
    await rowsOf("update portal_guesses set last_at = now() + interval '10 minutes'")
    const { headers, status } = await guess()
    assert.strictEqual(status, 429)
    assert.match(String(headers["retry-after"]), /^[1-9]\d*$/)
  })

  it("when an authenticator is set up", async () => {
    const session = await stage.session(stage.people.ADMINISTRATOR)
    const secret = "A".repeat(32)
    const answers: Array<number> = []
    for (let count = 0; count < 6; count += 1) answers.push((await client.send("/account/second-factor", session, { secret, code: "000000", current: password })).status)
    assert.deepStrictEqual(answers.slice(0, 5), [422, 422, 422, 422, 422])
    assert.strictEqual(answers[5], 429)
  })
})
