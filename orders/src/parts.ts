import { rounded, sum, thousandths } from "./decimals.ts"

/** A quantity of a position at one price: a receipt's line, or the rest of one. */
export interface Part {
  /** Thousandths. */
  readonly quantity: bigint
  /** Paras. */
  readonly unitPrice: bigint
  /** Paras; what these come to. */
  readonly amount: bigint
}

const atPrice = (quantity: bigint, unitPrice: bigint): Part => ({ quantity, unitPrice, amount: rounded(quantity * unitPrice, thousandths) })

/**
 * Lines that come to exactly `amount`: one where a price of two decimals does it, otherwise whole units at two prices that are one para apart, and what is less
 * than one unit by itself. `preferred` is the price to keep where it fits.
 */
export const partsOf = (amount: bigint, quantity: bigint, preferred: bigint | null): ReadonlyArray<Part> => {
  const even = rounded(amount * thousandths, quantity)
  for (const price of preferred === null ? [even] : [preferred, even]) {
    if (atPrice(quantity, price).amount === amount) return [atPrice(quantity, price)]
  }
  const price = (amount * thousandths) / quantity
  const [whole, broken] = [quantity / thousandths, quantity % thousandths]
  const dearer = (brokenPrice: bigint): bigint => amount - atPrice(broken, brokenPrice).amount - whole * price
  const brokenPrice = dearer(price) > whole ? price + 1n : price
  const parts = [
    atPrice((whole - dearer(brokenPrice)) * thousandths, price),
    atPrice(dearer(brokenPrice) * thousandths, price + 1n),
    atPrice(broken, brokenPrice)
  ]
  return parts.filter((part) => part.quantity > 0n)
}

/** What is taken of each part, and what is left of it. */
export interface Taking<P extends Part> {
  readonly taken: ReadonlyArray<P>
  readonly left: ReadonlyArray<P>
}

/** What a quantity of a part costs: as in a refund, the rest of a part is what earlier takings leave of its money. */
const costOf = (part: Part, quantity: bigint): bigint => {
  const asked = rounded(quantity * part.unitPrice, thousandths)
  return quantity === part.quantity || asked > part.amount ? part.amount : asked
}

const costOfAll = (parts: ReadonlyArray<Part>, quantities: ReadonlyArray<bigint>): bigint => sum(parts.map((part, at) => costOf(part, quantities[at] ?? 0n)))

/** How much of each part makes a quantity: what is less than a unit from a part that has just this, whole units from the cheapest, the rest from the first. */
const choose = (parts: ReadonlyArray<Part>, quantity: bigint): ReadonlyArray<bigint> => {
  const chosen = parts.map(() => 0n)
  const broken = quantity % thousandths
  const exact = parts.findIndex((part) => broken > 0n && part.quantity % thousandths === broken)
  if (exact >= 0) chosen[exact] = broken
  let wanted = exact >= 0 ? quantity - broken : quantity
  const cheapest = parts.map((part, at) => ({ part, at })).sort((one, other) => one.part.unitPrice === other.part.unitPrice ? 0 : one.part.unitPrice < other.part.unitPrice ? -1 : 1)
  for (const unit of [thousandths, 1n]) {
    for (const { at, part } of cheapest) {
      const has = part.quantity - (chosen[at] ?? 0n)
      const taken = has < wanted ? has : wanted
      const whole = taken - taken % unit
      chosen[at] = (chosen[at] ?? 0n) + whole
      wanted -= whole
    }
  }
  return chosen
}

/** The same quantity with dearer units in place of cheaper ones, or the reverse, so that it costs the amount; null where no exchange of two prices does it. */
const exchanged = (parts: ReadonlyArray<Part>, chosen: ReadonlyArray<bigint>, amount: bigint): ReadonlyArray<bigint> | null => {
  const lacking = amount - costOfAll(parts, chosen)
  for (const [from, cheap] of parts.entries()) {
    for (const [to, dear] of parts.entries()) {
      const apart = dear.unitPrice - cheap.unitPrice
      if (apart === 0n || lacking % apart !== 0n || lacking / apart < 0n) continue
      const moved = (lacking / apart) * thousandths
      const changed = chosen.map((quantity, at) => at === from ? quantity - moved : at === to ? quantity + moved : quantity)
      const isThere = changed.every((quantity, at) => quantity >= 0n && quantity <= (parts[at]?.quantity ?? 0n))
      if (isThere && costOfAll(parts, changed) === amount) return changed
    }
  }
  return null
}

/**
 * Takes a quantity of parts. Units of a position may differ by a para: where `amount` is known, those are taken that cost it, if there are such.
 */
export const takeFrom = <P extends Part>(parts: ReadonlyArray<P>, quantity: bigint, amount: bigint | null = null): Taking<P> | null => {
  if (sum(parts.map((part) => part.quantity)) < quantity) return null
  const cheapest = choose(parts, quantity)
  const chosen = amount === null ? cheapest : exchanged(parts, cheapest, amount) ?? cheapest
  const taken: Array<P> = []
  const left: Array<P> = []
  for (const [at, part] of parts.entries()) {
    const taking = chosen[at] ?? 0n
    const cost = costOf(part, taking)
    if (taking > 0n) taken.push({ ...part, quantity: taking, amount: cost })
    if (taking < part.quantity) left.push({ ...part, quantity: part.quantity - taking, amount: part.amount - cost })
  }
  return { taken, left }
}

export const amountOf = (parts: ReadonlyArray<Part>): bigint => sum(parts.map(({ amount }) => amount))
