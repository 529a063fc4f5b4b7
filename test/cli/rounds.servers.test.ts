import { beforeEach, expect, test } from '@jest/globals';

import { createLedgerStore } from '../../lib/operator/ledger';
import { createPostgresStore } from '../../lib/operator/stores/postgres';
import type { AccountStore, EventSource, RoundEvent } from '../../lib/operator/wallet';
import { createMemoryLedger } from '../../lib/proof';
import { snapshotOf } from '../../lib/proof/contracts/case';
import { credit, debit, RoundPlay } from '../../lib/proof/contracts/repairs/round-play';
import { blocksOf } from '../docs/blocks';
import { type PostgresServer, startPostgres } from '../servers/postgres/server';
import { runCli, temporaryFile } from './cli';
import { ofRounds } from '../../lib/proof/contracts/events/case';
import { cleanupAfterEach } from '../support/each-test';

const cleanup = cleanupAfterEach();
const patience = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
let server: PostgresServer;
let store: AccountStore;
let play: RoundPlay;
let where: string[];
let round: string[];

beforeEach(async () => {
  server = cleanup.after(await startPostgres());
  store = cleanup.after(createPostgresStore({ url: server.url, init: true, ...patience }));
  await store.ready();
  play = await RoundPlay.stranded({ store, players: store.players });
  where = ['--store', server.url, '--operator', play.round.operatorId];
  round = [...where, '--player', play.round.playerId, '--round', play.round.gameRound];
});

const anna = { id: 'anna', name: null };
const why = ['--reason', 'the RGS confirms the win, ticket 4711'];

test('a stranded round is listed, shown, and repaired by two people', async () => {
  const listed = await runCli(['rounds', 'attention', ...where]);
  expect(listed.stdout).toMatch(
    /^state +since \(UTC\) +for +at stake +player +game +gameRound\nstranded /,
  );
  expect(listed.stdout).toContain('0.0025 EUR');

  const order = ['rounds', 'repair', 'propose', ...round, '--kind', 'pay', ...why, '--by', 'anna'];
  const proposed = await runCli(order);
  expect(proposed.stdout).toMatch(/^proposed \S+: pay of c, 0\.0025 EUR\n$/);
  const id = proposed.stdout.split(/[ :]/)[1] ?? '';
  const again = await runCli(order);
  expect([again.code, again.stderr]).toEqual([
    1,
    'error: Another proposal for this round is open: approve or reject that one first.\n',
  ]);
  expect((await runCli(['rounds', 'repair', 'list', ...where])).stdout).toContain(id);
  const [waiting] = await jsonLines(['rounds', 'repair', 'list', ...where]);
  const proposedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(waiting).toEqual({ ...play.round, id, kind: 'pay', proposedBy: anna, proposedAt });

  const approval = ['rounds', 'repair', 'approve', ...round, '--id', id, '--by'];
  const approve = (by: string) => runCli([...approval, by]);
  const own = await approve('anna');
  expect([own.code, own.stderr]).toEqual([
    1,
    'error: Another person than the proposer must approve it.\n',
  ]);
  await play.is('stranded', 90n);
  expect((await approve('bert')).stdout).toMatch(/^made /);
  expect((await approve('bert')).stdout).toMatch(/^made before /);
  const paid = { id, kind: 'pay', hash: 'c', amount: '0.0025', currency: 'EUR' };
  expect(await jsonLines([...approval, 'bert'])).toEqual([{ result: 'made before', ...paid }]);
  await play.is('closed', 115n);

  const shown = await runCli(['rounds', 'show', ...round]);
  expect(shown.stdout).toContain('state           closed since ');
  expect(shown.stdout).toMatch(/anna +pay +done .*bert/);
  expect(shown.stdout).toContain('balance now     0.0115 EUR');
  expect((await runCli(['rounds', 'attention', ...where])).stdout).toBe(
    `No round of operator ${play.round.operatorId} needs attention.\n`,
  );
  expect(await jsonLines(['rounds', 'show', ...round])).toEqual([
    expect.objectContaining({ repairs: [expect.objectContaining({ status: 'done' })] }),
  ]);
  for (const lists of [['attention'], ['repair', 'list']]) {
    expect(await jsonLines(['rounds', ...lists, ...where])).toEqual([]);
  }
});

/** What a command prints with --json: a value a line, and nothing else. */
async function jsonLines(args: readonly string[]): Promise<unknown[]> {
  const { stdout } = await runCli([...args, '--json']);
  const lines = stdout.split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line));
}

