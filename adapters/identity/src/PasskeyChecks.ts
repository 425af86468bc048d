import { type NewPasskey, type Passkey, PasskeyChecks, PasskeyNotValid, type PasskeyQuestion, type PasskeySite, type PasskeyUse, type Person } from "@overa/domain"
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential
} from "@simplewebauthn/server"
import { decodeAttestationObject } from "@simplewebauthn/server/helpers"
import { Effect, Layer } from "effect"

/** What a site shows as its name beside the account. */
const siteName = "Overa"

/** A key and its certificate chain have some kilobytes; nothing longer is read. */
const longestAnswer = 16_000

/** The person is at the device and has given the password; whether the device also checks a finger or a PIN is left to it. */
const userVerification = "preferred"

// EdDSA, ES256 and RS256: what authenticators have. Node's newer algorithms are experimental.
const algorithms = [-8, -7, -257]

const listed = (known: ReadonlyArray<Passkey>) => known.map(({ id, transports }) => ({ id, transports: [...transports] }))

const askForNew = ({ host }: PasskeySite, person: Person, known: ReadonlyArray<Passkey>): Effect.Effect<PasskeyQuestion> =>
  Effect.promise(async () => {
    const options = await generateRegistrationOptions({
      rpName: siteName,
      rpID: host,
      userName: person.email,
      userDisplayName: person.name,
      userID: new Uint8Array(Buffer.from(person.id, "utf8")),
      attestationType: "none",
      supportedAlgorithmIDs: algorithms,
      excludeCredentials: listed(known),
      authenticatorSelection: { residentKey: "preferred", userVerification }
    })
    return { options: JSON.stringify(options), challenge: options.challenge }
  })

const askForUse = ({ host }: PasskeySite, known: ReadonlyArray<Passkey>): Effect.Effect<PasskeyQuestion> =>
  Effect.promise(async () => {
    const options = await generateAuthenticationOptions({ rpID: host, allowCredentials: listed(known), userVerification })
    return { options: JSON.stringify(options), challenge: options.challenge }
  })

const notValid = (cause: unknown) => new PasskeyNotValid({ cause })

// The library checks the whole answer and throws at the first thing that is wrong, whatever its type is.
const verified = <A>(answer: string, verify: (parsed: unknown) => Promise<A>): Effect.Effect<A, PasskeyNotValid> =>
  answer.length > longestAnswer
    ? Effect.fail(notValid("too long"))
    : Effect.tryPromise({ try: async () => verify(JSON.parse(answer) as unknown), catch: notValid })

const expected = ({ host, origin }: PasskeySite, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: host,
  requireUserVerification: false
})

// A browser that was asked for no attestation sends none, or a signature of the new key itself (§6.5.4). The library would follow an address in a
// certificate that anybody may have made.
const refuseCertificates = ({ response: { attestationObject } }: RegistrationResponseJSON): void => {
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, "base64url")))
  const isPlain = decoded.get("fmt") === "none" || (decoded.get("fmt") === "packed" && decoded.get("attStmt").get("x5c") === undefined)
  if (!isPlain) throw new Error("an attestation that was not asked for")
}

const readNew = (site: PasskeySite, challenge: string, answer: string): Effect.Effect<Omit<NewPasskey, "name">, PasskeyNotValid> =>
  verified(answer, async (parsed) => {
    const response = parsed as RegistrationResponseJSON
    refuseCertificates(response)
    const { registrationInfo } = await verifyRegistrationResponse({ response, supportedAlgorithmIDs: algorithms, ...expected(site, challenge) })
    if (registrationInfo === undefined) throw new Error("the answer does not verify")
    const { counter, id, publicKey, transports = [] } = registrationInfo.credential
    return { id, counter, publicKey, transports: transports.filter((it) => /^[a-z-]{1,32}$/.test(it)).slice(0, 10) }
  })

const credentialOf = (known: ReadonlyArray<Passkey>, id: string): WebAuthnCredential => {
  const found = known.find((it) => it.id === id)
  if (found === undefined) throw new Error("no passkey of this person")
  return { id, publicKey: new Uint8Array(found.publicKey), counter: found.counter }
}

const readUse = (site: PasskeySite, challenge: string, answer: string, known: ReadonlyArray<Passkey>): Effect.Effect<PasskeyUse, PasskeyNotValid> =>
  verified(answer, async (parsed) => {
    const response = parsed as AuthenticationResponseJSON
    const credential = credentialOf(known, response.id)
    const { authenticationInfo, verified: isValid } = await verifyAuthenticationResponse({ response, credential, ...expected(site, challenge) })
    if (!isValid) throw new Error("the signature does not verify")
    return { id: credential.id, counter: authenticationInfo.newCounter }
  })

/** Passkeys by the checks of Web Authentication Level 3, §7.1 and §7.2; no attestation is asked for, so any authenticator may be used. */
export const layerPasskeyChecks: Layer.Layer<PasskeyChecks> = Layer.succeed(PasskeyChecks, PasskeyChecks.of({ askForNew, readNew, askForUse, readUse }))
