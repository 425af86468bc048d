import { logoInProcess } from "@overa/adapter-renderers/logo"
import { Branding, BrandingStore, DeliveryActs, DeliverySettings, type LogoMediaType } from "@overa/domain"
import { Command } from "commander"
import { Effect, Result, Schema } from "effect"
import { extname } from "node:path"
import type { Desk } from "../Desk.ts"
import { namedTaxpayer } from "../input/named.ts"
import { fileBytes, fileText } from "../input/readFiles.ts"
import { Refusal } from "../Refusal.ts"
import { asAct, withExamples } from "./describe.ts"

const mediaTypes: Readonly<Record<string, LogoMediaType>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".svg": "image/svg+xml"
}

const logoOf = Effect.fnUntraced(function*(path: string | null) {
  if (path === null) return null
  const mediaType = mediaTypes[extname(path).toLowerCase()]
  if (mediaType === undefined) return yield* new Refusal({ sentence: "A logo is a .png, .jpg or .svg file." })
  return { mediaType, bytes: yield* fileBytes(path) }
})

const branding = (desk: Desk) =>
  asAct(
    new Command("branding").description("a new version for receipts from now on; those already issued keep theirs").argument("<taxpayer>")
      .option("--logo <file>", "PNG, JPEG or SVG").option("--line <text...>", "contact lines under the logo").option("--note-file <file>", "the thank-you note")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const { organizationId, taxpayer } = yield* namedTaxpayer(yield* input.id("taxpayer", input.argument(0)))
      const act = yield* input.act
      const notePath = input.text("noteFile")
      const given = {
        logo: yield* logoOf(input.text("logo")),
        contactLines: input.texts("line"),
        thankYouNote: notePath === null ? null : (yield* fileText(notePath)).trimEnd()
      }
      const read = Schema.decodeUnknownResult(Branding)(given)
      if (Result.isFailure(read)) return yield* new Refusal({ sentence: `This branding cannot be used: ${read.failure.message.replaceAll(/\s+/g, " ")}` })
      // Converted here, once: only a bitmap of limited size is stored, and nothing else is ever drawn.
      const logo = read.success.logo === null ? null : yield* logoInProcess(read.success.logo)
      if (read.success.logo !== null && logo === null) {
        return yield* new Refusal({ sentence: "This logo cannot be drawn: its file is damaged, or takes too long." })
      }
      const branding = { ...read.success, logo }
      const id = yield* (yield* BrandingStore).save(act, { organizationId, environment: taxpayer.environment }, taxpayer.id, branding)
      return { text: `Receipts of ${taxpayer.name} carry branding ${id} from now on.`, json: { brandingId: id } }
    })
  ))

const delivery = (desk: Desk) =>
  asAct(
    new Command("delivery").description("receipts by e-mail: on or off, and the sender's name").argument("<taxpayer>").argument("<on-or-off>")
      .option("--sender <name>", "the name messages come from; else the taxpayer's")
      .option("--reply-to <address>", "where buyers' answers go")
      .option("--locale <locale>", "sr-Cyrl, sr-Latn or en; else sr-Cyrl")
      .option("--format <format...>", "what is attached: pdf-a4, pdf-80mm, pdf-58mm, official-text; else the preferred paper's PDF")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const enabled = (yield* input.choice("delivery", input.argument(1), ["on", "off"])) === "on"
      const formats = input.texts("format")
      const given = {
        enabled,
        senderName: input.text("sender"),
        replyTo: input.text("replyTo"),
        locale: input.text("locale") ?? "sr-Cyrl",
        formats: formats.length === 0 ? null : formats
      }
      const read = Schema.decodeUnknownResult(DeliverySettings)(given)
      if (Result.isFailure(read)) {
        return yield* new Refusal({ sentence: `These settings cannot be used: ${read.failure.message.replaceAll(/\s+/g, " ")}` })
      }
      const settings = read.success
      const { organizationId, taxpayer } = yield* namedTaxpayer(yield* input.id("taxpayer", input.argument(0)))
      yield* (yield* DeliveryActs).changeDelivery(yield* input.act, organizationId, taxpayer.id, settings)
      return { text: `Delivery for ${taxpayer.name} is ${enabled ? "on" : "off"}.`, json: settings }
    })
  ))

/** `shops`: what a taxpayer shows its buyers. */
export const shops = (desk: Desk): Command =>
  withExamples(
    new Command("shops").description("a taxpayer's branding and e-mail delivery").addCommand(branding(desk)).addCommand(delivery(desk)),
    [
      `shops branding <taxpayer> --logo logo.svg --line "Knjižara Zora" --line "011 123 456" --reason "new logo"`,
      `shops delivery <taxpayer> on --sender "Knjižara Zora" --reply-to kontakt@example.rs --reason "asked for by the Owner"`
    ]
  )
