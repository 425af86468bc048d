import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { text as textOf } from "node:stream/consumers"
import { setTimeout as pause } from "node:timers/promises"

/** What a command in the machine ended with. */
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const bootSeconds = 60

/** Services of this computer that the machine would start a second time, on the same ports. */
const wanted = "etc/systemd/system/multi-user.target.wants"

/** Two machines in one control group would end each other's processes. $1: its name; the rest: the command. */
const inOwnControlGroup = `name=$1; shift
[ -e /sys/fs/cgroup/cgroup.controllers ] && tops=/sys/fs/cgroup || tops=/sys/fs/cgroup/*
for top in $tops; do
  [ -e "$top/cgroup.procs" ] && mkdir -p "$top/$name" || continue
  for file in cpuset.cpus cpuset.mems; do [ ! -e "$top/$file" ] || cat "$top/$file" >"$top/$name/$file"; done
  echo $$ >"$top/$name/cgroup.procs" || true
done 2>/dev/null
exec "$@"`

/**
 * A Debian machine whose first process is systemd: this computer's own files, with everything that is written going to a folder of its own
 * (`systemd-nspawn` over an overlay). It shares this computer's network, so that tests reach its services at 127.0.0.1, unless it is given a
 * network namespace of its own. Needs root.
 */
export class Machine {
  /** The machine's files, as the machine sees them before it is booted. */
  readonly root: string
  private readonly home: string
  private readonly namespace: string | null
  private container: ChildProcess | null = null

  constructor(namespace: string | null = null) {
    this.namespace = namespace
    if (process.getuid?.() !== 0) throw new Error("systemd runs here only for root: run this test as root")
    for (const program of ["systemd-nspawn", "nsenter", "pgrep", "mount"]) {
      if (spawnSync("which", [program]).status !== 0) throw new Error(`${program} is not installed: apt-get install systemd systemd-container util-linux procps`)
    }
    this.home = mkdtempSync(join(tmpdir(), "overa-machine-"))
    this.root = join(this.home, "root")
    for (const name of ["root", "upper", "work"]) mkdirSync(join(this.home, name))
    execFileSync("mount", ["-t", "overlay", "overlay", "-o", `lowerdir=/,upperdir=${this.home}/upper,workdir=${this.home}/work`, this.root])
    for (const name of readdirSync(join(this.root, wanted))) rmSync(join(this.root, wanted, name))
    // A machine of its own has an id of its own.
    rmSync(join(this.root, "etc/machine-id"), { force: true })
    writeFileSync(join(this.root, "etc/machine-id"), "")
  }

  /** Boots, and waits until systemd has started everything. */
  async boot(): Promise<void> {
    this.container = spawn("sh", ["-c", inOwnControlGroup, "sh", basename(this.home), "systemd-nspawn", "--directory", this.root, "--boot", "--register=no", "--keep-unit", "--link-journal=no", "--console=read-only", "--quiet",
      `--machine=${basename(this.home)}`, ...(this.namespace === null ? [] : [`--network-namespace-path=${this.namespace}`])], { stdio: ["ignore", "ignore", "inherit"] })
    const until = performance.now() + bootSeconds * 1_000
    while (performance.now() < until) {
      await pause(200)
      if (this.container.exitCode !== null) throw new Error(`systemd-nspawn ended with ${this.container.exitCode}`)
      if (this.leader !== null && /^(?:running|degraded)/.test((await this.try("systemctl", "is-system-running")).out)) return
    }
    throw new Error(`systemd was not ready within ${bootSeconds} s: ${(await this.try("systemctl", "list-jobs")).out}`)
  }

  /** The machine's first process, as this computer numbers it; null while there is none. */
  get leader(): number | null {
    if (this.container?.pid === undefined) return null
    const { stdout } = spawnSync("pgrep", ["--parent", String(this.container.pid)], { encoding: "utf8" })
    return /^\d+/.test(stdout) ? Number(stdout.split("\n")[0]) : null
  }

  /** Runs a command in the machine, as its root. */
  async try(...command: ReadonlyArray<string>): Promise<Ended> {
    const child = spawn("nsenter", ["--target", String(this.leader), "--mount", "--uts", "--ipc", "--net", "--pid", "--root", "--", "sh", "-c", "cd / && exec \"$@\"", "sh", ...command],
      { env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" }, stdio: ["ignore", "pipe", "pipe"] })
    const ended = once(child, "close") as Promise<[number | null]>
    const [out, err] = await Promise.all([textOf(child.stdout), textOf(child.stderr)])
    return { code: (await ended)[0], out, err }
  }

  /** Runs a command that must succeed; answers what it wrote. */
  async do(...command: ReadonlyArray<string>): Promise<string> {
    const { code, err, out } = await this.try(...command)
    if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${err}${out}`)
    return out
  }

  /** Runs the commands of a page, as a person pastes them: the first that fails ends it. */
  paste(commands: string): Promise<string> {
    return this.do("bash", "-euc", commands)
  }

  /** One property of a unit, as `systemctl show` tells it. */
  async property(unit: string, name: string): Promise<string> {
    return (await this.do("systemctl", "show", "--value", "--property", name, unit)).trim()
  }

  write(file: string, text: string, mode = 0o644): void {
    const path = this.path(file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode })
  }

  read(file: string): string {
    return readFileSync(this.path(file), "utf8")
  }

  copy(from: string, to: string): void {
    mkdirSync(dirname(this.path(to)), { recursive: true })
    cpSync(from, this.path(to), { recursive: true })
  }

  /** A file of the machine, as this computer names it; what is mounted in the machine is seen while it runs. */
  path(file: string): string {
    return this.leader === null ? join(this.root, file) : join(`/proc/${this.leader}/root`, file)
  }

  /** Switches the machine off as a person does: every service is stopped first. */
  async shutDown(): Promise<void> {
    if (this.container === null || this.container.exitCode !== null) return
    this.container.kill("SIGTERM")
    while (this.container.exitCode === null && this.container.signalCode === null) await pause(100)
    this.container = null
  }

  /** The machine loses its power. */
  async cutPower(): Promise<void> {
    const { container, leader } = this
    if (container === null || leader === null) return
    process.kill(leader, "SIGKILL")
    while (container.exitCode === null && container.signalCode === null) await pause(50)
    this.container = null
  }

  async remove(): Promise<void> {
    await this.shutDown()
    spawnSync("umount", [this.root])
    spawnSync("sh", ["-c", `find /sys/fs/cgroup -depth -type d -path '*/${basename(this.home)}*' -exec rmdir {} + 2>/dev/null`])
    rmSync(this.home, { recursive: true, force: true })
  }
}

/** The shell commands of a page under a heading: its first block, or the one that contains `having`. */
export const blockOf = (page: string, heading: string, having = ""): string => {
  const section = page.split(/^## /m).find((text) => text.startsWith(heading)) ?? ""
  const block = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text).find((text) => text.includes(having))
  if (block === undefined) throw new Error(`the page has no commands under "${heading}"`)
  return block
}
