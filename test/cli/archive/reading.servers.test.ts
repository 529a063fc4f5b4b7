import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import { afterEach, describe, expect, test } from '@jest/globals';

import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { debit, RoundPlay } from '../../../lib/proof/contracts/repairs/round-play';
import { BuiltFolder, eventLine, type Plan } from '../../operator/archive/folder';
import { temporaryFolders } from '../../operator/archive/temporary';
import { blockOf } from '../../docs/blocks';
import { Cleanup } from '../../servers/cleanup';
import { startPostgres } from '../../servers/postgres/server';
import { runCli } from '../cli';

const temporary = temporaryFolders();
const cleanup = new Cleanup();

afterEach(() => cleanup.run());

function built(plan: Partial<Plan> = {}): BuiltFolder {
  return new BuiltFolder(join(temporary(), 'archive'), {
    segments: [20, 20],
    batches: [6],
    ...plan,
  });
}

/** Runs the shipped verifier; its exit code and output. */
function verifier(to: string, vkey: string): [number | null, string] {
  const { status, stdout, stderr } = spawnSync('python3', [join(to, 'verify_proof.py'), vkey]);
  return [status, String(stdout) + String(stderr)];
}

describe('archive verify', () => {
  test('an archive that is whole ends with code 0 and one of two sentences', async () => {
    const anchor = temporary();
    const folder = built({ anchors: [anchor] });
    const alone = await runCli(['archive', 'verify', folder.path]);
    expect([alone.code, alone.stdout, alone.stderr]).toEqual([
      0,
      '2 segments, 46 events, 6 not sealed yet, the last 6 not signed yet\nwhole by its own signatures; no anchor was compared: this proves nothing against who holds folder and key\n',
      '',
    ]);
    const flags = ['--anchor', anchor, '--key', folder.key.vkey, '--accounts'];
    const compared = await runCli(['archive', 'verify', folder.path, ...flags]);
    expect(compared.stdout).toContain(
      `\nwhole: 46 events, as anchored at ${anchor} up to 40 (2026-11-24T10:00Z)\n`,
    );
  });

  test('faults end with code 1, each in a line without control characters', async () => {
    const folder = built();
    const lines = folder.lines.slice(0, 20).with(3, eventLine(3, { state: 'forged' }));
    folder.write(folder.files[0] ?? '', gzipSync(lines.map((line) => `${line}\n`).join('')));
    folder.write('evil\u001b[2J\nname', 'x');
    const { code, stdout } = await runCli(['archive', 'verify', folder.path]);
    expect(code).toBe(1);
    expect(stdout).toBe(
      [
        '2026-11-24/000000000000-1f3a9c02.jsonl.gz line 4: this line is not the one that was sealed',
        'evil?[2J?name: it is no file of an archive',
        '2 segments, 46 events, 6 not sealed yet, the last 6 not signed yet',
        'not whole: 2 faults\n',
      ].join('\n'),
    );
    const json = await runCli(['archive', 'verify', folder.path, '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      events: 46,
      faults: [{ line: 4 }, { file: 'evil\u001b[2J\nname', line: null }],
      sentence: 'not whole: 2 faults',
    });
  });

  test('a damaged segment is a fault for verify (code 1), and bad input where its events are asked for (code 2)', async () => {
    const folder = built();
    const [file = ''] = folder.files;
    folder.write(file, readFileSync(join(folder.path, file)).subarray(0, 100));
    const verified = await runCli(['archive', 'verify', folder.path]);
    expect([verified.code, verified.stdout]).toEqual([
      1,
      expect.stringContaining(`${file} line 1: the compressed data are damaged\n`),
    ]);
    const to = join(temporary(), 'proof');
    for (const [command, ...flags] of [['find'], ['prove', '--out', to]]) {
      const asked = ['archive', command ?? '', folder.path, ...flags, '--round'];
      const { code, stdout, stderr } = await runCli([...asked, 'round-7']);
      const why = `${folder.path}: ${file} is damaged after line 0: verify the archive`;
      expect([code, stdout, stderr]).toEqual([2, '', `error: ${why}\n`]);
      expect((await runCli([...asked, 'round-12'])).code).toBe(0);
    }
  });

  test('what cannot be read ends with code 2', async () => {
    const empty = temporary();
    const { path } = built();
    for (const args of [
      [empty],
      [path, '--anchor', empty],
      [path, '--anchor', `${path}/.`],
      [path, '--key', 'x'],
      [path, '--from', 'x'],
    ]) {
      const { code, stdout, stderr } = await runCli(['archive', 'verify', ...args]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^error: [^\n]+\n$/);
    }
  });
});

