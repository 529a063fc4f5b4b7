import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { createRequestSigner } from '../../../lib/proof';
import { freePort } from '../../servers/ports';
import { reapWithThisProcess } from '../../servers/reaper';
import { until } from '../../servers/until';

const main = join(__dirname, '../../../dist/cli/main.js');
const movedClock = join(__dirname, 'moved-clock.cjs');
const secret = 'a secret of the chaos, long enough';

/** What each store says of data that are older. */
const callsLost = 'acknowledged calls are lost';

/** The operator of both processes. */
export const operatorId = 'op';

/** Signs as the service does; no two requests bear the same time. */
export function noteSigner() {
  let last = 0;
  const now = (): number => (last = Math.max(last + 1, Date.now()));
  return createRequestSigner({ operatorId, secret, now });
}

/** That a process refuses its store, for what it lacks. */
export interface Refusal {
  readonly at: Date;
  /** As its log has it. */
  readonly reason: string;
}

/** Two processes of the wallet over one store, `rgs-wallet serve` as it was built; they die in turn. */
export class Applications {
  /** Processes that ended without being killed; must stay empty. */
  readonly crashes: string[] = [];
  /** Of each process, that acknowledged calls are missing from its store. */
  readonly refusals: (Refusal | null)[] = [null, null];
  private readonly started = new WeakSet<ChildProcess>();
  private next = 0;

  private constructor(
    /** `--store` and what belongs to it. */
    private readonly storeFlags: readonly string[],
    private readonly ports: readonly number[],
    private readonly children: (ChildProcess | null)[],
  ) {}

  /** Starts both. */
  static async open(storeFlags: readonly string[]): Promise<Applications> {
    if (!existsSync(main)) throw new Error(`${main} is missing: run \`npm run build\` first`);
    const ports = [await freePort(), await freePort()];
    const opened = new Applications(storeFlags, ports, [null, null]);
    await opened.start();
    return opened;
  }

  get origins(): readonly string[] {
    return this.ports.map((port) => `http://127.0.0.1:${port}`);
  }

  /** Kills one of them, as a power cut would. */
  async kill(): Promise<void> {
    await this.end(this.next++ % this.children.length, 'SIGKILL');
  }

  /** Has one of them end its calls and stop, as a deployment does. */
  async shutDown(): Promise<void> {
    await this.end(this.next++ % this.children.length, 'SIGTERM');
  }

  /** Starts those that do not run; again, as a supervisor does, where one ends because its store cannot be used yet. */
  async start(): Promise<void> {
    for (const [at, port] of this.ports.entries()) {
      if (this.children[at] !== null) continue;
      const child = await until(`the wallet on port ${port}`, async () => {
        const spawned = (this.children[at] ??= this.spawn(at, port));
        return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok && spawned;
      });
      this.started.add(child);
    }
  }

  /** Sets the wall clock of each process off by so much; a process that starts later has the right time. */
  async moveClocks(offsetsMs: readonly number[]): Promise<void> {
    for (const [at, moveClockMs] of offsetsMs.entries()) {
      const child = this.children[at] ?? null;
      if (child === null) throw new Error('a process of the wallet does not run');
      const moved = once(child, 'message');
      child.send({ moveClockMs });
      await moved;
    }
  }

  async stop(): Promise<void> {
    for (const at of this.children.keys()) await this.end(at, 'SIGKILL');
  }

  private spawn(at: number, port: number): ChildProcess {
    const options = ['--port', String(port), '--deadline-ms', '1500', '--decimals', '2'];
    const { PATH = '' } = process.env;
    const args = ['--require', movedClock, main, 'serve', ...options, ...this.storeFlags];
    const child = spawn(process.execPath, args, {
      env: { PATH, OPERATOR_ID: operatorId, OPERATOR_SECRET: secret },
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    });
    reapWithThisProcess(child);
    this.watch(at, child);
    child.once('exit', (code) => {
      if (this.children[at] !== child) return; // it was killed
      this.children[at] = null;
      if (this.started.has(child)) this.crashes.push(`a wallet ended by itself: ${code}`);
    });
    return child;
  }

  private watch(at: number, { stdout }: ChildProcess): void {
    if (stdout === null) return;
    createInterface(stdout).on('line', (line) => {
      if (!line.includes('server check failed') || !line.includes(callsLost)) return;
      const { reason } = JSON.parse(line) as { readonly reason: string };
      this.refusals[at] ??= { at: new Date(), reason };
    });
  }

  private async end(at: number, signal: NodeJS.Signals): Promise<void> {
    const child = this.children[at] ?? null;
    this.children[at] = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
}
