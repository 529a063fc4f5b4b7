/**
 * `npm run bench:hostile`: what a request that nobody has signed costs the wallet, in milliseconds of processor, from
 * its first byte to its answer: the median of 20 after a warm-up. Ends with exit code 1 where one is above 20 ms.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { RawConnection } from '../../test/network/raw-http';
import { noArguments } from '../arguments';
import { forkTypeScript } from '../start-contestant';
import { type HostileRequest, hostileRequests, type Ports } from './requests';

const warmUps = 5;
const times = 20;
const maxMs = 20;

/** Milliseconds of processor for the request, and what it was answered. */
async function costOf(child: ChildProcess, ports: Ports, { name, bytes, to }: HostileRequest) {
  const connection = await RawConnection.open(ports[to ?? 'money']);
  try {
    const before = await cpuOf(child);
    connection.send(bytes);
    const { replies, closed } = await connection.replies();
    const [reply] = replies;
    if (reply === undefined && !closed) throw new Error(`${name}: no answer`);
    // A client that is cut while it sends may lose the answer.
    return { ms: ((await cpuOf(child)) - before) / 1000, status: reply?.status ?? 'cut' };
  } finally {
    connection.abort();
  }
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [micros] = (await once(child, 'message')) as [number];
  return micros;
}

async function main(): Promise<void> {
  noArguments({
    command: 'npm run bench:hostile',
    does: 'Measures what a request that nobody has signed costs the wallet, in milliseconds of processor.',
  });
  const child = forkTypeScript('hostile/wallet.ts', []);
  const [ports] = (await once(child, 'message')) as [Ports];
  let worst = 0;
  for (const request of hostileRequests()) {
    const costs: number[] = [];
    let answered: number | string = 0;
    for (let at = 0; at < warmUps + times; at++) {
      const { ms, status } = await costOf(child, ports, request);
      if (at >= warmUps) costs.push(ms);
      answered = status;
    }
    const median = costs.toSorted((a, b) => a - b)[times / 2] ?? Number.NaN;
    worst = Math.max(worst, median);
    process.stdout.write(
      `${request.name.padEnd(64)} ${answered} ${median.toFixed(1).padStart(6)} ms\n`,
    );
  }
  child.disconnect();
  process.stdout.write(`the dearest ${' '.repeat(54)}${worst.toFixed(1).padStart(6)} ms\n`);
  if (worst > maxMs) process.exitCode = 1;
}

void main();
