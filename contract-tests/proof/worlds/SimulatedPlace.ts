import type { License, PremiseForIssuing, SecurityElement } from "@overa/domain"
import { DateTime, Option } from "effect"
import { asStored, elements, placeWith, type SimulatedElement } from "./place.ts"
import type { World } from "./World.ts"

/** Why nothing new may be issued, whatever is asked for. */
export type Shut = "released" | "licence ended" | "certificate ended"

const refusals: Readonly<Record<string, Shut>> = {
  TaxpayerNotFound: "released",
  LicenseExpired: "licence ended",
  ActiveSecurityElementRequired: "certificate ended"
}

/** What a refusal says of the place; null where it says nothing of it. */
export const shutBy = (refusal: string): Shut | null => refusals[refusal] ?? null

/** A time in which nothing new may be issued: true time, without end while it lasts. */
export interface ShutPeriod {
  readonly why: Shut
  readonly from: number
  until: number
}

/** A request that was refused for where it would have been issued. */
export interface RefusedAtPlace {
  readonly key: string
  readonly why: Shut
  readonly askedAt: number
  readonly heardAt: number
}

const instant = (millis: number): DateTime.Utc => DateTime.toUtc(DateTime.makeUnsafe(millis))

/** Where a world's documents are issued: its taxpayer, which may be released; its licence, which may end; its active element, whose certificate may end. */
export class SimulatedPlace {
  element: SimulatedElement = elements[0]
  readonly periods: Array<ShutPeriod> = []
  readonly refused: Array<RefusedAtPlace> = []
  readonly #world: World
  readonly #ends = new Map<string, number>()
  /** A planted bug: what the operator has released goes on issuing. */
  readonly #forgetsRelease: boolean
  /** A planted bug: a licence never ends. */
  readonly #forgetsLicense: boolean

  constructor(world: World, plantedBug: string | null) {
    this.#world = world
    this.#forgetsRelease = plantedBug === "released-and-issuing"
    this.#forgetsLicense = plantedBug === "licence-without-end"
  }

  /** From now on nothing new may be issued. */
  shut(why: Shut): void {
    this.#world.meet(why)
    this.#world.say(`the shop's ${why === "released" ? "taxpayer is released" : `${why.split(" ")[0]} has ended`}`)
    this.periods.push({ why, from: this.#world.now, until: Infinity })
    if (why === "certificate ended") this.#ends.set(this.element.jid, this.#world.now)
  }

  /** A person has put it right. */
  reopen(why: Shut): void {
    this.#world.say(`a person puts right: ${why}`)
    for (const period of this.periods) if (period.why === why && period.until === Infinity) period.until = this.#world.now
  }

  isShut(why: Shut): boolean {
    return this.periods.some((period) => period.why === why && period.until === Infinity)
  }

  /** Whether the V-PFR takes the element's certificate. */
  isValid(jid: string): boolean {
    return this.#world.now < (this.#ends.get(jid) ?? Infinity)
  }

  /** As the tenancy directory shows it. */
  get premise(): Option.Option<PremiseForIssuing> {
    if (this.isShut("released") && !this.#forgetsRelease) return Option.none()
    return Option.some(placeWith(this.element, this.#ends.get(this.element.jid) ?? null))
  }

  /** As the tenancy directory lists them. */
  get elements(): ReadonlyArray<SecurityElement> {
    return elements.map((element) => {
      const end = this.#ends.get(element.jid)
      return end === undefined ? asStored(element) : { ...asStored(element), validTo: instant(end) }
    })
  }

  get license(): License {
    const end = this.periods.find((period) => period.why === "licence ended" && period.until === Infinity)
    return { startsAt: instant(0), expiresAt: end === undefined || this.#forgetsLicense ? null : instant(end.from), suspended: false, modules: ["advance", "email"] }
  }
}
