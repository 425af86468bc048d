import type { MemberVisit } from "../http/Visit.ts"

/** The row with which a page of a longer list begins, as its address says (`from-row`); 0 where it says none. */
export const firstRow = (visit: MemberVisit): number => Math.max(0, Math.trunc(Number(visit.query.get("from-row") ?? 0)) || 0)
