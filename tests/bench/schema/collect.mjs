// Writes tools/NAME.json: the input schemas that an MCP server of npm declares.
//
//   node collect.mjs OUT_FOLDER NAME@VERSION COMMAND...
//
// Run by hand when the set changes; the servers need not be there for the benchmark.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [out, pkg, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
const stop = (status) => {
  child.kill();
  process.exit(status);
};
setTimeout(() => stop(1), 20_000);

createInterface({ input: child.stdout }).on("line", (line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return; // a banner
  }
  if (message.id === 1) {
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/list", params: {} });
  } else if (message.id === 2) {
    const tools = message.result.tools.map(({ name, inputSchema }) => ({ name, inputSchema }));
    const file = pkg.replace(/@[^@]*$/, "").replace(/^@/, "").replace("/", "-");
    writeFileSync(`${out}/${file}.json`, JSON.stringify({ package: pkg, tools }, null, 1) + "\n");
    console.log(`${pkg}: ${tools.length} tools`);
    stop(0);
  }
});

send({
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "collect", version: "1" },
  },
});