const listRepairs = (...args: string[]) => runCli(['rounds', 'repairs', ...where, ...args]);

test('every repair is listed with its people, the latest first, a page at a time', async () => {
  const none = `No repair of operator ${play.round.operatorId}.\n`;
  expect(await listRepairs()).toEqual({ code: 0, stdout: none, stderr: '' });
  play.aheadMs = -3_600_000;
  const rejected = await play.proposed({});
  const reject = ['rounds', 'repair', 'reject', ...round, '--id', rejected, '--by', 'bert'];
  const note = 'it is not what the RGS said';
  expect(await runCli([...reject, '--reason', note])).toMatchObject({ code: 0 });
  play.aheadMs = 0;
  const { id } = await play.repaired({});
  const first = await listRepairs('--limit', '1');
  expect(first.stdout).toMatch(
    /^proposed \(UTC\) +by +repair +state +decided +by +amount +player /,
  );
  expect(first.stdout).toMatch(new RegExp(`anna +pay +done .*bert +0\\.0025 EUR .*${id} `));
  const [, cursor = ''] = /More with --cursor (\S+)\n$/.exec(first.stdout) ?? [];
  const second = await listRepairs('--limit', '1', '--cursor', cursor);
  expect(second.stdout).toMatch(/anna +pay +rejected .*; it is not what the RGS said\n$/);
  const json = JSON.parse((await listRepairs('--json')).stdout) as object;
  expect(json).toMatchObject({
    next: null,
    repairs: [
      { id, status: 'done', gameRound: play.round.gameRound, decidedBy: { id: 'bert' } },
      { id: rejected, status: 'rejected', note, amount: '0.0025', currency: 'EUR' },
    ],
  });
  const wrong = await listRepairs('--cursor', 'x');
  expect([wrong.code, wrong.stdout, wrong.stderr]).toEqual([
    2,
    '',
    'error: --cursor: cursor must be the `next` that this store gave for this operator\n',
  ]);
});

