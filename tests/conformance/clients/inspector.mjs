// @modelcontextprotocol/inspector --cli: a process for each request; ending it cancels a call.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { report, task } from './task.mjs';

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json');
const program = join(dirname(manifest), 'clients', 'launcher', 'build', 'index.js');
const folder = await mkdtemp(join(tmpdir(), 'tipstaff-inspector-'));
const config = join(folder, 'mcp.json');
const server = task.url ? { type: 'streamable-http', url: task.url } : task.stdio;
await writeFile(config, JSON.stringify({ mcpServers: { tipstaff: server } }));

async function inspect(args, signal) {
  const child = spawn(
    process.execPath,
    [program, '--cli', '--config', config, '--server', 'tipstaff', ...args],
    { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder, env: { ...process.env, HOME: folder } },
  );
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => (said[name] += text));
  }
  const end = () => child.kill('SIGTERM');
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end);
  await once(child, 'close');
  if (signal?.aborted) throw new Error('cancelled');
  try {
    return JSON.parse(said.stdout);
  } catch {
    throw new Error(`inspector ${args.join(' ')}: ${said.stdout}${said.stderr}`);
  }
}

await report({
  tools: async () => (await inspect(['--method', 'tools/list'])).tools.map((tool) => tool.name),
  call: ({ name, arguments: args }, signal) =>
    inspect(
      [
        '--method',
        'tools/call',
        '--tool-name',
        name,
        ...Object.entries(args).flatMap(([key, value]) => ['--tool-arg', `${key}=${value}`]),
      ],
      signal,
    ),
});
await rm(folder, { recursive: true, force: true });
