import { Inject } from "@nestjs/common"
import { EventBus, PluginCommonModule, ProcessContext, RequestContextService, TransactionalConnection, VendurePlugin } from "@vendure/core"
import { customFields } from "./customFields.ts"
import { Fiscalizer } from "./Fiscalizer.ts"
import { OveraOrder } from "./OveraOrder.ts"
import { keepRawBody, ReceiptPages } from "./ReceiptPages.ts"

export { ReceiptIssued } from "./ReceiptIssued.ts"
export type { ShownReceipt } from "../../shared/src/sendStep.ts"

/** Fiscal receipts for the orders of a Vendure shop. What it needs to know is filled in at the default channel. */
// oxlint-disable-next-line typescript/no-extraneous-class -- Vendure knows its plugins by their classes.
export class OveraPlugin {}

Inject(TransactionalConnection)(ReceiptPages, undefined, 0)
Inject(Fiscalizer)(ReceiptPages, undefined, 1)

VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: "^3.7.0",
  entities: [OveraOrder],
  controllers: [ReceiptPages],
  providers: [{
    provide: Fiscalizer,
    inject: [TransactionalConnection, EventBus, RequestContextService, ProcessContext],
    useFactory: (connection: TransactionalConnection, eventBus: EventBus, contexts: RequestContextService, process: ProcessContext) => new Fiscalizer(connection, eventBus, contexts, process)
  }],
  configuration: (config) => {
    config.customFields.Channel.push(...(customFields.Channel ?? []))
    config.customFields.Order.push(...(customFields.Order ?? []))
    config.apiOptions.middleware.push({ route: "/overa/webhooks", handler: keepRawBody, beforeListen: true })
    return config
  }
})(OveraPlugin)
