import { connect } from "node:net"

/** How a caller leaves: a reset, an orderly end, or both directions closed at once. */
const waysToLeave = ["resetAndDestroy", "end", "destroy"] as const

/** Where the callers go, from which address, and the bytes of the request that the caller with this number begins. */
export interface LeftRequests {
  readonly port: number
  /** Default: each caller has an address of its own, so that none waits for the faults of another (`ConnectionStarts`). */
  readonly addressOf?: (caller: number) => string
  readonly bytesOf: (caller: number) => Promise<Buffer>
}

const ownAddress = (caller: number): string => `127.1.${Math.floor(caller / 250) % 250}.${1 + (caller % 250)}`

/** Sends the first bytes of a request, leaves at once or a moment later, and resolves when the connection is closed. Nothing waits for an answer. */
const leaveAfter = (port: number, localAddress: string, bytes: Buffer, turn: number): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress }, () => {
      socket.resume()
      const leave = (): void => void socket[waysToLeave[turn % waysToLeave.length] ?? "destroy"]()
      if (bytes.length === 0) return leave()
      socket.write(bytes, () => turn % 2 === 0 ? leave() : void setTimeout(leave, turn % 5))
    })
    socket.on("error", () => undefined).once("close", () => resolve())
  })

/** So many callers, `together` of them at a time. Half of them leave after the whole request; each other one leaves one byte later than the one before. */
export const leaveAtEveryByte = async ({ addressOf = ownAddress, bytesOf, port }: LeftRequests, callers: number, together = 64): Promise<void> => {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < callers) {
      const turn = next++
      const bytes = await bytesOf(turn)
      await leaveAfter(port, addressOf(turn), turn % 2 === 0 ? bytes : bytes.subarray(0, ((turn - 1) / 2) % bytes.length), turn)
    }
  }
  await Promise.all(Array.from({ length: together }, worker))
}
