import * as fc from 'fast-check';

import type {
  CreditDue,
  DebitDue,
  EndDue,
  Entry,
  Owner,
  Refusal,
  Round,
  RoundCredit,
  RoundDebit,
  VoidDue,
} from '../../../lib/rgs/rounds/round';
import type { RoundEvent } from '../../../lib/rgs/rounds/event';
import type { ServiceEvent } from '../../../lib/rgs/service/state/event-shape';
import type { Grant } from '../../../lib/rgs/grants';
import type { SessionEvent } from '../../../lib/rgs/session-tokens';

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const at = fc.nat({ max: 2 ** 52 });
const amount = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n });
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary);
const texts = fc.dictionary(text, text, { maxKeys: 3, noNullPrototype: true });

const owner: fc.Arbitrary<Owner> = fc.record({
  gameProviderId: text,
  operatorId: text,
  playerId: text,
  gameCode: text,
  mode: fc.constantFrom('REAL', 'DEMO'),
  currency: text,
  currencyMultiplier: text,
});

const common = { hash: text, at, reason: text };

const debitDue: fc.Arbitrary<DebitDue> = fc.record({
  ...common,
  type: fc.constant('debit'),
  isFirstDebit: fc.boolean(),
  amount,
  currency: text,
  discount: maybe(fc.record({ amount, campaignId: text })),
  serial: maybe(text),
});

const creditDue: fc.Arbitrary<CreditDue> = fc.record({
  ...common,
  type: fc.constant('credit'),
  amount,
  currency: text,
});

const endDue: fc.Arbitrary<EndDue> = fc.record({ ...common, type: fc.constant('end') });

const voidDue: fc.Arbitrary<VoidDue> = fc.record({
  ...common,
  type: fc.constant('void'),
  amount,
  currency: text,
});

const refusal: fc.Arbitrary<Refusal> = fc.oneof(
  fc.record({
    kind: fc.constant('ours'),
    code: fc.constantFrom('GENERICBETERROR', 'INVALIDPARAMETER'),
    rule: text,
  }),
  fc.record({
    kind: fc.constant('operator'),
    id: fc.integer(),
    clientmsg: maybe(text),
    rule: text,
  }),
);

const roundDebit: fc.Arbitrary<RoundDebit> = fc.record({
  due: debitDue,
  key: maybe(text),
  content: text,
  stake: amount,
  state: fc.constantFrom('due', 'accepted', 'declined', 'withdrawn', 'voided'),
  refusal: maybe(refusal),
});

const roundCredit: fc.Arbitrary<RoundCredit> = fc.record({
  due: creditDue,
  key: maybe(text),
  content: text,
  state: fc.constantFrom('due', 'paid', 'refused', 'held', 'dropped'),
});

const entry: fc.Arbitrary<Entry> = fc.record({
  hash: text,
  type: fc.constantFrom('debit', 'genericwin', 'wager', 'spincounter'),
  at,
  winAmount: amount,
  open: amount,
  collected: amount,
  amountWagered: maybe(amount),
  info: texts,
  protectedInfo: texts,
  reason: text,
  jackpotIds: fc.array(text, { maxLength: 2 }),
  key: maybe(text),
  content: text,
});

const few = { maxLength: 2 };
const due = fc.oneof(debitDue, creditDue, endDue, voidDue);

/** Any round, whether it could come about or not. */
export const round: fc.Arbitrary<Round> = fc.record({
  owner,
  gameRound: text,
  isNamed: fc.boolean(),
  state: fc.constantFrom(
    'starting',
    'open',
    'closed',
    'declined',
    'cancelled',
    'voided',
    'stranded',
    'crashed',
  ),
  endsAtOnce: fc.boolean(),
  startedAt: at,
  lastCallAt: at,
  voids: fc.array(fc.record({ hash: text, at }), few),
  debits: fc.array(roundDebit, few),
  credits: fc.array(roundCredit, few),
  entries: fc.array(entry, few),
  awaiting: fc.array(entry, few),
  counters: fc.array(fc.record({ counterType: text, awarded: at, used: at }), few),
  queue: fc.array(due, few),
  undelivered: fc.array(due, few),
  needsPerson: fc.boolean(),
});

const settledDue = fc.record({
  type: fc.constantFrom('debit' as const, 'credit' as const, 'end' as const, 'void' as const),
  hash: text,
  fate: fc.constantFrom(
    'processed' as const,
    'declined' as const,
    'dropped' as const,
    'withdrawn' as const,
    'due' as const,
    'held' as const,
  ),
  refusal: maybe(refusal),
});

