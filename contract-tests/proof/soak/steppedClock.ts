/** Loaded before a host (`NODE_OPTIONS=--import`): its clock is away from the machine's by the milliseconds in the file that `SOAK_CLOCK_FILE` names. */
import { readFileSync } from "node:fs"

const file = process.env["SOAK_CLOCK_FILE"] ?? ""
const Machine = Date
let away = 0

const look = (): void => {
  try {
    away = Number(readFileSync(file, "utf8"))
  } catch {
    away = 0
  }
}

look()
setInterval(look, 250).unref()

globalThis.Date = new Proxy(Machine, {
  construct: (target, args, asked) => Reflect.construct(target, args.length === 0 ? [Machine.now() + away] : args, asked) as object,
  apply: () => new Machine(Machine.now() + away).toString(),
  get: (target, name, receiver) => name === "now" ? () => Machine.now() + away : Reflect.get(target, name, receiver) as unknown
})