describe('archive find', () => {
  test('events are printed one a line, and with their place as JSON', async () => {
    const folder = built();
    const query = ['archive', 'find', folder.path, '--round', 'round-7'];
    const plain = await runCli(query);
    expect([plain.code, plain.stdout]).toEqual([0, `${folder.lines[14]}\n${folder.lines[15]}\n`]);
    const json = await runCli([...query, '--player', 'p4', '--json']);
    const event: unknown = JSON.parse(folder.lines[14] ?? '');
    expect(JSON.parse(json.stdout)).toEqual({ index: 14, file: folder.files[0], line: 15, event });
  });

  test('what controls a terminal is printed as an escape, so that it still is the same JSON', async () => {
    const evil = { gameCode: 'a\u009b2J' };
    const folder = built({ event: (n) => eventLine(n, n === 14 ? evil : {}) });
    const { stdout } = await runCli(['archive', 'find', folder.path, '--hash', 'hash-14']);
    expect(stdout).not.toContain('\u009b');
    expect(JSON.parse(stdout)).toMatchObject(evil);
  });

  test('a raw control character of a line, which JSON allows between members alone, is printed as a space', async () => {
    const spaced = eventLine(14).replace('{', '{\r\t');
    const folder = built({ event: (n) => (n === 14 ? spaced : eventLine(n)) });
    const [file = ''] = folder.files;
    const query = ['archive', 'find', folder.path, '--round', 'round-7', '--json'];
    const found = await runCli(query);
    expect([found.code, found.stdout]).toEqual([
      0,
      expect.stringContaining(`"event":${eventLine(14).replace('{', '{  ')}}\n`),
    ]);
    // Within a text it is no JSON, and so no event of the round.
    const forged = eventLine(14, { gameCode: 'a\u001b[2J' }).replace('\\u001b', '\u001b');
    const lines = folder.lines.slice(0, 20).with(14, forged);
    folder.write(file, gzipSync(lines.map((line) => `${line}\n`).join('')));
    const { stdout } = await runCli(query);
    expect(stdout.trimEnd().split('\n')).toEqual([expect.stringContaining('"index":15')]);
    const verified = await runCli(['archive', 'verify', folder.path, '--accounts']);
    const printed = `${verified.stdout}${verified.stderr}${stdout}`.replaceAll('\n', '');
    expect(printed).not.toMatch(/\p{Cc}/u);
    expect(verified.stdout).toContain(`${file} line 15: `);
  });

  test('events of a file that is not the sealed one are printed with a warning and code 1', async () => {
    const folder = built();
    const [file = ''] = folder.files;
    const lines = gunzipSync(readFileSync(join(folder.path, file))).toString();
    folder.write(file, gzipSync(lines.replace('"version":1', '"version":9')));
    const { code, stderr } = await runCli(['archive', 'find', folder.path, '--round', 'round-7']);
    const what = `warning: ${file} is not the file that was sealed: verify the archive\n`;
    expect([code, stderr]).toEqual([1, what]);
  });

  test('a query without anything to find ends with code 2', async () => {
    const { code, stderr } = await runCli(['archive', 'find', built().path]);
    expect([code, stderr]).toEqual([2, 'error: Name --player, --round, --hash or --reference.\n']);
  });
});

describe('archive prove', () => {
  test('the folder is verified by the Python program in it, which refuses every change', async () => {
    const folder = built();
    const to = join(temporary(), 'proof');
    const query = ['--player', 'p4', '--round', 'round-7'];
    const proved = await runCli(['archive', 'prove', folder.path, ...query, '--out', to]);
    expect([proved.code, proved.stdout]).toEqual([
      0,
      `${to}: 1 event, in the log of size 40.\nCheck it with: python3 ${to}/verify_proof.py ${folder.key.vkey}\n`,
    ]);
    const hasPython = spawnSync('python3', ['--version']).status === 0;
    if (!hasPython) {
      process.stderr.write('python3 is not on this machine: its verifier was not run\n');
      return;
    }
    const { vkey } = folder.key;
    expect(verifier(to, vkey)).toEqual([
      0,
      'OK: line 1 is event 14 of the 40 in casino.example/log\n',
    ]);
    expect(verifier(to, built().key.vkey)).toEqual([
      1,
      'FAILED: line 1: the checkpoint is not signed by VKEY\n',
    ]);
    const changes: [name: string, from: string, to: string, why: RegExp][] = [
      ['event.json', 'debit', 'credit', /the event is not in this log/],
      ['event.1.tlog-proof', 'index 14', 'index 15', /the event is not in this log/],
      ['event.1.tlog-proof', '\n40\n', '\n41\n', /not signed by VKEY/],
      ['event.1.tlog-proof', 'index 14\n', 'index 14\nAAAA\n', /FAILED/],
      ['checkpoint', '\n40\n', '\n41\n', /the file checkpoint is not the one of the proof/],
    ];
    for (const [name, from, into, why] of changes) {
      const text = readFileSync(join(to, name), 'utf8');
      writeFileSync(join(to, name), text.replace(from, into));
      const [status, output] = verifier(to, vkey);
      expect([status, output]).toEqual([1, expect.stringMatching(why)]);
      writeFileSync(join(to, name), text);
    }
  });

  test('an event that is not there, and a folder that exists, end with code 2; one event is one', async () => {
    const { path, key } = built();
    const to = temporary();
    const missing = await runCli(['archive', 'prove', path, '--round', 'x', '--out', `${to}/a`]);
    expect([missing.code, missing.stderr]).toEqual([
      2,
      `error: ${path}: the archive has no such event\n`,
    ]);
    const one = ['archive', 'prove', path, '--hash', 'hash-1', '--out', `${to}/b`];
    const proved = await runCli([...one, '--json']);
    expect([proved.code, JSON.parse(proved.stdout)]).toEqual([
      0,
      { out: `${to}/b`, events: 1, size: expect.any(Number), vkey: key.vkey },
    ]);
    const exists = await runCli(['archive', 'prove', path, '--round', 'round-1', '--out', to]);
    expect([exists.code, exists.stderr]).toEqual([2, `error: ${path}: ${to}: it exists already\n`]);
  });
});

