import { bootstrap, Channel, DefaultJobQueuePlugin, DefaultLogger, dummyPaymentHandler, JobQueueService, LogLevel, PaymentMethodHandler, TransactionalConnection } from "@vendure/core"
import { populate } from "@vendure/core/cli/index.js"
import { EmailPlugin } from "@vendure/email-plugin"
import { randomUUID } from "node:crypto"
import { writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

// The shop is populated before the plugin is there, as one that runs already.
const act = process.env.ACT ?? "run"
const plugged = act === "populate" ? [] : [(await import("@overa/vendure-plugin")).OveraPlugin]
const handlers = act === "populate" ? [] : [(await import("@overa/vendure-plugin/mail")).receiptMail]

const pages = process.env.WITH_ADMIN === "1" ? [(await import("@vendure/admin-ui-plugin")).AdminUiPlugin.init({ route: "admin", port: Number(process.env.SHOP_PORT) })] : []

const assets = join(dirname(createRequire(import.meta.url).resolve("@vendure/create/package.json")), "assets")
const database = new URL(process.env.DATABASE_URL)

/** Three tenths of what is owed, settled at once. */
const depositHandler = new PaymentMethodHandler({
  code: "deposit-handler",
  description: [{ languageCode: "en", value: "Deposit" }],
  args: {},
  createPayment: (_ctx, _order, amount) => ({ amount: Math.round(amount * 0.3), state: "Settled" }),
  settlePayment: () => ({ success: true })
})

const keepMail = ({ attachments, body, recipient, subject }) => {
  const files = attachments.map(({ content, contentType, filename }) => ({ filename, contentType, starts: Buffer.from(content).subarray(0, 5).toString() }))
  writeFileSync(join(process.env.MAIL_FOLDER, `${randomUUID()}.json`), JSON.stringify({ recipient, subject, body, files }))
}

const config = {
  apiOptions: { port: Number(process.env.SHOP_PORT), hostname: "127.0.0.1", adminApiPath: "admin-api", shopApiPath: "shop-api" },
  authOptions: { tokenMethod: ["bearer"], superadminCredentials: { identifier: "superadmin", password: "superadmin" }, requireVerification: false },
  dbConnectionOptions: {
    type: "postgres", synchronize: act !== "run", logging: false, host: database.hostname, port: Number(database.port), database: database.pathname.slice(1),
    username: decodeURIComponent(database.username), password: decodeURIComponent(database.password)
  },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler, depositHandler] },
  importExportOptions: { importAssetsDir: join(assets, "images") },
  logger: new DefaultLogger({ level: LogLevel.Warn }),
  plugins: [
    DefaultJobQueuePlugin.init({ useDatabaseForBuffer: true }),
    EmailPlugin.init({
      handlers, templatePath: join(import.meta.dirname, "templates"), transport: { type: "testing", onSend: keepMail },
      globalTemplateVars: { fromAddress: '"Prodavnica" <prodavnica@primer.example>' }
    }),
    ...plugged,
    ...pages
  ]
}

if (act === "populate") {
  const initial = createRequire(import.meta.url)(join(assets, "initial-data.json"))
  initial.paymentMethods = [
    { name: "Card", handler: { code: dummyPaymentHandler.code, arguments: [{ name: "automaticSettle", value: "true" }] } },
    { name: "Deposit", handler: { code: depositHandler.code, arguments: [] } }
  ]
  const app = await populate(async () => {
    const started = await bootstrap(config)
    const channels = started.get(TransactionalConnection).rawConnection.getRepository(Channel)
    for (const channel of await channels.find()) await channels.save(Object.assign(channel, { defaultCurrencyCode: "RSD", availableCurrencyCodes: ["RSD"], pricesIncludeTax: true }))
    return started
  }, initial, join(assets, "products.csv"))
  await app.close()
  process.exit(0)
}
const app = await bootstrap(config)
if (act === "migrate") {
  await app.close()
  process.exit(0)
}
await app.get(JobQueueService).start()
process.stdout.write("ready\n")
