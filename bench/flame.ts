/**
 * A flame graph of a host that issues sales: the profile of its one thread with 64 connections, as an SVG. The width of a bar is its share of the time in
 * which the thread worked; a bar stands on the function that called it. What the profile counts before the code is compiled is in it too, so let it run long.
 *
 *   node --conditions=@overa/source bench/flame.ts [file, docs/pictures/flame-sale.svg] [seconds, 40]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { measure } from "./support/load.ts"
import { salePath } from "./support/salePath.ts"

const file = process.argv[2] ?? "docs/pictures/flame-sale.svg"
const seconds = Number(process.argv[3] ?? 40)
const connections = 64
const home = mkdtempSync(join(tmpdir(), "overa-flame-"))
process.env["OVERA_BENCH_PROFILE"] = home

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly children?: ReadonlyArray<number>
}

interface Profile {
  readonly nodes: ReadonlyArray<ProfileNode>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

/** A function as it was called from one chain of functions, with all its calls together. */
interface Bar {
  readonly name: string
  micros: number
  readonly upon: Map<string, Bar>
}

const newBar = (name: string): Bar => ({ name, micros: 0, upon: new Map() })

const nameOf = ({ callFrame: { functionName, lineNumber, url } }: ProfileNode): string => {
  const place = url.replace(/^file:\/\//, "").replace(/^.*\/node_modules\//, "").replace(process.cwd(), "").replace(/^\//, "")
  return `${functionName === "" ? "(anonymous)" : functionName}${place === "" ? "" : ` ${place}:${lineNumber + 1}`}`
}

const idle = new Set(["(idle)", "(program)"])

/** Adds what the node and what it called took, under the functions that called it. */
const barsOf = ({ nodes, samples, timeDeltas }: Profile): Bar => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const own = new Map<number, number>()
  samples.forEach((id, at) => own.set(id, (own.get(id) ?? 0) + (timeDeltas[at] ?? 0)))
  const add = (node: ProfileNode, under: Bar): number => {
    if (idle.has(node.callFrame.functionName)) return 0
    const name = nameOf(node)
    const bar = under.upon.get(name) ?? newBar(name)
    under.upon.set(name, bar)
    const micros = (own.get(node.id) ?? 0) + (node.children ?? []).reduce((sum, id) => sum + add(byId.get(id) as ProfileNode, bar), 0)
    bar.micros += micros
    return micros
  }
  const all = newBar("the host's thread")
  all.micros = (nodes[0]?.children ?? []).reduce((sum, id) => sum + add(byId.get(id) as ProfileNode, all), 0)
  return all
}

const [width, row, least] = [1_400, 17, 0.003]
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
const shades = ["#f4a261", "#e9c46a", "#e76f51", "#f2b880"]

const rectangles = (bar: Bar, whole: number, x: number, depth: number): ReadonlyArray<{ readonly depth: number; readonly svg: string }> => {
  const share = bar.micros / whole
  if (share < least) return []
  const wide = share * width
  const room = Math.floor((wide - 6) / 6.2)
  const label = room < 3 ? "" : `<text x="${(x + 3).toFixed(1)}" y="Y">${escaped(bar.name.length > room ? `${bar.name.slice(0, room - 1)}…` : bar.name)}</text>`
  const own = {
    depth,
    svg: `<g><title>${escaped(bar.name)}: ${(share * 100).toFixed(1)} %</title><rect x="${x.toFixed(1)}" y="T" width="${Math.max(0.5, wide - 0.5).toFixed(1)}" height="${row - 1}" fill="${shades[depth % shades.length]}"/>${label}</g>`
  }
  let at = x
  const upon = [...bar.upon.values()].toSorted((one, other) => other.micros - one.micros).flatMap((one) => {
    const drawn = rectangles(one, whole, at, depth + 1)
    at += (one.micros / whole) * width
    return drawn
  })
  return [own, ...upon]
}

const drawn = (all: Bar): string => {
  const bars = rectangles(all, all.micros, 0, 0)
  const height = (Math.max(...bars.map(({ depth }) => depth)) + 1) * row
  const placed = bars.map(({ depth, svg }) => {
    const top = height - (depth + 1) * row
    return svg.replace("y=\"T\"", `y="${top}"`).replace("y=\"Y\"", `y="${top + 12}"`)
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="10">\n<rect width="${width}" height="${height}" fill="#fff"/>\n${placed.join("\n")}\n</svg>\n`
}

const server = await startPostgresServer("flame", { durable: true })
try {
  const path = await salePath(server.url("postgres"), 1, { runs: "source" })
  const { perSecond } = await measure(path.sell(1), connections, seconds)
  await path.stop()
  const [name] = readdirSync(home).filter((each) => each.endsWith(".cpuprofile"))
  if (name === undefined) throw new Error("the host has written no profile")
  const all = barsOf(JSON.parse(readFileSync(join(home, name), "utf8")) as Profile)
  writeFileSync(file, drawn(all))
  process.stdout.write(`${Math.round(perSecond)} sales a second while it was profiled; ${file}\n`)
} finally {
  rmSync(home, { recursive: true, force: true })
  await server.destroy()
}
