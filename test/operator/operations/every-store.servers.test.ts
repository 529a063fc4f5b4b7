import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { createLedgerStore } from '../../../lib/operator/ledger';
import type { OperationsOptions, Person, Right } from '../../../lib/operator/operations';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type { AccountStore, RoundJson } from '../../../lib/operator/wallet';
import { type Clock, systemClock } from '../../../lib/platform';
import { createMemoryLedger } from '../../../lib/proof';
import { type ContractWallet, keepsMoney } from '../../../lib/proof/subject/players';
import { credit, debit, RoundPlay } from '../../../lib/proof/contracts/repairs/round-play';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';
import { type RedisServer, startRedis } from '../../servers/redis/server';
import { patience } from '../../support/patience';
import { VirtualClock } from '../../support/virtual-clock';
import { type Browser, open, wordsOf } from './fixture';

let redis: RedisServer;
let postgres: PostgresServer;
const wallets: ContractWallet[] = [];

beforeAll(async () => {
  [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
});

afterAll(async () => {
  await Promise.all(wallets.map(({ store }) => store.close()));
  await Promise.all([redis.stop(), postgres.stop()]);
});

function inRedis(namespace: string, history: boolean): AccountStore {
  return createRedisStore({ ...patience, url: redis.url, init: true, namespace, history });
}

function inPostgres(schema: string): AccountStore {
  return createPostgresStore({ ...patience, url: postgres.url, init: true, schema });
}

function own(store: AccountStore): ContractWallet {
  return { store, players: store.players };
}

function overLedger(journal: AccountStore): ContractWallet {
  const ledger = createMemoryLedger();
  return { store: createLedgerStore({ ledger, journal, deadlineMs: 60_000 }), players: ledger };
}

/**
 * No time limit of the page passes, however slow the machine is. Its pauses are real ones: an approval waits so for
 * another that continues its posting.
 */
const { monotonicMs, after } = new VirtualClock();
const clock: Clock = { ...systemClock, monotonicMs, after };

const reason = 'the RGS confirms <b>the win</b>';

/** A round that waits for a person, and the pages as each of them sees them. */
class Scene {
  private constructor(
    readonly wallet: ContractWallet,
    readonly play: RoundPlay,
  ) {}

  /** A player with 90 units left, whose win of 25 was refused. */
  static async stranded(wallet: ContractWallet): Promise<Scene> {
    return new Scene(wallet, await RoundPlay.stranded(wallet));
  }

  as(
    id: string,
    may: readonly Right[] = ['look', 'propose', 'approve', 'block'],
    options: Partial<OperationsOptions> = {},
  ): Browser {
    const person: Person = { id, name: id.toUpperCase(), may };
    const { operatorId } = this.play.round;
    const authorize = () => person;
    return open(this.wallet.store, { operators: [operatorId], authorize, clock, ...options });
  }

  ids(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    const { operatorId, playerId, gameRound } = this.play.round;
    return { operator: operatorId, player: playerId, round: gameRound, ...more };
  }

  query(more: Readonly<Record<string, string>> = {}): string {
    return new URLSearchParams(this.ids(more)).toString();
  }

  async round(): Promise<RoundJson> {
    return (await this.as('eye').get(`/round.json?${this.query()}`)).json() as RoundJson;
  }

  /** Proposes to pay; resolves to the form that decides it. */
  async proposed(by: Browser): Promise<Record<string, string>> {
    const { status } = await by.post('/propose', this.ids({ kind: 'pay', reason }));
    expect(status).toBe(303);
    return this.ids({ repair: (await this.round()).repairs?.at(-1)?.id ?? '' });
  }

  has(): Promise<bigint> {
    return this.play.has();
  }
}

describe.each([
  ['in memory', () => own(createMemoryStore())],
  ['in Redis', () => own(inRedis('own', true))],
  ['in PostgreSQL', () => own(inPostgres('own'))],
  ['over a ledger with its journal in memory', () => overLedger(createMemoryStore())],
  ['over a ledger with its journal in Redis', () => overLedger(inRedis('journal', false))],
  ['over a ledger with its journal in PostgreSQL', () => overLedger(inPostgres('journal'))],
] as const)('the operations page of a wallet %s', (name, makeWallet) => {
  const isWithoutHistory = name.endsWith('journal in Redis');
  let wallet: ContractWallet;

  beforeAll(async () => {
    wallet = makeWallet();
    wallets.push(wallet);
    await wallet.store.ready();
  });

  test('lists a round that waits, with what is at stake, and leads to it', async () => {
    const scene = await Scene.stranded(wallet);
    const maria = scene.as('maria');
    const { text, status } = await maria.get('/');
    expect(status).toBe(200);
    const words = wordsOf(text);
    expect(words).toContain('Rounds that wait 1 ');
    expect(words).toContain('The store is ready');
    expect(words).toContain('At stake in them 0.0025 EUR');
    const { gameRound, playerId } = scene.play.round;
    const json = (await maria.get('/attention.json')).json();
    expect(json).toMatchObject({
      money: { store: 'ready' },
      attention: {
        total: 1,
        states: { stranded: 1 },
        atStake: { EUR: '0.0025' },
        isWhole: true,
        rows: [{ gameRound, playerId, state: 'stranded', gameCode: 'game', proposal: null }],
      },
    });
    const found = await maria.get(`/search?${scene.query()}`);
    expect(found.headers['location']).toBe(`round?${scene.query()}`);
    const page = await maria.get(`/${found.headers['location']}`);
    expect([page.status, page.text.includes('BALANCETOOLOW')]).toEqual([200, true]);
  });

  test('shows a player and a round as text and as JSON, and 404 for those who are not known', async () => {
    const scene = await Scene.stranded(wallet);
    const eye = scene.as('eye', ['look']);
    const player = await eye.get(`/player?${scene.query()}`);
    expect(wordsOf(player.text)).toContain('Real balance 0.009 EUR');
    expect((await eye.get(`/player.json?${scene.query()}`)).json()).toMatchObject({
      blocked: keepsMoney(wallet) ? false : null,
      accounts: [{ currency: 'EUR', real: '0.009' }],
      cash: keepsMoney(wallet) ? { movements: [{ kind: 'opening', amount: '0.01' }] } : null,
    });
    const json = await scene.round();
    expect(json).toEqual(
      JSON.parse(JSON.stringify(await wallet.store.rounds.readRound(scene.play.round))),
    );
    expect(json.transactions.map(({ hash, outcome }) => `${hash} ${outcome}`)).toEqual([
      'd accepted',
      'e BALANCETOOLOW',
      'c DEBITFAILEDBEFORE',
    ]);
    for (const page of ['player', 'round']) {
      const unknown = scene.query({ player: 'nobody' });
      expect((await eye.get(`/${page}?${unknown}`)).status).toBe(404);
      expect((await eye.get(`/${page}.json?${unknown}`)).status).toBe(404);
    }
  });

  test("lists the player's rounds and finds one by a hash, or says that the store does not", async () => {
    const scene = await Scene.stranded(wallet);
    const eye = scene.as('eye', ['look']);
    const { gameRound, playerId } = scene.play.round;
    const page = (await eye.get(`/player.json?${scene.query()}`)).json() as { rounds: object };
    const found = await eye.get(`/search?${scene.query({ round: '', hash: 'c' })}`);
    if (isWithoutHistory) {
      expect(page.rounds).toEqual({ history: 'off' });
      expect((await eye.get(`/player?${scene.query()}`)).text).toContain('History is off');
      expect(found.status).toBe(501);
      return;
    }
    expect(page.rounds).toMatchObject({
      history: 'on',
      rounds: [{ gameRound, playerId, state: 'stranded', debits: { real: '0.001' } }],
      next: null,
    });
    expect(found.headers['location']).toBe(`round?${scene.query()}`);
  });

  test('repairs a round once, however often and by however many it is approved', async () => {
    const scene = await Scene.stranded(wallet);
    const [maria, ines, juan] = [scene.as('maria'), scene.as('ines'), scene.as('juan')];
    const form = await scene.proposed(maria);
    expect(await scene.has()).toBe(90n);
    expect((await ines.get('/')).text).toContain('1 repair waits for approval');
    const listed = (await ines.get('/repairs.json')).json();
    expect(listed).toMatchObject({ rows: [{ proposal: { kind: 'pay', by: { id: 'maria' } } }] });
    const { text } = await ines.get(`/round?${scene.query()}`);
    expect(text).toContain('the RGS confirms &lt;b&gt;the win&lt;/b&gt;');
    const decisions = await Promise.all(
      [ines, juan, ines].map((person) => person.post('/approve', form)),
    );
    expect(decisions.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await scene.has()).toBe(115n);
    expect((await juan.post('/approve', form)).headers['location']).toMatch(/did=made-before$/);
    expect(await scene.has()).toBe(115n);
    expect(await scene.round()).toMatchObject({
      state: 'closed',
      repairs: [{ status: 'done', amount: '0.0025', proposedBy: { id: 'maria', name: 'MARIA' } }],
    });
    expect((await maria.get('/')).text).toContain('No round waits');
    const log = await maria.get(`/repair-log.json?operator=${scene.play.round.operatorId}`);
    const made = {
      status: 'done',
      proposedBy: { id: 'maria' },
      decidedBy: { id: expect.any(String) },
    };
    expect(log.json()).toMatchObject({ repairs: [made], next: null });
  });

  test('refuses the own proposal, one that is rejected, one that expired and one of a round that moved', async () => {
    const scene = await Scene.stranded(wallet);
    const [maria, ines] = [scene.as('maria'), scene.as('ines')];
    const first = await scene.proposed(maria);
    expect((await maria.post('/approve', first)).text).toContain(
      'Another person than the proposer',
    );
    expect((await maria.post('/propose', scene.ids({ kind: 'pay', reason }))).status).toBe(409);
    expect((await ines.post('/reject', { ...first, reason })).status).toBe(303);
    expect((await ines.post('/approve', first)).status).toBe(409);
    const second = await scene.proposed(maria);
    await scene.play.call(credit('late', 5n));
    const moved = await ines.post('/approve', second);
    expect([moved.status, moved.text.includes('The round has changed')]).toEqual([409, true]);
    const later = new VirtualClock(Date.now() + 25 * 3_600_000);
    const third = await scene
      .as('maria')
      .post('/propose', scene.ids({ kind: 'resolve', reference: 'ticket-1', reason }));
    expect(third.status).toBe(303);
    const repair = (await scene.round()).repairs?.at(-1)?.id ?? '';
    const tomorrow = scene.as('ines', ['look', 'approve'], { clock: later });
    const expired = await tomorrow.post('/approve', scene.ids({ repair }));
    expect([expired.status, expired.text.includes('older than 24 hours')]).toEqual([409, true]);
    expect(await scene.has()).toBe(90n);
    expect((await scene.round()).state).toBe('stranded');
  });

  test('voids and resolves a round, and then it waits no longer', async () => {
    const [voided, resolved] = [await Scene.stranded(wallet), await Scene.stranded(wallet)];
    const act = async (scene: Scene, order: Readonly<Record<string, string>>): Promise<void> => {
      expect((await scene.as('maria').post('/propose', scene.ids(order))).status).toBe(303);
      const repair = (await scene.round()).repairs?.at(-1)?.id ?? '';
      expect((await scene.as('ines').post('/approve', scene.ids({ repair }))).status).toBe(303);
    };
    await act(voided, { kind: 'void', reason });
    await act(resolved, { kind: 'resolve', reference: 'ticket-1', reason });
    expect([await voided.has(), (await voided.round()).state]).toEqual([100n, 'voided']);
    expect([await resolved.has(), (await resolved.round()).state]).toEqual([90n, 'closed']);
    expect((await voided.as('eye').get('/')).text).toContain('No round waits');
    expect((await resolved.as('eye').get('/')).text).toContain('No round waits');
  });

  test('blocks a player where the store keeps the players, and says so where it does not', async () => {
    const scene = await Scene.stranded(wallet);
    const maria = scene.as('maria');
    const reply = await maria.post('/block', scene.ids({ blocked: 'true', reason }));
    expect(reply.status).toBe(keepsMoney(wallet) ? 303 : 501);
    if (!keepsMoney(wallet)) return;
    expect((await maria.get(`/player?${scene.query()}`)).text).toContain('the player is blocked');
    expect((await maria.get(`/player.json?${scene.query()}`)).json()).toMatchObject({
      blocks: [{ blocked: true, by: { id: 'maria', name: 'MARIA' }, reason }],
    });
    const other = await RoundPlay.open(wallet);
    expect(await other.call(debit('d', 10n, true))).toEqual(['processed']);
  });
});
