import { beforeEach, describe, expect, test } from '@jest/globals';

import {
  type DebitCheck,
  type DebitCheckAnswer,
  type DebitChecked,
  DebitChecks,
} from '../../../lib/operator/wallet';
import { answers, balanceIn, callOf, credit, debit, end, first, Rig, round, voidOf } from './rig';

let rig: Rig;
let asked: string[];
let watched: DebitChecked[];

beforeEach(async () => {
  rig = await Rig.create();
  [asked, watched] = [[], []];
});

const debitCheckMs = 500;

/** The checks of a process, which notes the hashes that it asks for. */
function checksThat(answer: DebitCheck, silence: 'refuse' | 'allow' = 'refuse'): DebitChecks {
  return new DebitChecks({
    check: (request) => {
      asked.push(request.debits.map(({ hash }) => hash).join('+'));
      return answer(request);
    },
    debitCheckMs,
    debitCheckSilence: silence,
    clock: rig.clock,
    onChecked: (checked) => watched.push(checked),
  });
}

/** Answers after so many milliseconds. */
function after(ms: number, answer: DebitCheckAnswer): DebitCheck {
  return () => rig.clock.pause(ms).then(() => answer);
}

const allow: DebitCheck = () => ({ allow: true });
const refuse: DebitCheck = () => ({ allow: false });
const broken: DebitCheck = () => {
  throw new Error('The register is down.');
};

