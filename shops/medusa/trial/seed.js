// Medusa's sample shop in dinars: a region, taxes in the prices, shipping, four products, a promotion of 7 percent, an administrator.
const { ContainerRegistrationKeys, Modules, ProductStatus } = require("@medusajs/framework/utils")
const flows = require("@medusajs/medusa/core-flows")
const { writeFileSync } = require("node:fs")

module.exports.default = async ({ container }) => {
  const run = async (workflow, input) => (await workflow(container).run({ input })).result
  const link = container.resolve(ContainerRegistrationKeys.LINK)
  const [channel] = await run(flows.createSalesChannelsWorkflow, { salesChannelsData: [{ name: "Web" }] })
  const [store] = await container.resolve(Modules.STORE).listStores()
  await run(flows.updateStoresWorkflow, { selector: { id: store.id }, update: { supported_currencies: [{ currency_code: "rsd", is_default: true, is_tax_inclusive: true }], default_sales_channel_id: channel.id } })
  const [region] = await run(flows.createRegionsWorkflow, { regions: [{ name: "Srbija", currency_code: "rsd", countries: ["rs"], payment_providers: ["pp_system_default"], is_tax_inclusive: true }] })
  await run(flows.createTaxRegionsWorkflow, [{ country_code: "rs", provider_id: "tp_system", default_tax_rate: { rate: 20, code: "pdv", name: "PDV" } }])
  const [location] = await run(flows.createStockLocationsWorkflow, { locations: [{ name: "Magacin", address: { city: "Beograd", country_code: "RS", address_1: "" } }] })
  await link.create({ [Modules.STOCK_LOCATION]: { stock_location_id: location.id }, [Modules.FULFILLMENT]: { fulfillment_provider_id: "manual_manual" } })
  const fulfillment = container.resolve(Modules.FULFILLMENT)
  const [profile] = await fulfillment.listShippingProfiles({ type: "default" })
  const profileId = profile?.id ?? (await run(flows.createShippingProfilesWorkflow, { data: [{ name: "Uobicajeno", type: "default" }] }))[0].id
  const set = await fulfillment.createFulfillmentSets({ name: "Dostava", type: "shipping", service_zones: [{ name: "Srbija", geo_zones: [{ country_code: "rs", type: "country" }] }] })
  await link.create({ [Modules.STOCK_LOCATION]: { stock_location_id: location.id }, [Modules.FULFILLMENT]: { fulfillment_set_id: set.id } })
  const [option] = await run(flows.createShippingOptionsWorkflow, [{
    name: "Kurir", price_type: "flat", provider_id: "manual_manual", service_zone_id: set.service_zones[0].id, shipping_profile_id: profileId,
    type: { label: "Kurir", description: "Za dva dana", code: "kurir" }, prices: [{ currency_code: "rsd", amount: 390 }],
    rules: [{ attribute: "enabled_in_store", value: "true", operator: "eq" }, { attribute: "is_return", value: "false", operator: "eq" }]
  }])
  await run(flows.linkSalesChannelsToStockLocationWorkflow, { id: location.id, add: [channel.id] })
  const product = (title, price) => ({
    title, status: ProductStatus.PUBLISHED, shipping_profile_id: profileId, sales_channels: [{ id: channel.id }], options: [{ title: "Vrsta", values: ["Obicna"] }],
    variants: [{ title: "Obicna", manage_inventory: false, options: { Vrsta: "Obicna" }, prices: [{ currency_code: "rsd", amount: price }] }]
  })
  const products = await run(flows.createProductsWorkflow, { products: [product("Majica", 1999), product("Duks", 4990.5), product("Kapa", 333.33), product("Carape", 0.99 + 249)] })
  await run(flows.createPromotionsWorkflow, {
    promotionsData: [{ code: "SEDAM", type: "standard", status: "active", is_automatic: false, application_method: { type: "percentage", target_type: "order", value: 7, currency_code: "rsd" } }]
  })
  const [key] = await run(flows.createApiKeysWorkflow, { api_keys: [{ title: "Web", type: "publishable", created_by: "" }] })
  await run(flows.linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] })
  writeFileSync(process.env.SEED_FILE, JSON.stringify({
    region: region.id, option: option.id, key: key.token, location: location.id, variants: products.map(({ variants }) => variants[0].id)
  }))
}
