import { createHash, generateKeyPairSync } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import {
  batchLine,
  checkpointsEntry,
  FindFilter,
  identityText,
  keysText,
  LeavesBuilder,
  names,
  recordText,
  signOver,
  wholeLine,
} from '../../../lib/operator/archive/format';
import {
  noteSigner,
  Frontier,
  leafHash,
  type NoteSigner,
  rangeOf,
  signCheckpoint,
} from '../../../lib/operator/archive/tlog';

export const origin = 'casino.example/log';

export function newKey(name = origin): NoteSigner {
  return noteSigner(name, generateKeyPairSync('ed25519').privateKey);
}

/** An event of round `n`: of player `p0` to `p4`, one a second. */
export function eventLine(n: number, members: object = {}): string {
  const at = new Date(Date.UTC(2026, 10, 24, 10) + 1000 * n).toISOString();
  const [playerId, gameRound] = [`p${n % 5}`, `round-${Math.floor(n / 2)}`];
  const id = `casino/${playerId}/${gameRound}/${(n % 2) + 1}`;
  const transactions = [{ at, type: 'debit', hash: `hash-${n}`, outcome: 'accepted' }];
  const first = { type: 'round', id, operatorId: 'casino', playerId, gameRound };
  return JSON.stringify({ ...first, version: (n % 2) + 1, at, transactions, ...members });
}

/** How a folder is built. */
export interface Plan {
  /** Events of each segment. */
  readonly segments: readonly number[];
  /** Events of each batch of the session after them. */
  readonly batches?: readonly number[];
  /** The event of an index. */
  readonly event?: (index: number) => string;
  readonly key?: NoteSigner;
  /** Folders that get every checkpoint. */
  readonly anchors?: readonly string[];
}

/** A folder of format 2, written straight from its description. */
export class BuiltFolder {
  readonly key: NoteSigner;
  readonly lines: string[] = [];
  readonly frontier = new Frontier();
  /** Paths of the segments' files. */
  readonly files: string[] = [];

  constructor(
    readonly path: string,
    readonly plan: Plan,
  ) {
    this.key = plan.key ?? newKey();
    this.write(names.identityName, identityText({ operatorId: 'casino', origin }));
    this.write(names.keysName, keysText([{ vkey: this.key.vkey, signsFrom: 0, signedOver: null }]));
    this.write(names.checkpointsName, '');
    for (const anchor of plan.anchors ?? []) mkdirSync(anchor, { recursive: true });
    for (const count of plan.segments) this.addSegment(count);
    this.writeSession(plan.batches ?? []);
  }

  write(name: string, content: string | Buffer): void {
    mkdirSync(dirname(join(this.path, name)), { recursive: true });
    writeFileSync(join(this.path, name), content);
  }

  /** Appends a checkpoint of the log to the folder's own and to its anchors. */
  checkpoint(signers: readonly NoteSigner[] = [this.key]): string {
    const { frontier, path, plan } = this;
    const note = signCheckpoint({ origin, size: frontier.size, root: frontier.root() }, signers);
    for (const folder of [path, ...(plan.anchors ?? [])]) {
      appendFileSync(join(folder, names.checkpointsName), checkpointsEntry(note));
    }
    return note;
  }

  /** From here on another key signs: a rotation, or a replacement of the key of the plan. */
  turnTo(next: NoteSigner, how: 'rotated' | 'replaced'): void {
    const later = { vkey: next.vkey, signsFrom: this.frontier.size };
    const signedOver = how === 'rotated' ? signOver(this.key, later) : null;
    if (how === 'rotated') this.checkpoint([this.key, next]);
    const first = { vkey: this.key.vkey, signsFrom: 0, signedOver: null };
    this.write(names.keysName, keysText([first, { ...later, signedOver }]));
  }

  addSegment(count: number, signers: readonly NoteSigner[] = [this.key]): void {
    const from = this.frontier.size;
    const lines = this.nextLines(count);
    const checkpoint = this.checkpoint(signers);
    const name = { day: '2026-11-24', from, token: '1f3a9c02', compression: 'gzip' } as const;
    const file = names.segmentName(name);
    const bytes = gzipSync(lines.map((line) => `${line}\n`).join(''), { level: 1 });
    const leaves = new LeavesBuilder(from);
    const filter = FindFilter.forEvents(count);
    for (const line of lines) {
      leaves.append(leafHash(line));
      filter.add(JSON.parse(line) as object);
    }
    const times = lines.map((line) => (JSON.parse(line) as { at: string }).at).toSorted();
    this.write(file, bytes);
    this.write(names.leavesName(file), leaves.encode());
    this.write(names.findName(file), filter.encode());
    const record = {
      file,
      from,
      count,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      first: times[0] ?? '',
      last: times.at(-1) ?? '',
      sealedAt: '2026-11-24T12:00:00.000Z',
      session: 7,
      range: rangeOf(from, lines.map(leafHash)),
      checkpoint,
    };
    this.write(names.recordName(from), recordText(record));
    appendFileSync(join(this.path, names.checksumsName), `${record.sha256}  ${file}\n`);
    this.files.push(file);
  }

  private writeSession(batches: readonly number[]): void {
    let text = `${wholeLine}\n`;
    for (const batch of batches) {
      const lines = this.nextLines(batch);
      const { size } = this.frontier;
      const end = batchLine({ batch, size, root: this.frontier.root() });
      text += `${lines.map((line) => `${line}\n`).join('')}${end}\n`;
    }
    this.write(names.sessionName(7), text);
  }

  private nextLines(count: number): string[] {
    const event = this.plan.event ?? eventLine;
    const lines = Array.from({ length: count }, (_, at) => event(this.frontier.size + at));
    for (const line of lines) this.frontier.append(leafHash(line));
    this.lines.push(...lines);
    return lines;
  }
}
