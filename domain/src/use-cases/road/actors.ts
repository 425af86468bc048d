import type { Installation } from "../../ports/Installation.ts"

type Host = Pick<Installation["Service"], "hostId">

/** This host serving a caller, as transitions name it. */
export const apiActor = ({ hostId }: Host): string => `api:${hostId}`
/** This host's worker. */
export const workerActor = ({ hostId }: Host): string => `worker:${hostId}`
/** A person of the installation, by name. */
export const operatorActor = (name: string): string => `operator:${name}`
