import { describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import {
  type AnchoredLog,
  ContradictedError,
} from '../../../../lib/operator/archive/anchors/anchor';
import { Anchoring } from '../../../../lib/operator/archive/anchors/anchoring';
import { anchorOn, folderAnchor } from '../../../../lib/operator/archive/anchors/folder';
import { Witness } from '../../../../lib/operator/archive/anchors/witness';
import { addCheckpointBody } from '../../../../lib/operator/archive/anchors/witness-client';
import {
  addSignatures,
  cosignedAt,
  noteSigner,
  Frontier,
  leafHash,
  parseNote,
  parseWitnessVkey,
  signCheckpoint,
  witnessVkey,
} from '../../../../lib/operator/archive/tlog';
import { ArchiveWriter, type SignedHead } from '../../../../lib/operator/archive/writer/log-writer';
import { createSeededRandom } from '../../../../lib/platform/random';
import { VirtualClock } from '../../../support/virtual-clock';
import { temporaryFolders } from '../temporary';
import { Killed, MemoryDisk } from './memory-disk';
import { eventOf, optionsOf, signer } from './scene';

const witnessKey = noteSigner('witness.example/w1', generateKeyPairSync('ed25519').privateKey);

async function openWitness(disk = new MemoryDisk()) {
  const clock = new VirtualClock(1_679_315_147_000);
  const { process, random } = optionsOf(disk);
  return Witness.open({ disk, signer: witnessKey, logs: [signer], clock, process, random });
}

/** A writer with a checkpoint at each of these sizes. */
async function heads(sizes: readonly number[], segmentEvents = 4) {
  const disk = new MemoryDisk();
  const writer = await ArchiveWriter.open(optionsOf(disk, { segmentEvents }));
  const found: SignedHead[] = [];
  for (const size of sizes) {
    for (let n = writer.size; n < size; n++) await writer.append([eventOf(n)]);
    const head = await writer.checkpoint();
    if (head !== null) found.push(head);
  }
  return { writer, disk, heads: found };
}

function logOf(writer: ArchiveWriter): AnchoredLog {
  const [prove, keepTimestamp] = [writer.prove.bind(writer), writer.keepTimestamp.bind(writer)];
  return { origin: signer.name, keys: [signer], prove, keepTimestamp };
}

async function ask(witness: Witness, writer: ArchiveWriter, old: number, head: SignedHead) {
  const proof = await writer.prove(old, head);
  return witness.addCheckpoint(addCheckpointBody(old, proof, head.note));
}

describe('a witness', () => {
  test('signs each checkpoint of a log that grows, and its signature joins the note', async () => {
    const { writer, heads: all } = await heads([1, 2, 5, 9, 10]);
    const witness = await openWitness();
    let old = 0;
    for (const head of all) {
      const { status, body } = await ask(witness, writer, old, head);
      expect([head.size, status, body]).toEqual([
        head.size,
        200,
        expect.stringMatching(/^— witness/),
      ]);
      const { text, signatures } = parseNote(addSignatures(head.note, body));
      const key = parseWitnessVkey(witnessVkey(witnessKey));
      expect(signatures.map((one) => cosignedAt(text, one, key))).toEqual([null, 1_679_315_147]);
      old = head.size;
    }
  });

  test('proofs of a writer that was started anew are those of its folder, at every pair of sizes', async () => {
    const { writer, disk, heads: all } = await heads([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    await writer.close();
    const again = await ArchiveWriter.open(optionsOf(new MemoryDisk(disk.folder)));
    const last = (await again.checkpoint()) as SignedHead;
    for (const head of all) {
      const witness = await openWitness();
      expect(await ask(witness, writer, 0, head)).toMatchObject({ status: 200 });
      expect(await ask(witness, again, head.size, last)).toMatchObject({ status: 200 });
    }
  });

  test('says how far it is, and never goes back', async () => {
    const { writer, heads: all } = await heads([3, 6]);
    const [first, second] = all as [SignedHead, SignedHead];
    const witness = await openWitness();
    expect((await ask(witness, writer, 0, second)).status).toBe(200);
    const conflict = { status: 409, type: 'text/x.tlog.size', body: '6\n' };
    expect(await ask(witness, writer, 0, second)).toEqual(conflict);
    expect(await ask(witness, writer, 0, first)).toEqual(conflict);
    expect(await ask(witness, writer, 3, second)).toEqual(conflict);
    expect((await ask(witness, writer, 6, second)).status).toBe(200);
  });

  test('refuses a log that was rewritten, an unknown log, an unknown key, and what is no request', async () => {
    const { writer, heads: all } = await heads([3, 6]);
    const [first, second] = all as [SignedHead, SignedHead];
    const witness = await openWitness();
    await ask(witness, writer, 0, first);
    const other = new Frontier();
    for (let n = 0; n < 6; n++) other.append(leafHash(`forged ${n}`));
    const forged = { origin: signer.name, size: 6, root: other.root() };
    const proof = await writer.prove(3, second);
    const send = (old: number, note: string) =>
      witness.addCheckpoint(addCheckpointBody(old, proof, note));
    const stranger = noteSigner('other.example', signer.privateKey);
    const impostor = noteSigner(signer.name, generateKeyPairSync('ed25519').privateKey);
    expect((await send(3, signCheckpoint(forged, [signer]))).status).toBe(422);
    expect((await send(3, signCheckpoint({ ...forged, size: 3 }, [signer]))).status).toBe(409);
    expect((await send(3, signCheckpoint(forged, [impostor]))).status).toBe(403);
    expect(
      (await send(3, signCheckpoint({ ...forged, origin: 'other.example' }, [stranger]))).status,
    ).toBe(404);
    expect((await send(9, second.note)).status).toBe(400);
    for (const body of [
      '',
      'old 3',
      'old 03\n\n',
      'old 3\nx\n\n',
      `old 3\n${'A'.repeat(90_000)}`,
    ]) {
      expect((await witness.addCheckpoint(Buffer.from(body))).status).toBe(400);
    }
    expect((await ask(witness, writer, 3, second)).status).toBe(200);
  });

  test('has its state for itself: a second one is refused, and one that was overtaken signs nothing', async () => {
    const { writer, heads: all } = await heads([3, 6]);
    const [first, second] = all as [SignedHead, SignedHead];
    const disk = new MemoryDisk();
    const clock = new VirtualClock();
    disk.folder.now = clock.now;
    const { random } = optionsOf(disk);
    const open = (pid: number) => {
      const process = { host: 'h', pid, place: 'here', isRunning: () => true };
      return Witness.open({ disk, signer: witnessKey, logs: [signer], clock, process, random });
    };
    const witness = await open(1);
    expect((await ask(witness, writer, 0, first)).status).toBe(200);
    await expect(open(2)).rejects.toThrow('Process 1 on h');
    disk.folder.inode('sessions/0000000001.jsonl').changedAt = 0; // it stood still for long
    const next = await open(2);
    await expect(ask(witness, writer, 3, second)).rejects.toThrow('Another process has taken');
    expect((await ask(next, writer, 3, second)).status).toBe(200);
  });

  test('has what it signed on its disk, whenever it dies', async () => {
    const { writer, heads: all } = await heads([1, 2, 3]);
    for (let left = 0; left < 25; left++) {
      const disk = new MemoryDisk();
      disk.left = left;
      const signed: number[] = [];
      try {
        const witness = await openWitness(disk);
        for (const head of all) {
          await ask(witness, writer, signed.at(-1) ?? 0, head);
          signed.push(head.size);
        }
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
      disk.folder.failPower({ names: 0, bytes: left, hasZeros: false });
      const again = await openWitness(new MemoryDisk(disk.folder));
      const last = all.at(-1) as SignedHead;
      const { status, body } = await ask(again, writer, 0, last);
      const known = status === 409 ? Number(body) : 0;
      expect(known).toBeGreaterThanOrEqual(signed.at(-1) ?? 0);
    }
  });
});

describe('anchoring', () => {
  const silent: string[] = [];
  const report = (_level: string, _fields: object, message: string): void =>
    void silent.push(message);

  test('tries a checkpoint until a newer one is there, and each anchor at its own pace', async () => {
    const { writer, heads: all } = await heads([1, 2, 3]);
    const clock = new VirtualClock();
    const taken: Record<string, number[]> = { quick: [], slow: [] };
    let failures = 3;
    const anchors = [
      { name: 'quick', anchor: async ({ size }: SignedHead) => (taken['quick']?.push(size), '') },
      {
        name: 'slow',
        anchor: async ({ size }: SignedHead) => {
          if (failures-- > 0) throw new Error('silent');
          taken['slow']?.push(size);
          return '';
        },
      },
    ];
    const log = logOf(writer);
    const random = createSeededRandom(1);
    const anchoring = new Anchoring(anchors, {
      log,
      keep: async () => undefined,
      clock,
      random,
      report,
    });
    for (const head of all) {
      anchoring.offer(head);
      await clock.pass(1);
    }
    expect(anchoring.unanchoredSeconds).toBe(0);
    await clock.pass(120_000);
    expect(taken).toEqual({ quick: [1, 2, 3], slow: [3] });
    expect(silent).toEqual(
      Array.from({ length: 3 }, () => 'an anchor has not taken the checkpoint: tried again'),
    );
  });

  test('an anchor with a pace of its own gets the newest checkpoint when it is due, and the last one at the end', async () => {
    const { writer, heads: all } = await heads([1, 2, 3, 4, 5]);
    const clock = new VirtualClock();
    const taken: number[] = [];
    const hourly = {
      name: 'hourly',
      everyMs: 3_600_000,
      anchor: async ({ size }: SignedHead) => (taken.push(size), ''),
    };
    const random = createSeededRandom(1);
    const parts = { log: logOf(writer), keep: async () => undefined, clock, random, report };
    const anchoring = new Anchoring([hourly], parts);
    for (const head of all.slice(0, 4)) {
      anchoring.offer(head);
      await clock.pass(60_000);
    }
    expect([taken, anchoring.unanchoredSeconds]).toEqual([[1], 0]);
    await clock.pass(3_600_000);
    expect([taken, anchoring.unanchoredSeconds]).toEqual([[1, 4], 0]);
    anchoring.offer(all[4] as SignedHead);
    await clock.run(anchoring.close());
    expect(taken).toEqual([1, 4, 5]);
  });

  test('signatures of several anchors join one note', async () => {
    const { writer, heads: all } = await heads([1]);
    const clock = new VirtualClock();
    const kept: string[] = [];
    const keep = async (note: string): Promise<void> => void kept.push(note);
    const signing = ['one', 'two'].map((name) => ({
      name,
      anchor: async () => `— ${name} AAAA\n`,
    }));
    const random = createSeededRandom(1);
    const parts = { log: logOf(writer), keep, clock, random, report };
    const anchoring = new Anchoring(signing, parts);
    const head = all[0] as SignedHead;
    anchoring.offer(head);
    await clock.run(anchoring.close());
    expect(kept.at(-1)).toBe(`${head.note}— one AAAA\n— two AAAA\n`);
  });

  test('a contradiction is an error in the log', async () => {
    const { writer, heads: all } = await heads([1]);
    const clock = new VirtualClock();
    silent.length = 0;
    const log = logOf(writer);
    const random = createSeededRandom(1);
    const parts = { log, keep: async () => undefined, clock, random, report };
    const anchoring = new Anchoring([{ name: 'a', anchor: contradict }], parts);
    anchoring.offer(all[0] as SignedHead);
    await clock.pass(0);
    await clock.run(anchoring.close());
    expect(silent[0]).toBe('an anchor contradicts the archive: one of them was rewritten');
  });
});

describe('a folder as an anchor', () => {
  const temporary = temporaryFolders();

  test('takes the checkpoints of a log that grows, and none of another one that is longer', async () => {
    const { writer, heads: all } = await heads([2, 7]);
    const anchor = folderAnchor(temporary());
    for (const head of all) expect(await anchor.anchor(head, logOf(writer))).toBe('');
    const other = await ArchiveWriter.open(optionsOf(new MemoryDisk()));
    for (let n = 0; n < 9; n++) await other.append([eventOf(n === 6 ? 20 : n)]);
    const fork = (await other.checkpoint()) as SignedHead;
    await expect(anchor.anchor(fork, logOf(other))).rejects.toThrow(ContradictedError);
  });

  test.each(['EPERM', 'EROFS', 'EACCES'])(
    'says once in which state its storage is, if that takes nothing more (%s): a torn end of write-once storage',
    async (code) => {
      const { writer, heads: all } = await heads([2, 5, 7]);
      const [first, second, third] = all as [SignedHead, SignedHead, SignedHead];
      const disk = new MemoryDisk();
      let isWriteOnce = true;
      disk.before = (step) => {
        if (!isWriteOnce || !step.startsWith('truncate')) return;
        throw Object.assign(new Error(`${code}: operation not permitted`), { code });
      };
      const anchor = anchorOn(disk, '/mnt/worm');
      await anchor.anchor(first, logOf(writer));
      await disk.append('checkpoints', second.note.slice(0, 40));
      const clock = new VirtualClock();
      const said: unknown[] = [];
      const report = (level: string, { reason }: { reason?: string }, message: string): void =>
        void said.push([level, message, reason]);
      const random = createSeededRandom(1);
      const parts = { log: logOf(writer), keep: async () => undefined, clock, random, report };
      const anchoring = new Anchoring([anchor], parts);
      anchoring.offer(second);
      await clock.pass(600_000);
      anchoring.offer(third);
      await clock.pass(600_000);
      const torn = `checkpoints ends in a torn checkpoint, which cannot be cut off: ${code}`;
      expect(said).toEqual([
        [
          'warn',
          'the storage of an anchor takes no checkpoint: this is said once',
          expect.stringContaining(torn),
        ],
      ]);
      expect(anchoring.unanchoredSeconds).toBeGreaterThanOrEqual(1_200);
      // Somebody has cut the torn end off: it goes on by itself.
      isWriteOnce = false;
      await clock.pass(120_000);
      expect(anchoring.unanchoredSeconds).toBe(0);
      expect(disk.folder.file('checkpoints').toString()).toBe(
        [first, third].map(({ note }) => `${note}\n`).join(''),
      );
    },
  );

  test('refuses another log also where many checkpoints of other logs came since, and can be read by others', async () => {
    const { writer, heads: all } = await heads([2, 7]);
    const folder = temporary();
    const anchor = folderAnchor(folder);
    for (const head of all) await anchor.anchor(head, logOf(writer));
    const file = join(folder, 'checkpoints');
    expect(statSync(file).mode & 0o777).toBe(0o644 & ~process.umask());
    const [first] = all as [SignedHead];
    const note = signCheckpoint({ ...first, origin: 'another.example/log' }, [anotherLog]);
    appendFileSync(file, `${note}\n`.repeat(2_000));
    const other = await ArchiveWriter.open(optionsOf(new MemoryDisk()));
    for (let n = 0; n < 9; n++) await other.append([eventOf(n === 6 ? 20 : n)]);
    const fork = (await other.checkpoint()) as SignedHead;
    await expect(anchor.anchor(fork, logOf(other))).rejects.toThrow(ContradictedError);
    await writer.append([eventOf(7)]);
    expect(await anchor.anchor((await writer.checkpoint()) as SignedHead, logOf(writer))).toBe('');
  });

  test('refuses a folder from before a rotation, which does not have the key that signs since', async () => {
    const { writer, heads: all } = await heads([2, 5]);
    const anchor = folderAnchor(temporary());
    const [early, later] = all as [SignedHead, SignedHead];
    const note = signCheckpoint({ ...later, origin: signer.name }, [nextKey]);
    const log = logOf(writer);
    await anchor.anchor({ ...later, note }, { ...log, keys: [signer, nextKey] });
    await expect(anchor.anchor(early, log)).rejects.toThrow(ContradictedError);
  });
});

const anotherLog = noteSigner('another.example/log', generateKeyPairSync('ed25519').privateKey);
const nextKey = noteSigner(signer.name, generateKeyPairSync('ed25519').privateKey);

async function contradict(): Promise<string> {
  throw new ContradictedError('another log');
}
