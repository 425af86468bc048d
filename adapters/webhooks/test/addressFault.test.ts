import { addressFault } from "@overa/adapter-webhooks"
import { describe, expect, it } from "vitest"

describe("the addresses that events are sent to", () => {
  it.each(["8.8.8.8", "93.184.216.34", "172.15.255.255", "172.32.0.0", "192.167.255.255", "11.0.0.0", "2606:2800:220:1:248:1893:25c8:1946", "2a00:1450:4001::1"])(
    "%s is of the internet", (address) => {
      expect(addressFault(address)).toBeUndefined()
    })

  it.each([
    "127.0.0.1", "127.255.255.255", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.0.1", "192.0.2.1",
    "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fc00::1", "fd12:3456::1", "fec0::1", "ff02::1", "::ffff:127.0.0.1",
    "::ffff:7f00:1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001::1", "2001:db8::1", "3fff::1", "100::1"
  ])("%s is not", (address) => {
    expect(addressFault(address)).toMatch(/is not an address of the internet$/)
  })
})
