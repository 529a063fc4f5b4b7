import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { randomHistories } from '../../support/runs';
import { createRig, operatorId, type Rig } from './rig';

/** A transaction of a history; its amounts are texts, as they stand in the body. */
interface Step {
  readonly type: 'debit' | 'credit' | 'void' | 'end';
  readonly round: number;
  readonly hash: number;
  readonly amount: string;
  readonly discount: string | null;
}

const eligible = { discountCheck: () => true };

const digits = fc.oneof(
  fc.bigInt(0n, 30_000n).map(String),
  fc.bigInt(0n, 2n ** 54n).map(String),
  fc.constantFrom('9007199254740991', '9007199254740992', '90071992547409.91', '1e2', '12e-1', '0'),
);

/** A number with up to a decimal more than is kept, in one of its spellings. */
const amountOf = (decimals: number): fc.Arbitrary<string> =>
  fc
    .tuple(digits, fc.integer({ min: 0, max: decimals + 1 }), fc.constantFrom('plain', 'e'))
    .map(([text, places, spelling]) => {
      if (/\D/.test(text) || places === 0) return text;
      if (spelling === 'e') return `${text}e-${places}`;
      const padded = text.padStart(places + 1, '0');
      return `${padded.slice(0, -places)}.${padded.slice(-places)}`;
    });

function stepsOf(decimals: number): fc.Arbitrary<Step[]> {
  const step = fc.record({
    type: fc.constantFrom<Step['type']>('debit', 'debit', 'credit', 'credit', 'void', 'end'),
    round: fc.nat(2),
    hash: fc.nat(3),
    amount: amountOf(decimals),
    discount: fc.option(amountOf(decimals), { freq: 4 }),
  });
  return fc.array(step, { minLength: 1, maxLength: 8 });
}

function textOf({ type, hash, amount, discount }: Step): string {
  const named = `"type":"${type}","hash":"${type === 'credit' ? 'c' : 'd'}${hash}"`;
  if (type === 'end') return `{"type":"end","hash":"e${hash}"}`;
  const less = type === 'debit' && discount !== null ? `,"discountAmount":${discount}` : '';
  return `{${named},"currency":"EUR","amount":${amount}${less}}`;
}

describe.each([2, 3, 4, 5, 6, 7, 8])('P19 with %i decimals', (decimals) => {
  let cents: Rig;
  let whole: Rig;
  let histories = 0;

  beforeAll(async () => {
    const unit = '1/100';
    cents = await createRig({ ...eligible, store: createMemoryStore({ unit, decimals }) });
    whole = await createRig({ ...eligible, store: createMemoryStore({ decimals: decimals - 2 }) });
  });

  afterAll(async () => {
    await cents.close();
    await whole.close();
  });

  test('a unit of 1/100 answers, byte for byte, and moves what a unit of 1 with two decimals fewer does', async () => {
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(stepsOf(decimals - 2), fc.bigInt(0n, 10n ** 6n), async (steps, units) => {
        const playerId = `p${histories++}`;
        const rigs = [cents, whole];
        for (const { store } of rigs) {
          const balances = { real: { units }, bonus: { units: units / 3n } };
          await store.players.openPlayer({ operatorId, playerId, currency: 'EUR', balances });
        }
        for (const step of steps) {
          const ids = `"playerId":"${playerId}","gameCode":"bells","gameRound":"${step.round}"`;
          const body = `{${ids},"transactionCount":1,"transactions":[${textOf(step)}]}`;
          const [one, other] = await Promise.all(
            rigs.map(async (rig) => {
              const { signer, store } = rig;
              const { status, text } = await rig.send(signer.doTransactions(body));
              const balance = await rig.send(signer.getBalance({ playerId, currency: 'EUR' }));
              const kept = await store.rounds.accounts({ operatorId, playerId });
              return { status, text, balance: balance.text, kept };
            }),
          );
          expect(one).toEqual(other);
          seen.add(one?.status ?? 0);
        }
      }),
      randomHistories(40),
    );
    expect(seen).toEqual(new Set([200, 400]));
  });
});