/** Every kind of event of a round. */
const roundEvents: { readonly [Type in RoundEvent['type']]: fc.Arbitrary<RoundEvent> } = {
  started: fc.record({
    type: fc.constant('started'),
    at,
    owner,
    gameRound: text,
    isNamed: fc.boolean(),
    debit: roundDebit,
    credit: maybe(roundCredit),
    end: maybe(endDue),
    entries: fc.array(entry, few),
  }),
  debitAdded: fc.record({ type: fc.constant('debitAdded'), at, debit: roundDebit, entry }),
  entryAdded: fc.record({
    type: fc.constant('entryAdded'),
    at,
    entry,
    taken: amount,
    spins: maybe(fc.record({ counterType: text, awarded: at, used: at })),
  }),
  collected: fc.record({ type: fc.constant('collected'), at, credit: roundCredit }),
  closed: fc.record({ type: fc.constant('closed'), at, end: endDue }),
  voided: fc.record({ type: fc.constant('voided'), at, void: voidDue }),
  settled: fc.record({
    type: fc.constant('settled'),
    transactions: fc.array(settledDue, few),
    effect: maybe(fc.constantFrom('cancelled', 'declined', 'stranded', 'crashed')),
    needsPerson: fc.boolean(),
    voids: fc.array(voidDue, few),
  }),
  givenUp: fc.record({ type: fc.constant('givenUp'), at }),
};

const grant: fc.Arbitrary<Grant> = fc.record({
  owner,
  kind: fc.constantFrom('player', 'janitor', 'history'),
  language: text,
  device: text,
  externalSessionId: maybe(text),
  profile: maybe(text),
  options: fc.dictionary(
    text,
    fc.oneof(text, fc.boolean(), fc.integer(), fc.array(text, few), fc.array(fc.integer(), few)),
    { maxKeys: 3, noNullPrototype: true },
  ),
});

const sessionEvents: { readonly [Type in SessionEvent['type']]: fc.Arbitrary<SessionEvent> } = {
  launchIssued: fc.record({
    type: fc.constant('launchIssued'),
    hash: text,
    lastFour: text,
    at,
    grant,
  }),
  launchBurned: fc.record({ type: fc.constant('launchBurned'), hash: text }),
  sessionOpened: fc.record({
    type: fc.constant('sessionOpened'),
    hash: text,
    lastFour: text,
    at,
    grant,
  }),
  sessionUsed: fc.record({ type: fc.constant('sessionUsed'), hash: text, at }),
  sessionRevoked: fc.record({ type: fc.constant('sessionRevoked'), hash: text }),
};

/** Every kind of event of the service, by its type. */
export const serviceEvents: {
  readonly [Type in ServiceEvent['type']]: fc.Arbitrary<ServiceEvent>;
} = {
  round: fc.record({
    type: fc.constant('round'),
    gameProviderId: text,
    gameRound: text,
    event: fc.oneof(...Object.values(roundEvents)),
  }),
  roundKept: fc.record({ type: fc.constant('roundKept'), round }),
  roundForgotten: fc.record({
    type: fc.constant('roundForgotten'),
    gameProviderId: text,
    gameRound: text,
  }),
  idSpent: fc.record({
    type: fc.constant('idSpent'),
    gameProviderId: text,
    operatorId: text,
    playerId: text,
    mode: text,
    gameRound: text,
    at,
  }),
  freePlays: fc.record({
    type: fc.constant('freePlays'),
    event: fc.oneof(
      fc.record({
        type: fc.constant('freePlaysAssigned' as const),
        assigned: fc.record({
          operatorId: text,
          playerId: text,
          gameCode: text,
          serial: text,
          internalid: text,
          currency: text,
          stake: amount,
          count: at,
          expires: maybe(at),
        }),
      }),
      fc.record({
        type: fc.constant('freePlaysCounted' as const),
        operatorId: text,
        serial: text,
        used: at,
        won: amount,
      }),
    ),
  }),
  playerData: fc.record({
    type: fc.constant('playerData'),
    event: fc.record({
      type: fc.constant('playerDataSet' as const),
      operatorId: text,
      playerId: text,
      gameCode: text,
      mode: fc.constantFrom('REAL' as const, 'DEMO' as const),
      currency: text,
      stake: amount,
      data: text,
      updated: at,
      expires: maybe(at),
    }),
  }),
  statistics: fc.record({
    type: fc.constant('statistics'),
    event: fc.record({
      type: fc.constant('statisticsKept' as const),
      cell: fc.record({
        operatorId: text,
        day: text,
        currency: text,
        gameCode: text,
        playerId: text,
        bet: amount,
        win: amount,
        games: at,
      }),
      counting: fc.record({
        by: fc.constantFrom('start', 'end'),
        zone: text,
        voids: fc.constantFrom('restated', 'dated'),
      }),
    }),
  }),
  demoPurseKept: fc.record({
    type: fc.constant('demoPurseKept'),
    operatorId: text,
    playerId: text,
    currency: text,
    change: fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n }),
    at,
  }),
  session: fc.record({
    type: fc.constant('session'),
    event: fc.oneof(...Object.values(sessionEvents)),
  }),
};
