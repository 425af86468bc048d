import { MedusaService, Module } from "@medusajs/framework/utils"

/** The module has no methods: it is there for its tables, which Medusa migrates with its own. */
class OveraModule extends MedusaService({}) {}

export default Module("overa", { service: OveraModule })
