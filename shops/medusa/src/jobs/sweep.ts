import type { Container } from "../kept/Database.ts"
import { sweep } from "../kept/fiscalizer.ts"

export default (container: Container): Promise<void> => sweep(container)

export const config = { name: "overa-sweep", schedule: "*/30 * * * * *" }
