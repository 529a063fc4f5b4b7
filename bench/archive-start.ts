/**
 * What a start of `archive run` takes in a folder of many segments: memory and time until the writer is open.
 * `npm run bench:archive-start -- 87600` says how many: so many are ten years of a segment an hour. The segments have records
 * alone: a start reads no events that are sealed.
 */
import { execFileSync } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  checkpointsEntry,
  identityText,
  keysText,
  names,
  recordText,
} from '../lib/operator/archive/format';
import { Frontier, noteSigner, rangePlaces, signCheckpoint } from '../lib/operator/archive/tlog';
import { openDisk } from '../lib/operator/archive/writer/disk';
import { thisProcess } from '../lib/operator/archive/writer/holder';
import { ArchiveWriter } from '../lib/operator/archive/writer/log-writer';
import { systemClock, systemRandom } from '../lib/platform';

const origin = 'casino.example/bench';
/** Events of a segment: three a second, for an hour. */
const events = 10_000;
const hourMs = 3_600_000;

/** The files of a log of so many segments, as far as a start reads them, and the key that signs. */
function build(folder: string, segments: number): void {
  const { privateKey } = generateKeyPairSync('ed25519');
  const signer = noteSigner(origin, privateKey);
  const log = new Frontier();
  const sums: string[] = [];
  let checkpoint = '';
  mkdirSync(join(folder, names.segmentsFolder));
  for (let n = 0; n < segments; n++) {
    const from = log.size;
    const places = rangePlaces(from, from + events);
    const range = places.map((place) => ({ ...place, hash: randomBytes(32) }));
    for (const subtree of range) log.add(subtree);
    checkpoint = signCheckpoint({ origin, size: log.size, root: log.root() }, [signer]);
    const sealedAt = new Date(Date.UTC(2026, 10, 24) + n * hourMs).toISOString();
    const day = sealedAt.slice(0, 10);
    const file = names.segmentName({ day, from, token: '1f3a9c02', compression: 'gzip' });
    const sha256 = randomBytes(32).toString('hex');
    sums.push(`${sha256}  ${file}\n`);
    const times = { first: sealedAt, last: sealedAt, sealedAt };
    const record = { file, from, count: events, bytes: 1_000_000, sha256, ...times };
    const text = recordText({ ...record, session: 1, range, checkpoint });
    writeFileSync(join(folder, names.recordName(from)), text);
  }
  const keys = keysText([{ vkey: signer.vkey, signsFrom: 0, signedOver: null }]);
  writeFileSync(join(folder, names.identityName), identityText({ operatorId: 'casino', origin }));
  writeFileSync(join(folder, names.keysName), keys);
  writeFileSync(join(folder, names.checkpointsName), checkpointsEntry(checkpoint));
  writeFileSync(join(folder, names.checksumsName), sums.join(''));
  writeFileSync(keyFile(folder), privateKey.export({ type: 'pkcs8', format: 'pem' }));
}

function keyFile(folder: string): string {
  return `${folder}.key`;
}

/** Most memory of this process so far. */
function megabytes(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

/** Opens the writer, in a process of its own. */
async function start(folder: string): Promise<void> {
  const signer = noteSigner(origin, createPrivateKey(readFileSync(keyFile(folder))));
  const [before, began, spent] = [megabytes(), performance.now(), process.cpuUsage()];
  const writer = await ArchiveWriter.open({
    disk: await openDisk(folder),
    operatorId: 'casino',
    signer,
    process: thisProcess(),
    clock: systemClock,
    random: systemRandom,
    report: () => undefined,
  });
  const seconds = Number(((performance.now() - began) / 1000).toFixed(1));
  const { user, system } = process.cpuUsage(spent);
  const cpuSeconds = Number(((user + system) / 1e6).toFixed(1));
  const took = { seconds, cpuSeconds, moreMegabytes: megabytes() - before };
  console.log(JSON.stringify({ segments: writer.size / events, ...took }));
  await writer.close();
}

async function main(): Promise<void> {
  const [given = '87600', folder] = process.argv.slice(2);
  if (folder !== undefined) return start(folder);
  const made = mkdtempSync(join(tmpdir(), 'archive-start-'));
  try {
    build(made, Number(given));
    const args = [...process.execArgv, __filename, given, made];
    process.stdout.write(execFileSync(process.execPath, args));
  } finally {
    rmSync(made, { recursive: true });
    rmSync(keyFile(made), { force: true });
  }
}

void main();
