/**
 * What reading an archive costs: `verify` an event, with and without `--accounts`, and `find` and `prove` of a round in a full
 * segment. `npm run bench:archive -- 1048576` says of how many events the segment is.
 */
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import {
  checkpointsEntry,
  FindFilter,
  identityText,
  keysText,
  LeavesBuilder,
  names,
  recordText,
} from '../lib/operator/archive/format';
import { findEvents, proveEvents, verifyArchive } from '../lib/operator/archive/reading';
import { noteSigner, Frontier, leafHash, signCheckpoint } from '../lib/operator/archive/tlog';

const count = Number(process.argv[2] ?? 1_048_576);
const origin = 'casino.example/bench';

/** An event of a round with a debit, a credit and an end. */
function eventOf(n: number): { readonly line: string; readonly keys: object } {
  const at = timeOf(n);
  const [playerId, gameRound] = [`player-${n % 50_000}`, randomUUID()];
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
  const money = { currency: 'EUR', amount: '1.5' };
  const event = {
    type: 'round',
    id: `casino/${playerId}/${gameRound}/1`,
    operatorId: 'casino',
    playerId,
    gameRound,
    version: 1,
    at,
    gameCode: 'game-bells',
    state: 'closed',
    transactions: [
      { at, type: 'debit', hash: first, outcome: 'accepted', ...money, isFirstDebit: true },
      { at, type: 'credit', hash: second, outcome: 'accepted', ...money },
      { at, type: 'end', hash: third, outcome: 'accepted' },
    ],
    movements: [
      { hash: first, currency: 'EUR', real: '-1.5', bonus: '0' },
      { hash: second, currency: 'EUR', real: '1.5', bonus: '0' },
    ],
    accounts: [{ currency: 'EUR', real: '100', bonus: null }],
  };
  return { line: JSON.stringify(event), keys: { playerId, gameRound } };
}

/** When event `n` was. */
function timeOf(n: number): string {
  return new Date(Date.UTC(2026, 10, 24) + n).toISOString();
}

/** Microseconds an event. */
function anEvent(us: number): string {
  return (us / count).toFixed(1);
}

/** Writes one segment; answers the round of an event in its middle. */
function build(folder: string): string {
  const signer = noteSigner(origin, generateKeyPairSync('ed25519').privateKey);
  const day = '2026-11-24';
  const file = names.segmentName({ day, from: 0, token: '1f3a9c02', compression: 'gzip' });
  mkdirSync(join(folder, day));
  mkdirSync(join(folder, names.segmentsFolder));
  const [log, leaves, filter, sum] = [
    new Frontier(),
    new LeavesBuilder(0),
    FindFilter.forEvents(count),
    createHash('sha256'),
  ];
  let middle = '';
  for (let from = 0; from < count; from += 1_000) {
    let text = '';
    for (let n = from; n < Math.min(from + 1_000, count); n++) {
      const { line, keys } = eventOf(n);
      const leaf = leafHash(line);
      log.append(leaf);
      leaves.append(leaf);
      filter.add(keys);
      text += `${line}\n`;
      if (n === Math.floor(count / 2)) middle = (keys as { gameRound: string }).gameRound;
    }
    const member = gzipSync(text, { level: 1 });
    sum.update(member);
    appendFileSync(join(folder, file), member);
  }
  const root = log.root();
  const checkpoint = signCheckpoint({ origin, size: count, root }, [signer]);
  const record = recordText({
    file,
    from: 0,
    count,
    bytes: statSync(join(folder, file)).size,
    sha256: sum.digest('hex'),
    first: timeOf(0),
    last: timeOf(count - 1),
    sealedAt: timeOf(count),
    session: 1,
    range: log.subtrees,
    checkpoint,
  });
  const files: [string, string | Buffer][] = [
    [names.identityName, identityText({ operatorId: 'casino', origin })],
    [names.keysName, keysText([{ vkey: signer.vkey, signsFrom: 0, signedOver: null }])],
    [names.checkpointsName, checkpointsEntry(checkpoint)],
    [names.recordName(0), record],
    [names.leavesName(file), leaves.encode()],
    [names.findName(file), filter.encode()],
  ];
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  console.log(`${count} events, ${statSync(join(folder, file)).size} bytes compressed`);
  return middle;
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const [began, before] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  console.log(
    `${what}: ${Math.round(ms)} ms, ${Math.round((user + system) / 1000)} ms of processor; an event ${anEvent(1000 * ms)} us, ${anEvent(user + system)} us of processor; ${String(result)}`,
  );
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-archive-'));
  try {
    const gameRound = build(folder);
    for (let turn = 0; turn < 2; turn++) {
      await timed('verify', async () => (await verifyArchive(folder)).sentence);
      await timed('verify --accounts', async () => {
        return (await verifyArchive(folder, { accounts: true })).faults.length;
      });
      await timed('prove', async () => (await proveEvents(folder, { gameRound })).events.length);
      await timed('find', async () => {
        let found = 0;
        for await (const { index } of findEvents(folder, { gameRound })) found += index > 0 ? 1 : 0;
        return found;
      });
      console.log(`${Math.round(process.memoryUsage().rss / 1e6)} MB`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

void main();
