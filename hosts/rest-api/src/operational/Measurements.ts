import type { SubmissionOutcome } from "@overa/domain"
import type { RequestLog, RequestLogEntry } from "../http/RequestLog.ts"
import { Histogram, metric } from "@overa/host-kit"

/** The status a submission gives its operation. */
const statusOf: Readonly<Record<SubmissionOutcome["_tag"], string>> = {
  Signed: "FISCALIZED",
  Rejected: "REJECTED",
  NotSent: "NOT_FISCALIZED",
  NoAnswer: "OUTCOME_UNKNOWN"
}

/** Measurements of this process since it started: requests, and the V-PFR's part of them. No label contains anything from a caller. */
export class Measurements {
  private readonly requests = new Histogram("overa_request_seconds", "Whole requests, by declared path and status.")
  private readonly own = new Histogram("overa_own_seconds", "Requests without the time spent waiting for the V-PFR.")
  private readonly vpfr = new Histogram("overa_vpfr_seconds", "Time requests spent in submissions to the V-PFR.")
  private readonly submissions = new Map<string, number>()
  private faults = 0

  request(entry: RequestLogEntry): void {
    const { method, route } = entry
    this.requests.observe({ method, route, status: String(entry.status) }, entry.ms / 1_000)
    this.own.observe({ route }, Math.max(entry.ms - entry.vpfrMs, 0) / 1_000)
    if (entry.submissions.length > 0) this.vpfr.observe({ route }, entry.vpfrMs / 1_000)
    for (const outcome of entry.submissions) {
      const status = statusOf[outcome]
      this.submissions.set(status, (this.submissions.get(status) ?? 0) + 1)
    }
  }

  /** The log, with every request measured as it is logged. */
  measuring(log: RequestLog): RequestLog {
    return {
      request: (entry) => {
        this.request(entry)
        log.request(entry)
      },
      fault: (...fault) => {
        this.faults += 1
        log.fault(...fault)
      }
    }
  }

  text(): string {
    return [
      metric("overa_submissions_total", "counter", "Submissions to the V-PFR by the status they gave their operation.",
        Object.values(statusOf).map((status) => [{ status }, this.submissions.get(status) ?? 0] as const)),
      metric("overa_faults_total", "counter", "Requests that ended in an internal error.", [[{}, this.faults]]),
      this.requests.text(),
      this.own.text(),
      this.vpfr.text()
    ].join("")
  }
}
