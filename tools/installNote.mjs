// Plain JavaScript: it runs on whatever Node runs npm, which may be too old for TypeScript. npm itself then prints EBADENGINE about its own Node;
// without this line a newcomer would take that for an error of the project (docs/adr/0002).
const [, major = "0"] = /node\/v(\d+)/.exec(process.env["npm_config_user_agent"] ?? "") ?? []

if (Number(major) > 0 && Number(major) < 22) {
  process.stdout.write(
    `Overa: EBADENGINE lines above speak of the Node ${major} that runs npm and are expected; the project runs on its own Node 24.\n`
  )
}
