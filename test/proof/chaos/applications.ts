import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { createRequestSigner } from '../../../lib/proof';
import { freePort } from '../../servers/ports';
import { reapWithThisProcess } from '../../servers/reaper';
import { until } from '../../servers/until';

const main = join(__dirname, '../../../dist/cli/main.js');
const secret = 'a secret of the chaos, long enough';

/** The operator of both processes. */
export const operatorId = 'op';

/** Signs as the service does; no two requests bear the same time. */
export function createSigner() {
  let last = 0;
  const now = (): number => (last = Math.max(last + 1, Date.now()));
  return createRequestSigner({ operatorId, secret, now });
}

/** Two processes of the wallet over one store, `rgs-wallet serve` as it was built; they die in turn. */
export class Applications {
  /** Processes that ended without being killed; must stay empty. */
  readonly crashes: string[] = [];
  private next = 0;

  private constructor(
    private readonly storeUrl: string,
    private readonly ports: readonly number[],
    private readonly children: (ChildProcess | null)[],
  ) {}

  /** Starts both. */
  static async open(storeUrl: string): Promise<Applications> {
    if (!existsSync(main)) throw new Error(`${main} is missing: run \`npm run build\` first`);
    const opened = new Applications(storeUrl, [await freePort(), await freePort()], [null, null]);
    await opened.start();
    return opened;
  }

  get origins(): readonly string[] {
    return this.ports.map((port) => `http://127.0.0.1:${port}`);
  }

  /** Kills one of them, as a power cut would. */
  async kill(): Promise<void> {
    const at = this.next++ % this.children.length;
    await this.end(at, 'SIGKILL');
  }

  /** Starts those that do not run. */
  async start(): Promise<void> {
    for (const [at, port] of this.ports.entries()) {
      this.children[at] ??= this.spawn(port);
      await until(`the wallet on port ${port}`, async () => {
        return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
      });
    }
  }

  async stop(): Promise<void> {
    for (const at of this.children.keys()) await this.end(at, 'SIGKILL');
  }

  private spawn(port: number): ChildProcess {
    const options = ['--port', String(port), '--deadline-ms', '1500', '--decimals', '2'];
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [main, 'serve', ...options, '--store', this.storeUrl], {
      env: { PATH, OPERATOR_ID: operatorId, OPERATOR_SECRET: secret },
      stdio: 'ignore',
    });
    reapWithThisProcess(child);
    child.once('exit', (code) => {
      if (this.children.includes(child)) this.crashes.push(`a wallet ended by itself: ${code}`);
    });
    return child;
  }

  private async end(at: number, signal: NodeJS.Signals): Promise<void> {
    const child = this.children[at] ?? null;
    this.children[at] = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }
}
