import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { ConnectionStarts } from "../src/front/ConnectionStarts.ts"

const network = "192.0.2.7"

/** Connections of a network, each with its number; the numbers of those that were read, and of those that were closed. */
const connections = (starts: ConnectionStarts) => {
  const [read, closed]: [Array<number>, Array<number>] = [[], []]
  const enter = (number: number, name = network) => {
    const socket = { destroyed: false, destroy: () => void closed.push(number), on: () => socket }
    starts.enter(name, { socket: socket as never, start: () => void read.push(number) })
    return socket
  }
  return { read, closed, enter }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe("the connections of a network", () => {
  it("are read at once, whatever others do, up to a hundred faults", () => {
    const starts = new ConnectionStarts()
    const { enter, read } = connections(starts)
    starts.blame("198.51.100.1", 200)
    starts.blame(network, 99)
    for (const number of [1, 2, 3]) enter(number)
    expect(read).toEqual([1, 2, 3])
  })

  it("are read ten a second after a hundred faults, in their order, without those that have gone", () => {
    const starts = new ConnectionStarts()
    const { enter, read } = connections(starts)
    starts.blame(network, 101)
    const [, gone] = [enter(1), enter(2), enter(3)]
    enter(9, "198.51.100.1")
    expect(read).toEqual([9])
    gone.destroyed = true
    vi.advanceTimersByTime(99)
    expect(read).toEqual([9])
    vi.advanceTimersByTime(1)
    expect(read).toEqual([9, 1])
    vi.advanceTimersByTime(200)
    expect(read).toEqual([9, 1, 3])
  })

  it("are read at once again when the faults are forgotten, ten a second and never more than two hundred", () => {
    const starts = new ConnectionStarts()
    const { enter, read } = connections(starts)
    for (let fault = 0; fault < 10_000; fault += 1) starts.blame(network, 100)
    vi.advanceTimersByTime(9_900)
    enter(1)
    expect(read).toEqual([])
    vi.advanceTimersByTime(200)
    expect(read).toEqual([1])
    enter(2)
    expect(read).toEqual([1, 2])
  })

  it("wait 256 at a time; further ones are closed, and all that wait when the host stops", () => {
    const starts = new ConnectionStarts()
    const { closed, enter, read } = connections(starts)
    starts.blame(network, 200)
    for (let number = 1; number <= 258; number += 1) enter(number)
    expect(closed).toEqual([257, 258])
    vi.advanceTimersByTime(100)
    starts.closeWaiting()
    vi.advanceTimersByTime(60_000)
    expect([read, closed.length]).toEqual([[1], 2 + 255])
  })

  it("wait 512 at a time of all networks, as long as they wait", () => {
    const starts = new ConnectionStarts()
    const { closed, enter } = connections(starts)
    const flood = ["one", "two", "three"]
    for (const name of flood) starts.blame(name, 200)
    for (const name of flood) for (let number = 1; number <= 250; number += 1) enter(number, name)
    expect(closed.length).toBe(750 - 512)
    vi.advanceTimersByTime(60_000)
    for (const name of flood) starts.blame(name, 200)
    enter(1, "three")
    starts.closeWaiting()
    for (let number = 1; number <= 250; number += 1) enter(number, "two")
    expect(closed.length).toBe(750 - 512 + 1)
  })

  it("are remembered of ten thousand networks, the latest to be blamed", () => {
    const starts = new ConnectionStarts()
    const { enter, read } = connections(starts)
    starts.blame("first", 200)
    starts.blame(network, 200)
    starts.blame("first", 1)
    for (let at = 0; at < 9_999; at += 1) starts.blame(`192.0.${at}`, 1)
    enter(1, "first")
    enter(2)
    expect(read).toEqual([2])
  })
})
