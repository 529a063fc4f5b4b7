import { describe, expect, test } from '@jest/globals';
import {
  type LastSeen,
  lastSeenOf,
  type LostCall,
  type LostRound,
  type Recovery,
  type RecoverOptions,
  type RoundReply,
} from '../../../lib/provider';
import { type Fault, ScriptedRgs } from '../scripted-rgs';

const gameRound = 'round-1';
const round = { token: 't', gameRound };
const start = {
  token: 't',
  rngResult: {},
  debitInformation: {
    debitAmount: 100n,
    currency: 'EUR',
    externalGameProviderTransactionId: 'bet-1',
  },
  endGame: false,
  externalGameProviderRoundId: gameRound,
};
const bet = {
  ...start,
  debitInformation: { ...start.debitInformation, externalGameProviderTransactionId: 'bet-2' },
};
const win = (winAmount: number, more: object = {}) => ({
  ...round,
  rngResult: { rngCallId: 'r-1', winAmount },
  externalGameProviderTransactionId: 'win-1',
  ...more,
});
const wager = {
  ...round,
  rngResult: { winAmount: 200n },
  wagerInformation: {
    wagerAmount: 100n,
    currency: 'EUR',
    externalGameProviderTransactionId: 'wager-1',
  },
};
const spin = {
  ...round,
  counterType: 'customspin',
  rngResult: { rngCallId: 's-1', result: { used: 1 } },
  gameStateResult: '{}',
};
const awarded = { ...spin, rngResult: { rngCallId: 's-0', result: { awarded: 10 } } };

/** Nothing was won, one bet of 100 stands. */
const afterStart: LastSeen = { amountToCollect: 0n, stake: 100n, entries: [] };

const lostCalls = {
  start: { call: 'start', request: start },
  'start that ends': { call: 'start', request: { ...start, endGame: true } },
  addBet: { call: 'addBet', request: bet },
  'addWin 250': { call: 'addWin', request: win(250) },
  'addWin 250 collect': { call: 'addWin', request: win(250, { collect: true }) },
  'addWin 0': { call: 'addWin', request: win(0) },
  'addWin 250 without a key': {
    call: 'addWin',
    request: { ...round, rngResult: { winAmount: 250 } },
  },
  wagerWin: { call: 'wagerWin', request: wager },
  spin: { call: 'spin', request: spin },
  end: { call: 'end', request: round },
  collect: { call: 'collect', request: { ...round, externalGameProviderTransactionId: 'c-1' } },
  'collect 50 without a key': { call: 'collect', request: { ...round, amount: 50n } },
  void: { call: 'void', request: round },
  'void of the added bet': {
    call: 'void',
    request: { ...round, externalGameProviderTransactionId: 'bet-2' },
  },
} as const satisfies Record<string, LostCall>;

type LostName = keyof typeof lostCalls;

/** The calls that bring a round into a state, by name. */
const steps = {
  start: (client) => client.startGameRound(start),
  startAndEnd: (client) => client.startGameRound({ ...start, endGame: true }),
  bet: (client) => client.startGameOrAddBet(bet),
  win250: (client) => client.addWin(win(250)),
  win250other: (client) => {
    return client.addWin({ ...win(250), externalGameProviderTransactionId: 'win-9' });
  },
  win100: (client) => {
    return client.addWin({ ...win(100), externalGameProviderTransactionId: 'win-0' });
  },
  win0: (client) => client.addWin(win(0)),
  wager: (client) => client.wagerWin(wager),
  award: (client) => client.addSpinCounterGameState(awarded),
  spin: (client) => client.addSpinCounterGameState(spin),
  collect: (client) => {
    return client.collectWin({ ...round, externalGameProviderTransactionId: 'c-1' });
  },
  end: (client) => client.endGameRound(round),
  void: (client) => client.voidGameRound(round),
  voidBet: (client) => {
    const which = { externalGameProviderTransactionId: 'bet-2' };
    return client.voidGameRound({ ...round, ...which });
  },
} as const satisfies Record<
  string,
  (client: ReturnType<ScriptedRgs['client']>) => Promise<RoundReply>
>;

type Step = keyof typeof steps;

