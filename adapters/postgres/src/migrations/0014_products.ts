import type { Migration } from "./Migration.ts"

// Why: the catalogue (Spec, Catalogue operations).
//
// - Skus are compared and ordered byte by byte, whatever the database's collation, so that exports are the same everywhere.
// - Lists run newest first; the two indexes serve the four combinations of taxpayer and activity (a list without activity reads both halves).
//   They hold for rows of any kind but are candidates only for the queries that name `created_at` (docs/adr/0030).
// - `search_text` is what a search looks at, folded; `search_grams` are numbers of its parts of one to three characters, made with the
//   organization and environment, so that one organization's search reads nothing of another's, without an extension (docs/adr/0081).
export const products: Migration = {
  number: 14,
  name: "products",
  statements: [
    `create table products (
      organization_id uuid not null,
      product_id uuid not null,
      environment text not null,
      taxpayer_id uuid not null,
      sku text collate "C" not null,
      gtin text,
      name text not null,
      unit_of_measure text,
      gross_unit_price numeric(14, 2) not null,
      tax_labels text[] not null,
      is_active boolean not null,
      search_text text not null,
      search_grams integer[] not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint products_pk primary key (organization_id, product_id),
      constraint products_taxpayer_fk foreign key (organization_id, taxpayer_id) references taxpayers (organization_id, taxpayer_id),
      constraint products_environment_known check (environment in ('sandbox', 'production')),
      constraint products_price_not_negative check (gross_unit_price >= 0),
      constraint products_labelled check (cardinality(tax_labels) >= 1)
    )`,
    `create unique index products_sku_unique on products (organization_id, taxpayer_id, sku) where sku is not null`,
    `create index products_of_taxpayer on products (organization_id, taxpayer_id, is_active, created_at, product_id) where created_at is not null`,
    `create index products_of_environment on products (organization_id, environment, is_active, created_at, product_id) where created_at is not null`,
    `create index products_search on products using gin (search_grams)`,
    `create trigger products_identity_immutable
      before update of organization_id, product_id, environment, taxpayer_id, created_at on products
      for each row execute function refuse_change('changing whose a product is')`,
    `create trigger products_kept before delete or truncate on products
      for each statement execute function refuse_change('deleting products')`,
    `analyze products`
  ]
}