test('wrong flags, unknown rounds and late approvals are one line each, and move nothing', async () => {
  const short = [
    'rounds',
    'repair',
    'propose',
    ...round,
    '--kind',
    'pay',
    '--reason',
    'no',
    '--by',
    'a',
  ];
  expect(await runCli(short)).toMatchObject({ code: 2, stdout: '' });
  const unknown = [...where, '--player', 'nobody', '--round', 'none'];
  expect(await runCli(['rounds', 'show', ...unknown])).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: Nothing is known of round none of player nobody of operator ${play.round.operatorId}.\n`,
  });
  const order = ['--kind', 'void', '--reason', 'for the test', '--by', 'a'];
  expect(await runCli(['rounds', 'repair', 'propose', ...unknown, ...order])).toMatchObject({
    code: 1,
    stderr: `error: Nothing is known of round none of player nobody of operator ${play.round.operatorId}.\n`,
  });
  const approval = ['rounds', 'repair', 'approve', ...round, '--id', 'misspelt', '--by', 'bert'];
  expect(await runCli(approval)).toMatchObject({
    code: 1,
    stderr: `error: There is no proposal misspelt for round ${play.round.gameRound} of player ${play.round.playerId} of operator ${play.round.operatorId}.\n`,
  });
  const id = await play.proposed({});
  await play.call(credit('later', 1n));
  const late = await runCli(['rounds', 'repair', 'approve', ...round, '--id', id, '--by', 'bert']);
  expect([late.code, late.stderr]).toEqual([
    1,
    'error: The round has changed since the proposal: look at it, and propose again.\n',
  ]);
  await play.is('stranded', 90n);
});

test('a proposal of more than 24 hours ago is not listed: it cannot be approved any more (D11.2)', async () => {
  const waiting = ['rounds', 'repair', 'list', ...where];
  play.aheadMs = -23 * 3_600_000;
  const id = await play.proposed({});
  expect((await runCli(waiting)).stdout).toContain(id);
  await play.call(credit('later', 1n));
  play.aheadMs = -24 * 3_600_000;
  await play.proposed({ hash: 'c' });
  expect((await runCli(waiting)).stdout).toBe(
    `No open proposal of operator ${play.round.operatorId}.\n`,
  );
});

test('rounds that never ended are listed from an age on', async () => {
  const open = await RoundPlay.open({ store, players: store.players });
  await open.call(debit('d', 1n, true));
  const place = ['--store', server.url, '--operator', open.round.operatorId];
  const listed = await runCli(['rounds', 'attention', ...place, '--open-hours', '0', '--json']);
  expect(JSON.parse(listed.stdout)).toMatchObject({
    kind: 'round',
    state: 'open',
    atStake: '0.0001',
  });
  const old = await runCli(['rounds', 'attention', ...place, '--open-hours', '24']);
  expect(old.stdout).toBe(`No round of operator ${open.round.operatorId} needs attention.\n`);
});

test('an empty answer names whose rounds were looked for, so that a misspelt operator shows', async () => {
  const typo = ['--store', server.url, '--operator', 'cazino'];
  const ofRound = [...typo, '--player', 'ann'];
  expect((await runCli(['rounds', 'attention', ...typo])).stdout).toBe(
    'No round of operator cazino needs attention.\n',
  );
  expect((await runCli(['rounds', 'repair', 'list', ...typo])).stdout).toBe(
    'No open proposal of operator cazino.\n',
  );
  expect(await runCli(['rounds', 'show', ...ofRound, '--round', 'r-1'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: Nothing is known of round r-1 of player ann of operator cazino.\n',
  });
  expect((await runCli(['rounds', 'show', ...ofRound, '--hash', 'h'])).stderr).toMatch(
    /^error: No round of player ann of operator cazino has the hash: searched 0\.\n$/,
  );
});

test('the commands of docs/operations/incidents.md repair a stranded round', async () => {
  const block = blocksOf('docs/operations/incidents.md').find(({ name }) => name === 'repair');
  const { operatorId, playerId, gameRound } = play.round;
  const env = { WALLET_STORE: server.url, OPERATOR_ID: operatorId };
  let id = '';
  for (const line of (block?.code ?? '').trim().split('\n')) {
    const words = line.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
    const args = words.slice(1).map((word) => word.replace(/^['"]|['"]$/g, ''));
    const named = new Map([
      ['ann', playerId],
      ['round-7', gameRound],
      ['$id', id],
    ]);
    const given = args.map((word) => named.get(word) ?? word);
    const { code, stdout, stderr } = await runCli(given, { env });
    expect([code, stderr]).toEqual([0, '']);
    if (args.includes('propose')) id = stdout.split(/[ :]/)[1] ?? '';
  }
  await play.is('closed', 115n);
});

test.each(['the store', 'a ledger over it'])(
  'a repair in %s has its events, although the command names no consumer',
  async (kind) => {
    const url = await server.createDatabase();
    const named = createPostgresStore({ url, init: true, events: ['bridge'], ...patience });
    cleanup.after(named);
    await named.ready();
    const ledger = createMemoryLedger();
    const held = await RoundPlay.stranded(
      kind === 'the store'
        ? { store: named, players: named.players }
        : { store: createLedgerStore({ ledger, journal: named }), players: ledger },
    );
    const { operatorId, playerId, gameRound } = held.round;
    const place = ['--store', url, '--operator', operatorId, '--player', playerId];
    const over = kind === 'the store' ? [] : ['--ledger', await payingLedger()];
    const repair = (...args: string[]) =>
      runCli(['rounds', 'repair', ...args, ...place, ...over, '--round', gameRound]);
    const before = await eventsOf(named.events, operatorId);
    const proposed = await repair('propose', '--kind', 'pay', ...why, '--by', 'anna');
    const id = proposed.stdout.split(/[ :]/)[1] ?? '';
    const approved = await repair('approve', '--id', id, '--by', 'bert');
    expect([approved.code, approved.stderr]).toEqual([0, '']);
    const { head } = await snapshotOf(named, held.round);
    const told = await eventsOf(named.events, operatorId);
    const versions = told.map(({ version }) => version);
    expect(versions).toEqual(versions.map((_, at) => before.length + 1 + at));
    expect(told.flatMap(({ movements }) => movements)).toMatchObject([{ real: '0.0025' }]);
    expect(told.at(-1)).toMatchObject({ version: head.version, state: 'closed' });
  },
);

/** A ledger that pays everything. */
function payingLedger(): Promise<string> {
  const moved = "async () => ({ kind: 'done' })";
  return temporaryFile(
    'ledger.cjs',
    `module.exports = { debit: ${moved}, credit: ${moved}, reverse: ${moved}, balances: async () => [{ currency: 'EUR', real: 0n, bonus: null }] };`,
  );
}

/** The events that wait for the consumer; then they are acknowledged. */
async function eventsOf(from: EventSource, operatorId: string): Promise<readonly RoundEvent[]> {
  const request = { consumer: 'bridge', operatorId, signal: AbortSignal.timeout(30_000) };
  for await (const batch of from.read(request)) {
    await batch.done();
    return ofRounds(batch.events);
  }
  return [];
}
