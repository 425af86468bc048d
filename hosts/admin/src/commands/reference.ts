import { createPublicKey, X509Certificate } from "node:crypto"
import { type Environment, InstallationActs, InstallationOversight, isJid } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { fileText } from "../input/readFiles.ts"
import { shownTime, table } from "../output/Outcome.ts"
import { Refusal } from "../Refusal.ts"
import { asAct, withExamples } from "./describe.ts"

const environments = ["sandbox", "production"] as const
const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

const readCertificate = (pem: string): Effect.Effect<X509Certificate, Refusal> =>
  Effect.try({ try: () => new X509Certificate(pem), catch: () => new Refusal({ sentence: "The file holds no PEM certificate that can be read." }) })

const namedIn = (file: string | undefined) =>
  Effect.forEach(file?.match(pemCertificate) ?? [], readCertificate)

const listRoots = (desk: Desk) =>
  new Command("roots").description("roots that elements may come from").action(desk.does((input) =>
    Effect.gen(function*() {
      const configured = yield* Effect.forEach(environments, (environment) =>
        Effect.map(namedIn(input.config.vpfr[environment]?.trustAnchors), (certificates) =>
          certificates.map((it) => ({ environment, source: "configuration", subject: it.subject, fingerprint: it.fingerprint256.replaceAll(":", ""), until: it.validTo }))))
      const keys = (yield* (yield* InstallationOversight).referenceKeys).filter((key) => key.kind === "TRUST_ROOT")
      const added = yield* Effect.forEach(keys, (key) =>
        Effect.map(readCertificate(key.pem), (it) => ({ environment: key.environment, source: "added", subject: it.subject, fingerprint: key.name, until: it.validTo })))
      const items = [...configured.flat(), ...added]
      const rows = items.map((it) => [it.environment, it.source, it.fingerprint.slice(0, 16), it.until, it.subject.replaceAll("\n", ", ")])
      return { text: table(["ENVIRONMENT", "SOURCE", "FINGERPRINT", "UNTIL", "SUBJECT"], rows, "No root is configured."), json: { items } }
    })
  ))

const addRoot = (desk: Desk) =>
  asAct(
    new Command("add-root").description("trusts one more root for uploaded elements; it can never be taken back").argument("<environment>").requiredOption("--pem <file>")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const environment: Environment = yield* input.choice("environment", input.argument(0), environments)
      const certificate = yield* readCertificate(yield* fileText(input.text("pem") ?? ""))
      if (!certificate.ca || !certificate.checkIssued(certificate)) return yield* new Refusal({ sentence: "The certificate is not a root: it is no CA, or somebody else issued it." })
      const name = certificate.fingerprint256.replaceAll(":", "")
      const act = yield* input.act
      yield* (yield* InstallationActs).addReferenceKey(act, { environment, kind: "TRUST_ROOT", name, pem: certificate.toString() })
      return { text: `Elements of ${environment} may now come from ${name.slice(0, 16)}.`, json: { environment, fingerprint: name } }
    })
  ))

const listSigners = (desk: Desk) =>
  new Command("signers").description("signers' keys, against which receipts found by hand are verified").action(desk.does(() =>
    Effect.gen(function*() {
      const keys = (yield* (yield* InstallationOversight).referenceKeys).filter((key) => key.kind === "SIGNER")
      return { text: table(["ENVIRONMENT", "JID", "ADDED"], keys.map((it) => [it.environment, it.name, shownTime(it.addedAt)])), json: { items: keys } }
    })
  ))

const publicKeyOf = (pem: string) => Effect.try({
  try: () => createPublicKey(pem),
  catch: () => new Refusal({ sentence: "The file holds no PEM certificate or public key that can be read." })
})

const addSigner = (desk: Desk) =>
  asAct(
    new Command("add-signer").description("records the key of one of the tax authority's signers; it can never be taken back")
      .argument("<environment>").argument("<jid>").requiredOption("--pem <file>", "certificate or public key")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const environment: Environment = yield* input.choice("environment", input.argument(0), environments)
      const jid = input.argument(1)
      if (!isJid(jid)) return yield* new Refusal({ sentence: "A signer's JID has eight letters and digits, in capitals or not as it is printed." })
      const key = yield* publicKeyOf(yield* fileText(input.text("pem") ?? ""))
      if (key.asymmetricKeyType !== "rsa") return yield* new Refusal({ sentence: "A signer's key is an RSA key." })
      const pem = key.export({ type: "spki", format: "pem" }).toString()
      yield* (yield* InstallationActs).addReferenceKey(yield* input.act, { environment, kind: "SIGNER", name: jid, pem })
      return { text: `Receipts of ${jid} are now verified.`, json: { environment, jid } }
    })
  ))

/** `reference`: trust roots and signers' keys. */
export const reference = (desk: Desk): Command =>
  withExamples(
    new Command("reference").description("trust roots and signers' keys")
      .addCommand(listRoots(desk)).addCommand(addRoot(desk)).addCommand(listSigners(desk)).addCommand(addSigner(desk)),
    [`reference roots`, `reference add-signer production AB12CD34 --pem signer.pem --reason "published by the tax authority"`]
  )