describe('the check before a debit (D12)', () => {
  test('is asked once for the debits of a call together, with what they would take (D12.1)', async () => {
    const transactions = [first('d1', 10n, { discount: 4n }), debit('d2', 7n), credit('c1')];
    const requests: unknown[] = [];
    const debitChecks = checksThat(({ signal, ...request }) => {
      requests.push({ ...request, isAborted: signal.aborted });
      return { allow: true };
    });
    await rig.call(transactions, { debitChecks, discountCheck: () => true });
    expect(requests).toEqual([
      {
        round,
        call: callOf(...transactions),
        debits: transactions.slice(0, 2),
        currency: 'EUR',
        total: 13n,
        isAborted: false,
      },
    ]);
  });

  test('is not asked for a call without a debit', async () => {
    const debitChecks = checksThat(refuse);
    await rig.call([first()], {});
    const outcome = await rig.call([credit('c1'), end('e1')], { debitChecks });
    const voided = await rig.call([voidOf('d1')], { debitChecks });
    expect([asked, answers(outcome), answers(voided)]).toEqual([
      [],
      ['c1 processed', 'e1 processed'],
      ['d1 processed'],
    ]);
  });

  test('that refuses declines the debits of the call for good, and nothing moves (D12.3)', async () => {
    const outcome = await rig.call([first(), credit('c1')], { debitChecks: checksThat(refuse) });
    const again = await rig.call([first(), credit('c1')], { debitChecks: checksThat(allow) });
    expect([answers(outcome), answers(again), balanceIn(outcome), asked]).toEqual([
      ['d1 DEBITREFUSED', 'c1 DEBITFAILEDBEFORE'],
      ['d1 DEBITREFUSED again', 'c1 DEBITFAILEDBEFORE again'],
      1000n,
      ['d1'],
    ]);
  });

  test('cannot change what is known: an accepted debit is processed again without it (D12.4)', async () => {
    await rig.call([first()], { debitChecks: checksThat(allow) });
    const outcome = await rig.call([first()], { debitChecks: checksThat(refuse) });
    expect([answers(outcome), asked]).toEqual([['d1 processed again'], ['d1']]);
  });

  test('is asked for the new debits of a call alone, and declines them alone', async () => {
    await rig.call([first()], {});
    const outcome = await rig.call([first(), debit('d2')], { debitChecks: checksThat(refuse) });
    expect([answers(outcome), asked]).toEqual([['d1 processed again', 'd2 DEBITREFUSED'], ['d2']]);
  });

  test('gives the code that it names (D12.2)', async () => {
    const debitChecks = checksThat(() => ({
      allow: false,
      code: 'LIMITREACHED',
      clientmsg: 'No.',
    }));
    const outcome = await rig.call([first()], { debitChecks });
    expect([answers(outcome), outcome.disallowed]).toEqual([
      ['d1 LIMITREACHED'],
      { code: 'LIMITREACHED', clientmsg: 'No.' },
    ]);
  });

  test.each<[string, unknown]>([
    ["the text 'false'", 'false'],
    ["allow: 'false'", { allow: 'false' }],
    ['allow: 1', { allow: 1 }],
    ['true', true],
    ['nothing', undefined],
    ['null', null],
    ['an inherited allow', Object.create({ allow: true })],
    ['forMs of a day', { allow: true, forMs: 86_400_000 }],
    ['forMs below zero', { allow: true, forMs: -1 }],
    ['a code that is not known', { allow: false, code: 'NOSUCHCODE' }],
    ['a code that means unknown', { allow: false, code: 'TEMPORARILYUNAVAILABLE' }],
    ['a clientmsg that is no text', { allow: false, clientmsg: 5 }],
  ])('takes %s for no answer, and declines', async (_, answer) => {
    const debitChecks = checksThat(() => answer as DebitCheckAnswer);
    const outcome = await rig.call([first()], { debitChecks });
    expect([answers(outcome), watched.map((one) => one.outcome)]).toEqual([
      ['d1 DEBITCHECKFAILED'],
      ['silent'],
    ]);
  });

  test.each<[number, string]>([
    [499, 'd1 processed'],
    [501, 'd1 DEBITCHECKFAILED'],
  ])('that answers after %i ms of 500 ends as %s', async (ms, answer) => {
    const outcome = await rig.call([first()], {
      debitChecks: checksThat(after(ms, { allow: true })),
    });
    expect(answers(outcome)).toEqual([answer]);
  });

  test('that hangs is told so by its signal', async () => {
    let isAborted = false;
    const debitChecks = checksThat(({ signal }) => {
      signal.addEventListener('abort', () => (isAborted = true));
      return new Promise(() => {});
    });
    const outcome = await rig.call([first()], { debitChecks });
    expect([answers(outcome), isAborted]).toEqual([['d1 DEBITCHECKFAILED'], true]);
  });

  test('that throws declines, and allows where silence is to allow', async () => {
    const outcome = await rig.call([first()], { debitChecks: checksThat(broken) });
    const other = { ...round, gameRound: 'r2' };
    const allowed = await rig.callOf(other, [first()], {
      debitChecks: checksThat(broken, 'allow'),
    });
    expect([answers(outcome), answers(allowed)]).toEqual([
      ['d1 DEBITCHECKFAILED'],
      ['d1 processed'],
    ]);
  });

  test('is not asked again for the player within forMs, and a refusal is never kept (D12.5)', async () => {
    let answer: DebitCheckAnswer = { allow: true, forMs: 1000 };
    const debitChecks = checksThat(() => answer);
    await rig.call([first()], { debitChecks });
    answer = { allow: false };
    const kept = await rig.call([debit('d2')], { debitChecks });
    await rig.clock.pass(1000);
    const refused = await rig.call([debit('d3')], { debitChecks });
    answer = { allow: true };
    const asks = await rig.call([debit('d4')], { debitChecks });
    expect([answers(kept), answers(refused), answers(asks), asked]).toEqual([
      ['d2 processed'],
      ['d3 DEBITREFUSED'],
      ['d4 processed'],
      ['d1', 'd3', 'd4'],
    ]);
  });

  test('is not asked for a second after five silences within ten, and its breaker says so until it answers', async () => {
    let isUp = false;
    const debitChecks = checksThat(() => {
      if (!isUp) throw new Error('The register is down.');
      return { allow: true };
    });
    await rig.call([first()], {});
    for (const hash of ['d2', 'd3', 'd4', 'd5', 'd6', 'd7']) {
      await rig.call([debit(hash)], { debitChecks });
    }
    isUp = true;
    const unasked = await rig.call([debit('d8')], { debitChecks });
    const since = expect.stringMatching(/^2026-01-01T00:00:00/) as unknown as string;
    expect(debitChecks.breaker).toEqual({ state: 'open', since, unasked: 2, silence: 'refuse' });
    await rig.clock.pass(1000);
    expect(debitChecks.breaker).toMatchObject({ state: 'half open', since, unasked: 2 });
    const back = await rig.call([debit('d9')], { debitChecks });
    expect([answers(unasked), answers(back), asked]).toEqual([
      ['d8 DEBITCHECKFAILED'],
      ['d9 processed'],
      ['d2', 'd3', 'd4', 'd5', 'd6', 'd9'],
    ]);
    expect(debitChecks.breaker).toMatchObject({ state: 'closed', since: null, unasked: 0 });
  });

  test('is not asked if the round cannot be loaded: the outcome is unknown', async () => {
    rig.store.next('load', ...Array.from({ length: 40 }, () => 'unknown' as const));
    const outcome = await rig.call([first()], { debitChecks: checksThat(allow) });
    expect([answers(outcome), asked, outcome.unknown === null]).toEqual([[], [], false]);
  });

  test('that allows does so once, however often the call is decided: it is advice of a moment (D12.6)', async () => {
    rig.store.next('commit', 'stale', 'unknown', 'stale');
    const outcome = await rig.call([first()], { debitChecks: checksThat(allow) });
    expect([answers(outcome), asked, balanceIn(outcome)]).toEqual([['d1 processed'], ['d1'], 990n]);
  });
});