interface Case {
  /** The server when it is asked: what was done before the lost call, then what was done by it or since. */
  readonly before: readonly Step[];
  readonly since: readonly Step[];
  readonly lost: LostName;
  /** Whether the server shows no ids and no outcome. */
  readonly isPlain?: boolean;
  readonly isUnseen?: boolean;
  readonly faults?: readonly Fault[];
  readonly policy?: 'endOnly';
}

interface Outcome {
  readonly recovery: Recovery;
  readonly names: readonly string[];
  readonly rgs: ScriptedRgs;
}

async function recovered(given: Case): Promise<Outcome> {
  const rgs = new ScriptedRgs();
  rgs.book.isPlain = given.isPlain ?? false;
  const client = rgs.client();
  let last: LastSeen | null = null;
  const make = async (step: Step): Promise<LastSeen> =>
    lastSeenOf(await rgs.run<RoundReply>(steps[step](client)));
  for (const step of given.before) last = await make(step);
  for (const step of given.since) await make(step);
  rgs.sent.length = 0;
  rgs.faults = [...(given.faults ?? [])];
  const seen = given.isUnseen === true ? null : last;
  const lost: LostCall = lostCalls[given.lost];
  const policy = given.policy === undefined ? {} : { policy: given.policy };
  const recovery = await rgs.run(client.recover({ ...round, lost, last: seen }, policy));
  return { recovery, names: rgs.names, rgs };
}

const asked = 'getGameRoundInfo';

describe('S2.2: a round that was never started', () => {
  test('a lost start was not taken, and is not sent again', async () => {
    const { recovery, names } = await recovered({ before: [], since: [], lost: 'start' });
    expect([recovery, names]).toEqual([{ kind: 'notTaken' }, [asked]]);
  });

  test.each(['addBet', 'addWin 250', 'end', 'void'] as const)(
    'a lost %s is unclear',
    async (lost) => {
      const { recovery, names } = await recovered({ before: [], since: [], lost });
      expect(recovery).toMatchObject({ kind: 'unclear', round: null });
      expect(names).toEqual([asked]);
    },
  );
});

describe('S2.3: a closed round; nothing is sent', () => {
  test.each<[LostName, readonly Step[], readonly Step[], Recovery['kind']]>([
    ['start', [], ['start', 'end'], 'done'],
    ['start that ends', [], ['startAndEnd'], 'done'],
    ['addBet', ['start'], ['bet', 'end'], 'done'],
    ['addBet', ['start'], ['end'], 'unclear'],
    ['addWin 250', ['start'], ['win250', 'end'], 'done'],
    ['addWin 250', ['start'], ['end'], 'unclear'],
    ['addWin 250', ['start', 'win100'], ['win250', 'end'], 'done'],
    ['addWin 250', ['start', 'win100'], ['end'], 'unclear'],
    ['addWin 250 collect', ['start'], ['win250', 'end'], 'done'],
    ['addWin 0', ['start'], ['end'], 'done'],
    ['wagerWin', ['start', 'win100'], ['wager', 'end'], 'done'],
    ['wagerWin', ['start', 'win100'], ['end'], 'unclear'],
    ['spin', ['start', 'award'], ['spin', 'end'], 'done'],
    ['spin', ['start', 'award'], ['end'], 'unclear'],
    ['end', ['start', 'win250'], ['end'], 'done'],
    ['end', ['start'], ['win250', 'end'], 'unclear'],
    ['collect', ['start', 'win250'], ['collect', 'end'], 'done'],
    ['void', ['start'], ['end'], 'unclear'],
    ['void of the added bet', ['start', 'bet'], ['voidBet', 'end'], 'done'],
    ['start', [], ['start', 'void'], 'undone'],
    ['addWin 250', ['start'], ['void'], 'undone'],
    ['end', ['start'], ['void'], 'undone'],
    ['void', ['start'], ['void'], 'undone'],
  ])('a lost %s after %j, then %j, is %s', async (lost, before, since, kind) => {
    for (const isPlain of [false, true]) {
      const { recovery, names } = await recovered({ before, since, lost, isPlain });
      // Without ids a spin leaves no trace in a closed round.
      const expected = isPlain && lost === 'spin' ? 'unclear' : kind;
      expect([isPlain, recovery.kind, names]).toEqual([isPlain, expected, [asked]]);
    }
  });
});

