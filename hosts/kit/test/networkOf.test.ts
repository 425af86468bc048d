import { describe, expect, it } from "vitest"
import { guessingNetworkOf, networkOf } from "../src/front/networkOf.ts"

describe("what is counted for an address", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["2001:db8:0:1:2:3:4:5", "2001:db8:0:1"],
    ["2001:0DB8:0000:0001::5", "2001:db8:0:1"],
    ["2001:db8:0:1::", "2001:db8:0:1"],
    ["2001:db8::5", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["1:2:3:4:5:6:7::", "1:2:3:4"],
    ["", ""],
    ["nonsense", "nonsense"]
  ])("%s is %s", (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["2001:db8:7:1:2:3:4:5", "2001:db8:7"],
    ["2001:DB8::5", "2001:db8:0"],
    ["::1", "0:0:0"]
  ])("guesses from %s are counted for %s", (address, network) => {
    expect(guessingNetworkOf(address)).toBe(network)
  })
})