test('archive compare lists the rounds that the store does not have, and ends with code 1 if there are any', async () => {
  const server = cleanup.after(await startPostgres(), (started) => started.stop());
  const patience = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const store = cleanup.after(
    createPostgresStore({ url: server.url, init: true, ...patience }),
    (opened) => opened.close(),
  );
  await store.ready();
  const play = await RoundPlay.open({ store, players: store.players });
  await play.call(debit('a', 10n, true));
  const [taken] = (await store.rounds.readRound(play.round))?.toJSON().transactions ?? [];
  const own = { ...play.round, version: 1, state: 'open', transactions: [taken] };
  const lost = { ...own, transactions: [{ ...taken, hash: 'lost' }] };
  const gone = { gameRound: 'gone', version: 3, state: 'open' };
  const hostile = { gameRound: 'evil\u009b' };
  const both = built({
    segments: [3],
    batches: [],
    event: (n) => eventLine(n, [own, gone, hostile][n]),
  });
  const flags = ['--store', server.url];
  const result = await runCli(['archive', 'compare', both.path, ...flags]);
  expect([result.code, result.stderr, result.stdout]).toEqual([
    1,
    '',
    'player p1 round gone: commit 3 of 2026-11-24T10:00:01.000Z, the store has none\n2 rounds of the archive looked up, 1 missing in the store.\n',
  ]);
  const json = await runCli(['archive', 'compare', both.path, ...flags, '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    rounds: 2,
    missing: [{ playerId: 'p1', gameRound: 'gone', version: 3, storeVersion: null }],
  });
  const one = built({ segments: [1], batches: [], event: (n) => eventLine(n, own) });
  expect((await runCli(['archive', 'compare', one.path, ...flags])).code).toBe(0);
  const other = built({ segments: [1], batches: [], event: (n) => eventLine(n, lost) });
  const { code, stdout } = await runCli(['archive', 'compare', other.path, ...flags]);
  const why =
    'commit 1 of 2026-11-24T10:00:00.000Z, the store has 1, without the accepted debit lost';
  expect([code, stdout]).toEqual([1, expect.stringContaining(why)]);
});

test('the commands of docs/archive.md are those of the program, and do what the page says', async () => {
  const ann = { playerId: 'ann', gameRound: '18NWU1IHZDDo' };
  const deposit = { type: 'cash', reference: 'deposit-4711', ...ann };
  const anchor = temporary();
  const event = (n: number): string => eventLine(n, n === 3 ? ann : n === 4 ? deposit : {});
  const folder = built({ anchors: [anchor], event });
  const to = join(temporary(), 'proof');
  const run = (name: string, line = 0) => {
    const { code } = blockOf('docs/archive.md', name);
    const command = code.split('\n')[line]?.replace(/ *#.*/, '') ?? '';
    const given = command
      .replace('/srv/archive', folder.path)
      .replace('"$VKEY"', folder.key.vkey)
      .replace('/mnt/anchor', anchor)
      .replace('--out proof', `--out ${to}`);
    return runCli(given.split(' ').slice(1));
  };
  expect((await run('archive-verify')).stdout).toContain(`as anchored at ${anchor} up to 40`);
  expect((await run('archive-find')).stdout).toBe(`${folder.lines[3]}\n${folder.lines[4]}\n`);
  expect(JSON.parse((await run('archive-find', 1)).stdout)).toMatchObject({ index: 4 });
  expect((await run('archive-prove')).stdout).toContain('2 events, in the log of size 40');
  expect((await run('archive-compare')).stderr).toContain(
    'The store postgres://127.0.0.1:5432/casino',
  );
});
