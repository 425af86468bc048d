import { scaleBand, scaleLinear } from "d3-scale"
import { BigDecimal } from "effect"
import { el, type Html } from "./el.ts"

/** One bar of a chart. */
export interface Bar {
  readonly name: string
  readonly value: BigDecimal.BigDecimal
  /** The value in words, shown when a pointer rests on the bar. */
  readonly shown: string
}

interface Picture {
  readonly label: string
  readonly bars: ReadonlyArray<Bar>
  /** Numbers of the axis, in few characters. */
  readonly short: (value: number) => string
}

const width = 720

/** A length on the screen; amounts themselves are never floating-point numbers. */
const lengthOf = ({ value }: Bar): number => BigDecimal.toNumberUnsafe(value)

const extent = (bars: ReadonlyArray<Bar>): readonly [number, number] => [Math.min(0, ...bars.map(lengthOf)), Math.max(0, ...bars.map(lengthOf))]

const svg = (label: string, height: number, ...content: ReadonlyArray<Html>): Html =>
  el("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...content)

const barOf = (bar: Bar, place: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }): Html =>
  el("rect", { class: lengthOf(bar) < 0 ? "less" : "more", ...place }, el("title", {}, `${bar.name}: ${bar.shown}`))

/** As many names as fit on a telephone. */
const namesShown = 6

/** Whether there is anything to draw: a picture of nothing but zeros says less than a sentence. */
export const hasBars = (bars: ReadonlyArray<Pick<Bar, "value">>): boolean => bars.some(({ value }) => !BigDecimal.isZero(value))

/** Vertical bars, for days and months. The table beside the chart has the same numbers for readers who cannot see it. Nothing where all are 0. */
export const uprightBars = ({ bars, label, short }: Picture): Html => {
  if (!hasBars(bars)) return null
  const [left, top, bottom] = [110, 12, 212]
  const across = scaleBand().domain(bars.map(({ name }) => name)).range([left, width]).padding(0.2)
  const up = scaleLinear().domain(extent(bars)).nice(4).range([bottom, top])
  const every = Math.ceil(bars.length / namesShown)
  return svg(
    label,
    250,
    up.ticks(4).map((tick) => [
      el("line", { class: "grid", x1: left, x2: width, y1: up(tick), y2: up(tick) }),
      el("text", { x: left - 8, y: up(tick) + 5, "text-anchor": "end" }, short(tick))
    ]),
    bars.map((bar) => {
      const [zero, end] = [up(0), up(lengthOf(bar))]
      return barOf(bar, { x: across(bar.name) ?? left, y: Math.min(zero, end), width: across.bandwidth(), height: Math.abs(zero - end) })
    }),
    bars.map(({ name }, at) =>
      at % every === 0 ? el("text", { x: (across(name) ?? left) + across.bandwidth() / 2, y: 240, "text-anchor": "middle" }, name) : null)
  )
}

const perBar = 62

/** As much as fits beside the value on a telephone; the whole name is shown when a pointer rests on the bar. */
const longestName = 34

const shortened = (name: string): string => {
  const characters = [...name]
  return characters.length > longestName ? `${characters.slice(0, longestName).join("")}…` : name
}

/** Horizontal bars under their names. Nothing where all are 0. */
export const lyingBars = ({ bars, label }: Omit<Picture, "short">): Html => {
  if (!hasBars(bars)) return null
  const across = scaleLinear().domain(extent(bars)).range([0, width])
  return svg(
    label,
    bars.length * perBar,
    bars.map((bar, at) => {
      const [zero, end] = [across(0), across(lengthOf(bar))]
      return [
        el("text", { x: 0, y: at * perBar + 26 }, shortened(bar.name)),
        el("text", { x: width, y: at * perBar + 26, "text-anchor": "end" }, bar.shown),
        barOf(bar, { x: Math.min(zero, end), y: at * perBar + 34, width: Math.abs(zero - end), height: 18 })
      ]
    })
  )
}
