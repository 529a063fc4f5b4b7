import type { Call } from '../../../lib/protocol/operator-api/transaction';
import type { Account, CallOutcome } from '../../../lib/operator/wallet';
import type { Planted } from '../parties/planted';
import { everyNth, type Plant } from './over';

type Verdicts = CallOutcome['verdicts'];

function tells(verdicts: (outcome: CallOutcome, call: Call) => Verdicts): () => Planted {
  return () => ({
    outcome: (outcome, call) => ({ ...outcome, verdicts: verdicts(outcome, call) }),
  });
}

function has(call: Call, wanted: string): boolean {
  return call.transactions.some(({ type }) => type === wanted);
}

function typeOf(call: Call, hash: string): string | undefined {
  return call.transactions.find((one) => one.hash === hash)?.type;
}

const memory = { store: 'memory', isObservable: true } as const;

/** Bugs of what the wallet reads, and of what it answers. */
export const replyPlants: readonly Plant[] = [
  {
    ...memory,
    name: 'an unknown outcome is reported as a refusal',
    breaks: 'D7',
    plant: () => ({
      outcome(outcome, { transactions }) {
        const next = transactions[outcome.verdicts.length];
        if (outcome.unknown === null || next === undefined) return outcome;
        const code = 'TEMPORARILYUNAVAILABLE' as const;
        const refused = { hash: next.hash, outcome: 'refused' as const, code, replay: false };
        return { ...outcome, verdicts: [...outcome.verdicts, refused] };
      },
    }),
  },
  {
    ...memory,
    name: 'a credit in doubt is answered 503',
    breaks: 'O6',
    plant: () => ({
      status: (status, call) => (status === 400 && !has(call, 'debit') ? 503 : status),
    }),
  },
  {
    ...memory,
    name: 'a debit in doubt is answered 400',
    breaks: 'D7: nobody voids it',
    plant: () => ({ status: (status) => (status === 503 ? 400 : status) }),
  },
  {
    ...memory,
    name: 'every reply is 200',
    breaks: 'O7',
    plant: () => ({ status: () => 200 }),
  },
  {
    ...memory,
    name: 'the verdicts are listed in reverse',
    breaks: 'D6.1',
    plant: tells(({ verdicts }) => verdicts.toReversed()),
  },
  {
    ...memory,
    name: 'the last verdict is left out',
    breaks: 'D6.1, O7',
    plant: tells(({ verdicts }) => (verdicts.length > 2 ? verdicts.slice(0, -1) : verdicts)),
  },
  {
    ...memory,
    name: 'a resend is refused as known',
    breaks: 'O8',
    plant: tells(({ verdicts }) =>
      verdicts.map((one) =>
        one.replay ? { ...one, outcome: 'refused', code: 'TRANSACTIONALREADYEXISTS' } : one,
      ),
    ),
  },
  {
    ...memory,
    name: 'a refusal is reported as processed when it is resent',
    breaks: 'O8',
    plant: tells(({ verdicts }) =>
      verdicts.map(({ hash, outcome, ...one }, at) =>
        verdicts[at]?.replay === true && outcome === 'refused'
          ? { hash, outcome: 'processed', replay: true }
          : ({ hash, outcome, ...one } as Verdicts[number]),
      ),
    ),
  },
  {
    ...memory,
    name: 'a paid credit is reported as refused',
    breaks: 'no refusal without a reason',
    plant: () => {
      const isTime = everyNth(80);
      return tells(({ verdicts }, call) =>
        verdicts.map((one) =>
          typeOf(call, one.hash) === 'credit' && isTime()
            ? { ...one, outcome: 'refused', code: 'CREDITREFUSED' }
            : one,
        ),
      )();
    },
  },
  {
    ...memory,
    name: 'the balance of a reply is that of an earlier one',
    breaks: 'O10',
    plant: () => {
      const earlier = new Map<string, readonly Account[] | null>();
      return {
        outcome(outcome, { playerId }) {
          const accounts = earlier.get(playerId) ?? outcome.accounts;
          earlier.set(playerId, outcome.accounts);
          return { ...outcome, accounts: outcome.accounts === null ? null : accounts };
        },
      };
    },
  },
  {
    ...memory,
    name: 'a void is read as one of the whole round',
    breaks: 'O1: a follow-up debit takes the round with it',
    plant: () => ({
      call: (call) => ({
        ...call,
        transactions: call.transactions.map((one) =>
          one.type === 'void' && call.transactions.length === 1
            ? { ...one, hash: call.gameRound }
            : one,
        ),
      }),
    }),
  },
  {
    ...memory,
    name: 'the amount of a known hash is not compared',
    breaks: 'D3.2',
    plant: () => {
      const amounts = new Map<string, bigint>();
      return {
        call: (call) => ({
          ...call,
          transactions: call.transactions.map((one) => {
            if (one.type !== 'debit' && one.type !== 'credit') return one;
            const name = `${call.gameRound} ${one.hash}`;
            const amount = amounts.get(name) ?? one.amount;
            amounts.set(name, amount);
            return { ...one, amount };
          }),
        }),
      };
    },
  },
  {
    ...memory,
    name: 'a free play takes a unit',
    breaks: 'O1',
    plant: () => ({
      call: (call) => ({
        ...call,
        transactions: call.transactions.map((one) =>
          one.type === 'debit' && one.serial !== null ? { ...one, amount: 1n } : one,
        ),
      }),
    }),
  },
  {
    ...memory,
    name: 'all deliveries have one id',
    breaks: 'O9: a repeat that ends unknown marks a debit that was answered (D7)',
    plant: () => ({ deliveryId: 'AAAA' }),
  },
];
