// Starts a mediator in a folder of its own and opens a run in it: real processes, as a user would.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const READY_MS = 20_000;
const STOP_MS = 20_000;

function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this test through ctest`);
  return value;
}

const binDir = required('TIPSTAFF_BIN_DIR');
const sourceDir = required('TIPSTAFF_SOURCE_DIR');

async function checkPrograms() {
  for (const name of ['tipstaff', 'tipstaff-gate', 'tipstaff-guest']) {
    const path = join(binDir, name);
    await access(path, constants.X_OK).catch(() => {
      throw new Error(`missing: ${path}: build it before the test`);
    });
  }
}

export const testFolder = join(sourceDir, 'tests', 'e2e');

export class Mediator {
  #folder;
  #process;
  #log = '';

  // Resolves when the mediator answers its operator. `policies`: further folders of skills; `more`:
  // further lines of the configuration.
  static async start({ policies = [], more = '' } = {}) {
    await checkPrograms();
    const mediator = new Mediator();
    mediator.#folder = await mkdtemp(join(tmpdir(), 'tipstaff-e2e-'));
    await writeFile(mediator.config, mediator.#configText(policies, more));
    mediator.#process = spawn(join(binDir, 'tipstaff'), ['serve', '--config', mediator.config], {
      cwd: mediator.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [mediator.#process.stdout, mediator.#process.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (mediator.#log += text));
    }
    try {
      await mediator.#untilReady();
    } catch (error) {
      mediator.#process.kill('SIGKILL');
      await rm(mediator.#folder, { recursive: true, force: true });
      throw error;
    }
    return mediator;
  }

  get config() {
    return this.path('tipstaff.yaml');
  }

  // What the mediator has said so far.
  get log() {
    return this.#log;
  }

  // Of a file in the mediator's folder.
  path(name) {
    return join(this.#folder, name);
  }

  // The operator's command line; resolves with what it printed, as JSON.
  async tipstaff(...args) {
    return JSON.parse(await this.print(...args, '--format', 'json'));
  }

  // The same, as it is printed for people.
  async print(...args) {
    const { stdout } = await run(join(binDir, 'tipstaff'), [...args, '--config', this.config], {
      cwd: this.#folder,
    });
    return stdout;
  }

  // Opens a run; resolves with what `run open` says.
  async open({ skills, bindings }) {
    const options = skills.flatMap((skill) => ['--skill', skill]);
    for (const [name, value] of Object.entries(bindings)) options.push('--bind', `${name}=${value}`);
    return this.tipstaff('run', 'open', ...options);
  }

  // How an MCP client starts the guest agent for a run that was opened.
  guestOf({ socket, token_file: tokenFile }) {
    return {
      command: join(binDir, 'tipstaff-guest'),
      args: ['--connect', socket, '--token-file', tokenFile],
    };
  }

  async openRun(what) {
    return this.guestOf(await this.open(what));
  }

  // Asks the mediator to end, waits, and removes its folder. Rejects when it did not end well.
  async stop() {
    const ended = this.#ended();
    if (this.#process.exitCode === null) this.#process.kill('SIGTERM');
    const late = delay(STOP_MS, ['still running', null], { ref: false });
    const [code, signal] = await Promise.race([ended, late]);
    if (code === 'still running') this.#process.kill('SIGKILL');
    await rm(this.#folder, { recursive: true, force: true });
    if (code !== 0) throw new Error(`serve ended with ${signal ?? code}:\n${this.#log}`);
  }

  #configText(policies, more) {
    const list = (...paths) => `[${paths.map((path) => JSON.stringify(path)).join(', ')}]`;
    return [
      'channels:',
      '  runs: run',
      'admin: run/admin.sock',
      'ledger: tipstaff.db',
      `policies: ${list(join(sourceDir, 'policies'), join(testFolder, 'policies'), ...policies)}`,
      `stubs: ${list(join(sourceDir, 'stubs'), join(testFolder, 'stubs'))}`,
      more,
      '',
    ].join('\n');
  }

  #ended() {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return Promise.resolve([exitCode, signalCode]);
    return once(this.#process, 'exit');
  }

  async #untilReady() {
    const deadline = Date.now() + READY_MS;
    for (;;) {
      try {
        return await this.tipstaff('run', 'list');
      } catch (error) {
        const over = this.#process.exitCode !== null || this.#process.signalCode !== null;
        if (over || Date.now() > deadline) {
          throw new Error(`serve is not ready: ${error.stderr || error}\nits log:\n${this.#log}`);
        }
        await delay(50);
      }
    }
  }
}
