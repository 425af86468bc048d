import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** Settings of the shop, and what is kept with each order. */
export class Migration20261126000000 extends Migration {
  override async up(): Promise<void> {
    this.addSql("create table if not exists overa_settings (id int not null check (id = 1), texts jsonb not null, constraint overa_settings_pk primary key (id))")
    this.addSql("create table if not exists overa_order (order_id text not null, kept text not null, status text not null, receipts text not null, is_open boolean not null, heard int not null, constraint overa_order_pk primary key (order_id))")
    this.addSql("create index if not exists overa_order_open on overa_order (order_id) where is_open")
  }

  override async down(): Promise<void> {
    this.addSql("drop table if exists overa_order")
    this.addSql("drop table if exists overa_settings")
  }
}
