import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type pg from "pg"
import { cpuMillis } from "../../contract-tests/src/support/hostProcess.ts"

/** Shown in `pg_stat_activity` by the sealer's connections. */
export const sealerName = "bench-sealer"

/** Processor time of the servers of a program's connections, in milliseconds. */
export const serverCpuMillis = async (client: pg.Client, applicationName: string): Promise<number> => {
  const { rows } = await client.query<{ readonly pid: number }>("select pid from pg_stat_activity where application_name = $1", [applicationName])
  return rows.reduce((sum, { pid }) => sum + cpuMillis(pid), 0)
}

/** A worker that seals, in a separate process. It is started once, because its hot code must be compiled, and works only while it is allowed to. */
export const startSealer = async (url: string, keys: string, client: pg.Client) => {
  const child: ChildProcess = fork(fileURLToPath(new URL("../journal-log.ts", import.meta.url)), ["sealer", url, keys], { execArgv: ["--conditions=@overa/source"] })
  await once(child, "message")
  const tell = async (word: "work" | "rest"): Promise<void> => {
    child.send(word)
    await once(child, "message")
  }
  return {
    work: () => tell("work"),
    rest: () => tell("rest"),
    /** Of the worker process, and of the server processes of its connections. */
    cpuMillis: async () => ({ worker: cpuMillis(child.pid ?? 0), server: await serverCpuMillis(client, sealerName) }),
    stop: async () => {
      child.kill()
      await once(child, "exit")
    }
  }
}