describe('S2.4: an open round', () => {
  test.each<[LostName, readonly Step[], readonly Step[]]>([
    ['start', [], ['start']],
    ['addBet', ['start'], ['bet']],
    ['addWin 250', ['start'], ['win250']],
    ['addWin 250', ['start', 'win100'], ['win250']],
    ['wagerWin', ['start', 'win100'], ['wager']],
    ['collect', ['start', 'win250'], ['collect']],
    ['void of the added bet', ['start', 'bet'], ['voidBet']],
  ])(
    'a lost %s after %j that is found applied is done: nothing is sent',
    async (lost, before, since) => {
      for (const isPlain of [false, true]) {
        const { recovery, names } = await recovered({ before, since, lost, isPlain });
        expect([isPlain, recovery.kind, names]).toEqual([isPlain, 'done', [asked]]);
      }
    },
  );

  test.each<[LostName, readonly Step[], string]>([
    ['addBet', ['start'], 'startGameOrAddBet'],
    ['addWin 250', ['start'], 'addWin'],
    ['addWin 250', ['start', 'win100'], 'addWin'],
    ['addWin 250 collect', ['start'], 'addWin'],
    ['addWin 0', ['start'], 'addWin'],
    ['wagerWin', ['start', 'win100'], 'wagerWin'],
    ['end', ['start', 'win250'], 'endGameRound'],
    ['collect', ['start', 'win250'], 'collectWin'],
    ['void', ['start'], 'voidGameRound'],
    ['void of the added bet', ['start', 'bet'], 'voidGameRound'],
  ])(
    'a lost %s after %j that is found not applied is sent again, once',
    async (lost, before, name) => {
      for (const isPlain of [false, true]) {
        const { recovery, names, rgs } = await recovered({ before, since: [], lost, isPlain });
        expect([isPlain, names]).toEqual([isPlain, [asked, name]]);
        expect(recovery.kind).toBe(lost === 'void' ? 'undone' : 'done');
        const { request } = lostCalls[lost];
        const written = JSON.stringify(request, (_, value: unknown) => {
          return typeof value === 'bigint' ? Number(value) : value;
        });
        // The same request, but for the token that the session has now.
        const { body } = rgs.sent[1] ?? { body: {} };
        expect({ ...body, token: 't' }).toEqual(JSON.parse(written));
      }
    },
  );

  test('a spin is found by its entry, else by the counter', async () => {
    const applied = { before: ['start', 'award'], since: ['spin'], lost: 'spin' } as const;
    expect((await recovered(applied)).names).toEqual([asked]);
    const plain = await recovered({ ...applied, isPlain: true });
    expect(plain.recovery.kind).toBe('done');
    expect(plain.names).toEqual([asked, 'getAvailableSpinCounter']);
    const missing = await recovered({ ...applied, since: [], isPlain: true });
    expect(missing.names.at(-1)).toBe('addSpinCounterGameState');
    expect([missing.recovery.kind, missing.rgs.book.only.used]).toEqual(['done', 1]);
  });

  test('a win that was to close the round and is found in the open round is ended (closing)', async () => {
    const given = { before: ['start'], since: ['win250'], lost: 'addWin 250 collect' } as const;
    const { recovery, names, rgs } = await recovered(given);
    expect(names).toEqual([asked, 'endGameRound']);
    expect(recovery).toMatchObject({ kind: 'done', round: { amountToCollect: 0n } });
    expect(rgs.book.net).toBe(150);
  });

  test('37 on a repeated added bet is done: it was late', async () => {
    // The late one arrives right before its repeat.
    const rgs = new ScriptedRgs();
    const client = rgs.client();
    await rgs.run(client.startGameRound(start));
    rgs.answers.set('startGameOrAddBet', [[400, { errorCode: { id: 37, msg: 'known' } }]]);
    const lost = lostCalls.addBet;
    const recovery = await rgs.run(client.recover({ ...round, lost, last: afterStart }));
    expect(recovery.kind).toBe('done');
  });

  test('13 on the repeated request goes back to asking, once', async () => {
    const rgs = new ScriptedRgs();
    const client = rgs.client();
    await rgs.run(client.startGameRound(start));
    const notActive = [400, { errorCode: { id: 13, msg: 'not active' } }] as const;
    rgs.answers.set('addWin', [notActive]);
    rgs.sent.length = 0;
    const given = { ...round, lost: lostCalls['addWin 250'], last: afterStart };
    const recovery = await rgs.run(client.recover(given));
    // The round is still open without the win, and it was sent again once: only a person can tell.
    expect(recovery).toMatchObject({ kind: 'unclear' });
    expect(rgs.names.filter((name) => name === 'addWin')).toHaveLength(1);
  });

  test.each<[LostName, readonly Step[], readonly Step[]]>([
    ['addWin 250', ['start'], ['win100']],
    ['wagerWin', ['start', 'win100'], ['win250other']],
    ['end', ['start'], ['win250']],
    ['collect', ['start', 'win250'], ['win100']],
  ])(
    'a lost %s after %j, then %j, is neither: unclear, and nothing is sent',
    async (lost, before, since) => {
      const { recovery, names } = await recovered({ before, since, lost });
      expect([recovery.kind, names]).toEqual(['unclear', [asked]]);
    },
  );

  test.each<[LostName, readonly Step[]]>([
    ['addWin 250 without a key', ['start']],
    ['collect 50 without a key', ['start', 'win250']],
  ])(
    'a lost %s is not sent again: it may still arrive, and both would count',
    async (lost, before) => {
      const { recovery, names } = await recovered({ before, since: [], lost });
      expect(recovery).toMatchObject({ kind: 'unclear', why: expect.stringContaining('key') });
      expect(names).toEqual([asked]);
    },
  );

  test('the key of the lost win with another amount is unclear', async () => {
    const rgs = new ScriptedRgs();
    const client = rgs.client();
    await rgs.run(client.startGameRound(start));
    await rgs.run(client.addWin(win(90)));
    const given = { ...round, lost: lostCalls['addWin 250'], last: afterStart };
    expect((await rgs.run(client.recover(given))).kind).toBe('unclear');
  });

  test('one id for a bet and a win does not take the bet for the win', async () => {
    const rgs = new ScriptedRgs();
    const client = rgs.client();
    await rgs.run(client.startGameRound(start));
    const request = win(250, { externalGameProviderTransactionId: 'bet-1' });
    const given = { ...round, lost: { call: 'addWin', request }, last: afterStart } as const;
    expect((await rgs.run(client.recover(given))).kind).toBe('done');
    expect(rgs.names.at(-1)).toBe('addWin');
  });

  test('a repeated request that is refused was not taken, with the refusal', async () => {
    const rgs = new ScriptedRgs();
    const client = rgs.client();
    await rgs.run(client.startGameRound(start));
    rgs.book.declines = true;
    const given = { ...round, lost: lostCalls.addBet, last: afterStart };
    const recovery = await rgs.run(client.recover(given));
    expect(recovery).toMatchObject({
      kind: 'notTaken',
      refusal: { id: 9001, clientmsg: 'Your balance is too low.', outcome: 'refused' },
    });
  });

  test('a win that nothing was seen before is judged from 0', async () => {
    const applied = await recovered({
      before: ['start'],
      since: ['win250'],
      lost: 'addWin 250',
      isPlain: true,
      isUnseen: true,
    });
    expect([applied.recovery.kind, applied.names]).toEqual(['done', [asked]]);
    const missing = await recovered({
      before: ['start'],
      since: [],
      lost: 'addWin 250',
      isUnseen: true,
    });
    expect([missing.recovery.kind, missing.names]).toEqual(['done', [asked, 'addWin']]);
  });
});

