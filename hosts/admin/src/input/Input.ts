import type {
  AccessOversight,
  Act,
  BusinessPremiseId,
  FiscalDocumentId,
  OrganizationId,
  PortalSessions,
  SecurityElementId,
  StoreUnavailable,
  TaxpayerId
} from "@overa/domain"
import { DateTime, Effect, Option } from "effect"
import type { AdminConfig } from "../AdminConfig.ts"
import { Refusal } from "../Refusal.ts"
import type { Surroundings } from "../Surroundings.ts"
import { actorOf, sessionVariable } from "./operator.ts"

interface Ids {
  readonly organization: OrganizationId
  readonly taxpayer: TaxpayerId
  readonly premise: BusinessPremiseId
  readonly element: SecurityElementId
  readonly operation: FiscalDocumentId
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The arguments and options of one call, read on demand; a fault is reported in one sentence. */
export class Input {
  readonly config: AdminConfig
  readonly surroundings: Surroundings
  private readonly args: ReadonlyArray<string>
  private readonly options: Readonly<Record<string, unknown>>

  constructor(
    given: {
      readonly args: ReadonlyArray<string>
      readonly options: Readonly<Record<string, unknown>>
      readonly config: AdminConfig
      readonly surroundings: Surroundings
    }
  ) {
    this.args = given.args
    this.options = given.options
    this.config = given.config
    this.surroundings = given.surroundings
  }

  /** An argument by its position; commander has checked that required ones are given. */
  argument(place: number): string {
    return this.args[place] ?? ""
  }

  /** The arguments from a position on; there may be any number. */
  argumentsFrom(place: number): ReadonlyArray<string> {
    return this.args.slice(place)
  }

  text(option: string): string | null {
    const value = this.options[option]
    return typeof value === "string" && value !== "" ? value : null
  }

  texts(option: string): ReadonlyArray<string> {
    const value = this.options[option]
    return Array.isArray(value) ? value.map(String) : []
  }

  /** True for a flag, false for its `--no-` form, null when neither was given. */
  flag(option: string): boolean | null {
    const value = this.options[option]
    return typeof value === "boolean" ? value : null
  }

  id<Name extends keyof Ids>(kind: Name, text: string): Effect.Effect<Ids[Name], Refusal> {
    const id = text.toLowerCase()
    return uuid.test(id)
      ? Effect.succeed(id as Ids[Name])
      : Effect.fail(new Refusal({ sentence: `"${text}" is no ${kind} id: ids are UUIDs, as the lists show them.` }))
  }

  optionalId<Name extends keyof Ids>(kind: Name, option: string): Effect.Effect<Ids[Name] | null, Refusal> {
    const text = this.text(option)
    return text === null ? Effect.succeed(null) : this.id(kind, text)
  }

  /** One of a few words. */
  choice<const Words extends ReadonlyArray<string>>(name: string, text: string, words: Words): Effect.Effect<Words[number], Refusal> {
    return words.includes(text)
      ? Effect.succeed(text as Words[number])
      : Effect.fail(new Refusal({ sentence: `${name} must be one of ${words.join(", ")}, not "${text}".` }))
  }

  optionalChoice<const Words extends ReadonlyArray<string>>(option: string, words: Words): Effect.Effect<Words[number] | undefined, Refusal> {
    const text = this.text(option)
    return text === null ? Effect.succeed(undefined) : this.choice(`--${dashed(option)}`, text, words)
  }

  wholeNumber(option: string, fallback: number, most: number): Effect.Effect<number, Refusal> {
    const text = this.text(option)
    if (text === null) return Effect.succeed(fallback)
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    return number >= 1 && number <= most
      ? Effect.succeed(number)
      : Effect.fail(new Refusal({ sentence: `--${dashed(option)} must be a whole number from 1 to ${most}, not "${text}".` }))
  }

  /** `2026-08-29T10:30:00Z`, or a date alone for its beginning in UTC. */
  instant(option: string): Effect.Effect<DateTime.Utc | null, Refusal> {
    const text = this.text(option)
    if (text === null) return Effect.succeed(null)
    const full = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text
    const made = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/.test(full) ? DateTime.make(full) : Option.none()
    // A day that does not exist would be moved into the next month.
    const exists = Option.filter(made, (it) => !full.endsWith("Z") || DateTime.formatIso(it).slice(0, 10) === full.slice(0, 10))
    return Option.match(exists, {
      onNone: () => Effect.fail(new Refusal({ sentence: `--${dashed(option)} must be a date such as 2026-08-29 or 2026-08-29T10:30:00Z, not "${text}".` })),
      onSome: (it) => Effect.succeed(DateTime.toUtc(it))
    })
  }

  /** The operator's name and reason, for the activity log. */
  get act(): Effect.Effect<Act, Refusal | StoreUnavailable, AccessOversight | PortalSessions> {
    const reason = this.text("reason")
    if (reason === null) return Effect.fail(new Refusal({ sentence: "Say why with --reason; it goes to the activity log." }))
    const { environment, userName } = this.surroundings
    const claimed = this.text("operator") ?? environment["OVERA_OPERATOR"] ?? userName
    const who = actorOf({ token: environment[sessionVariable] ?? "", claimed, isSandbox: this.config.isSandbox })
    return Effect.map(who, (actor) => ({ actor, reason }))
  }

  /** Before an act that cannot be undone: `--yes`, or a person's confirmation. */
  confirm(consequence: string): Effect.Effect<void, Refusal> {
    const { ask } = this.surroundings
    if (this.flag("yes") === true) return Effect.void
    if (ask === null) return Effect.fail(new Refusal({ sentence: `${consequence} Repeat it with --yes if you are sure; nothing was changed.` }))
    return Effect.flatMap(Effect.promise(() => ask(`${consequence} Type yes to continue: `)), (answer) =>
      answer.trim() === "yes" ? Effect.void : Effect.fail(new Refusal({ sentence: "Nothing was changed." })))
  }
}

const dashed = (option: string): string => option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
