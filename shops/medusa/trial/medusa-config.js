const { defineConfig } = require("@medusajs/framework/utils")

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    // The trial has no TLS, without which a browser returns no secure cookie.
    cookieOptions: { secure: false, sameSite: "lax" },
    http: { storeCors: "*", adminCors: "*", authCors: "*", jwtSecret: "trial", cookieSecret: "trial" }
  },
  admin: { disable: process.env.WITH_ADMIN !== "1" },
  // The shop is seeded before the plugin is there, as one that runs already.
  plugins: process.env.WITH_PLUGIN === "1" ? ["@overa/medusa-plugin"] : []
})