describe('S2.5: the policy endOnly ends an open round, as the published guidance says', () => {
  test.each<[LostName, readonly Step[], readonly Step[]]>([
    ['addWin 250', ['start'], ['win250']],
    ['addWin 0', ['start'], []],
    ['end', ['start', 'win250'], []],
    ['wagerWin', ['start', 'win100'], ['wager']],
  ])('a lost %s after %j, then %j', async (lost, before, since) => {
    const { recovery, names } = await recovered({ before, since, lost, policy: 'endOnly' });
    expect([recovery.kind, names]).toEqual(['done', [asked, 'endGameRound']]);
  });

  test.each<[LostName, readonly Step[]]>([
    ['addWin 250', ['start']],
    ['wagerWin', ['start', 'win100']],
  ])(
    'but not where a lost %s after %j is not found: ending would lose it',
    async (lost, before) => {
      const given = { before, since: [], lost, policy: 'endOnly' } as const;
      const rejected = await recovered(given).catch((error: unknown) => error);
      expect(rejected).toMatchObject({ code: 'INVALID_REQUEST', field: 'policy' });
    },
  );

  test('a start that is found is not ended: the stake would be lost', async () => {
    const given = { before: [], since: ['start'], lost: 'start', policy: 'endOnly' } as const;
    expect((await recovered(given)).names).toEqual([asked]);
  });
});

