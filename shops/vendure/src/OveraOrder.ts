import { Column, Entity, PrimaryColumn } from "typeorm"

/** The table `overa_order`, so that the shop's migrations make it; it is read and written by `KeptRow`. */
// oxlint-disable-next-line typescript/no-extraneous-class -- TypeORM knows tables by their classes.
export class OveraOrder {}

const column = (name: string, decorate: PropertyDecorator): void => decorate(OveraOrder.prototype, name)

Entity("overa_order")(OveraOrder)
column("orderId", PrimaryColumn("text", { name: "order_id" }))
column("kept", Column("text"))
column("status", Column("text"))
column("receipts", Column("text"))
column("isOpen", Column("boolean", { name: "is_open" }))
column("heard", Column("int"))
