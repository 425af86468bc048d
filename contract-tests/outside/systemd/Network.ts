import { execFileSync, spawnSync } from "node:child_process"
import { createServer, connect, type Server, type Socket } from "node:net"

/** A network of this computer that machines are in: a bridge, and a network namespace with one address for each machine. */
export class Network {
  readonly bridge = `ov${process.pid % 100_000}`
  /** This computer's address in it. */
  readonly gateway = "10.77.0.254"
  private readonly namespaces: Array<string> = []
  private readonly forwarders: Array<Server> = []
  private readonly sockets = new Set<Socket>()

  constructor() {
    if (spawnSync("which", ["ip"]).status !== 0) throw new Error("ip is not installed: apt-get install iproute2")
    this.ip("link", "add", this.bridge, "type", "bridge")
    this.ip("addr", "add", `${this.gateway}/24`, "dev", this.bridge)
    this.ip("link", "set", this.bridge, "up")
  }

  /** Adds a namespace whose only way out is the bridge; answers its path. */
  add(number: number): string {
    const name = `${this.bridge}n${number}`
    const [outside, inside] = [`${this.bridge}h${number}`, `${this.bridge}m${number}`]
    this.ip("netns", "add", name)
    this.namespaces.push(name)
    this.ip("link", "add", outside, "type", "veth", "peer", "name", inside)
    this.ip("link", "set", inside, "netns", name)
    this.ip("link", "set", outside, "master", this.bridge, "up")
    this.ip("-n", name, "addr", "add", `${this.addressOf(number)}/24`, "dev", inside)
    this.ip("-n", name, "link", "set", inside, "up")
    this.ip("-n", name, "link", "set", "lo", "up")
    return `/run/netns/${name}`
  }

  addressOf(number: number): string {
    return `10.77.0.${number}`
  }

  /** Lets the machines reach a port of this computer that only it itself can reach. */
  async forward(port: number): Promise<void> {
    const server = createServer((from) => {
      const to = connect(port, "127.0.0.1")
      for (const [one, other] of [[from, to], [to, from]] as const) {
        this.sockets.add(one)
        one.on("error", () => other.destroy()).on("close", () => {
          other.destroy()
          this.sockets.delete(one)
        }).pipe(other)
      }
    })
    await new Promise<void>((resolve) => server.listen(port, this.gateway, resolve))
    this.forwarders.push(server)
  }

  remove(): void {
    for (const server of this.forwarders) server.close()
    for (const socket of this.sockets) socket.destroy()
    for (const name of this.namespaces) spawnSync("ip", ["netns", "del", name])
    spawnSync("ip", ["link", "del", this.bridge])
  }

  private ip(...args: ReadonlyArray<string>): void {
    execFileSync("ip", [...args])
  }
}
