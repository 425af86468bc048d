import { once } from "node:events"
import { createServer, type AddressInfo, type Server, type Socket } from "node:net"
import { setImmediate } from "node:timers/promises"
import type { EnvironmentName } from "../EnvironmentName.ts"
import type { FaultBoard } from "../faults/FaultBoard.ts"

/** A TLS alert record: fatal, handshake_failure. */
const handshakeFailure = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28])

const clientAddress = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort}`

/** In front of the TLS server: it counts connection attempts, refuses or breaks them as the faults require, and can close every open connection. */
export class ConnectionGate {
  readonly #server: Server
  /** By the client's address, which also identifies the TLS socket above. */
  readonly #open = new Map<string, Socket>()
  readonly #faults: FaultBoard
  readonly #environment: EnvironmentName
  #address: { readonly host: string; port: number }

  constructor(
    faults: FaultBoard,
    environment: EnvironmentName,
    address: { readonly host: string; readonly port: number },
    admit: (socket: Socket) => void
  ) {
    this.#faults = faults
    this.#environment = environment
    this.#address = { ...address }
    this.#server = createServer({ noDelay: true }, (socket) => {
      const client = clientAddress(socket)
      this.#open.set(client, socket)
      socket.on("close", () => this.#open.delete(client))
      socket.on("error", () => socket.destroy())
      this.#decide(socket, admit)
    })
  }

  #decide(socket: Socket, admit: (socket: Socket) => void): void {
    const fate = this.#faults.fateOfConnection(this.#environment)
    if (fate === null) admit(socket)
    else if (fate === "refuse-connection") socket.resetAndDestroy()
    else socket.once("data", () => socket.end(handshakeFailure))
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.#address)
    await once(this.#server, "listening")
    this.#address.port = (this.#server.address() as AddressInfo).port
  }

  async open(): Promise<number> {
    await this.#listen()
    return this.#address.port
  }

  /** Accepts or refuses connections as the faults require; connect faults also close open ones (Decisions §9). */
  async follow(): Promise<void> {
    if (this.#faults.hasConnectFault(this.#environment)) await this.#closeOpen()
    const refuses = this.#faults.refusesAll(this.#environment)
    if (refuses && this.#server.listening) await this.#shut()
    else if (!refuses && !this.#server.listening) await this.#listen()
  }

  /** Cuts a connection with a TCP reset, which a TLS socket cannot do by itself. */
  reset(connection: Socket): void {
    this.#open.get(clientAddress(connection))?.resetAndDestroy()
  }

  async #closeOpen(): Promise<void> {
    const closed = [...this.#open.values()].map((socket) => once(socket, "close"))
    for (const socket of this.#open.values()) socket.destroy()
    await Promise.all(closed)
    // Two turns, so that a client in this same process has noticed the close before the fault is confirmed.
    for (let turn = 0; turn < 2; turn++) await setImmediate()
  }

  async #shut(): Promise<void> {
    const closed = once(this.#server, "close")
    this.#server.close()
    await this.#closeOpen()
    await closed
  }

  async close(): Promise<void> {
    if (this.#server.listening) await this.#shut()
  }
}