describe('S2.1 and S2.6: time and attempts', () => {
  const silence = Array.from({ length: 200 }, (): Fault => 'lost');

  test('a round that cannot be asked for leaves the lost call as it is: its own error again', async () => {
    const rgs = new ScriptedRgs();
    rgs.faults = [...silence];
    const error = new Error('the lost one');
    const startedAt = rgs.clock.monotonicMs();
    const lost = { ...lostCalls.start, error };
    expect(await rgs.failure(rgs.client().recover({ ...round, lost, last: null }))).toBe(error);
    expect(rgs.clock.monotonicMs() - startedAt).toBeLessThanOrEqual(20_000);
    expect(rgs.sent.length).toBeGreaterThan(5);
    expect(new Set(rgs.names)).toEqual(new Set([asked]));
  });

  test('without its own error it is that of the question, with an unknown outcome', async () => {
    const rgs = new ScriptedRgs();
    rgs.faults = [...silence];
    const given = { ...round, lost: lostCalls.start, last: null };
    const error = await rgs.failure(rgs.client().recover(given, { timeoutMs: 3000 }));
    expect(error).toMatchObject({ outcome: 'unknown' });
    expect(rgs.clock.monotonicMs()).toBeLessThanOrEqual(3000);
  });

  test('a repeated request that is lost too is asked for again, five times at most', async () => {
    const faults = [
      'none',
      'lost',
      'none',
      'none',
      'none',
      'none',
      'none',
    ] as const satisfies readonly Fault[];
    const given = { before: ['start'], since: [], lost: 'addWin 250', faults } as const;
    const rejected = await recovered(given).catch((error: unknown) => error);
    expect(rejected).toMatchObject({ code: 'NETWORK_FAILURE', outcome: 'unknown' });
  });

  test('a repeated request whose reply is lost is found when it is asked for', async () => {
    const faults = ['none', 'replyLost'] as const satisfies readonly Fault[];
    const given = { before: ['start'], since: [], lost: 'addWin 250', faults } as const;
    const { recovery, names, rgs } = await recovered(given);
    expect([recovery.kind, names]).toEqual(['done', [asked, 'addWin', asked]]);
    expect(rgs.book.only.entries.filter(({ type }) => type === 'genericwin')).toHaveLength(1);
  });

  test('a token that is refused leaves it unclear, not refused', async () => {
    const rgs = new ScriptedRgs();
    rgs.answers.set(asked, [[400, { errorCode: { id: 1008, msg: 'revoked' } }]]);
    const given = { ...round, lost: lostCalls['addWin 250'], last: afterStart };
    expect(await rgs.run(rgs.client().recover(given))).toMatchObject({
      kind: 'unclear',
      round: null,
      why: 'the round was refused: error 1008',
    });
  });

  test('too many requests are asked again', async () => {
    const rgs = new ScriptedRgs();
    const busy = [429, { errorCode: { id: 9107, msg: 'slow down' } }] as const;
    rgs.answers.set(asked, [busy, busy]);
    const given = { ...round, lost: lostCalls.start, last: null };
    expect(await rgs.run(rgs.client().recover(given))).toEqual({ kind: 'notTaken' });
  });

  test.each([
    [{ timeoutMs: 20_001 }, {}, 'timeoutMs'],
    [{ timeoutMs: 0 }, {}, 'timeoutMs'],
    [{ policy: 'endFirst' }, {}, 'policy'],
    [{}, { gameRound: 'round-2' }, 'lost/request'],
    [{}, { token: '' }, 'token'],
    [{}, { last: undefined }, 'last'],
    [{}, { lost: { call: 'refund', request: round } }, 'lost/call'],
  ])('%j with %j is an invalid request: %s', async (options, change, field) => {
    const rgs = new ScriptedRgs();
    const given = { ...round, lost: lostCalls.end, last: null, ...change };
    const call = rgs.client().recover(given as LostRound, options as RecoverOptions);
    const error = await rgs.failure(call);
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', field, outcome: 'nothing' });
    expect(rgs.sent).toEqual([]);
  });
});
