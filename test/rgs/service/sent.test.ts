import { describe, expect, test } from '@jest/globals';

import type { Fault } from './purse';
import { Rig } from './rig';

type Step = (
  rig: Rig,
  token: string,
) => Promise<Parameters<Rig['told']>[0] extends Promise<infer R> ? R : never>;

interface Row {
  readonly name: string;
  /** What is played before. */
  readonly before: readonly Step[];
  readonly call: Step;
  readonly faults: readonly (Fault | null)[];
  readonly always?: Fault;
  readonly sent: readonly string[];
  readonly told: string;
  /** What getGameRoundInfo says of round R afterwards. */
  readonly info?: string;
}

const start: Step = (rig, token) => rig.start(token, 'R', 100);
const bet: Step = (rig, token) => rig.bet(token, 'R', 'b1', 100);
const win =
  (amount: number, collect = false): Step =>
  (rig, token) =>
    rig.win(token, 'R', amount, collect);
const six = (call: string): string[] => Array<string>(6).fill(call);

const rows: readonly Row[] = [
  {
    name: 'startGameRound: accepted',
    before: [],
    call: start,
    faults: [],
    sent: ['debit 100 first'],
    told: 'open (open), stake 100, open 0, credited 0',
  },
  {
    name: 'startGameRound: declined',
    before: [],
    call: start,
    faults: ['decline'],
    sent: ['debit 100 first'],
    told: '400/9001',
    info: '400/15',
  },
  {
    name: 'startGameRound: silent',
    before: [],
    call: start,
    faults: [],
    always: 'lost',
    sent: ['debit 100 first', ...six('void 100')],
    told: '400/9100',
    info: '400/15',
  },
  {
    name: 'startGameRound with creditInformation: accepted',
    before: [],
    call: (rig, token) => rig.start(token, 'R', 100, { credit: 30 }),
    faults: [],
    sent: ['debit 100 first, credit 30'],
    told: 'open (open), stake 100, open 0, credited 30',
  },
  {
    name: 'startGameRound with creditInformation: the credit is final',
    before: [],
    call: (rig, token) => rig.start(token, 'R', 100, { credit: 30 }),
    faults: ['refuse'],
    sent: ['debit 100 first, credit 30'],
    told: 'closed (stranded), stake 100, open 0, credited 0',
    info: 'closed (stranded), stake 100, open 0, credited 0',
  },
  {
    name: 'startGameRound with creditInformation: declined, the credit is dropped',
    before: [],
    call: (rig, token) => rig.start(token, 'R', 100, { credit: 30 }),
    faults: ['decline'],
    sent: ['debit 100 first, credit 30'],
    told: '400/9001',
  },
  {
    name: 'startGameRound with creditInformation: silent, the credit is dropped (W7)',
    before: [],
    call: (rig, token) => rig.start(token, 'R', 100, { credit: 30 }),
    faults: ['lostReply'],
    sent: ['debit 100 first, credit 30', 'void 100'],
    told: '400/9100',
  },
  {
    name: 'startGameRound, endGame: accepted',
    before: [],
    call: (rig, token) => rig.start(token, 'R', 100, { credit: 30, endGame: true }),
    faults: [],
    sent: ['debit 100 first, credit 30, end'],
    told: 'closed (closed), stake 100, open 0, credited 30',
  },
  {
    name: 'startGameRound, endGame without a credit: accepted (E12.3)',
    before: [],
    call: (rig, token) => rig.start(token, 'R', 100, { endGame: true }),
    faults: [],
    sent: ['debit 100 first, end'],
    told: 'closed (closed), stake 100, open 0, credited 0',
  },
  {
    name: 'startGameRound, closeOpenGame: the old round goes first (E7.2)',
    before: [start, win(20)],
    call: (rig, token) => rig.start(token, 'S', 50, { closeOpenGame: true }),
    faults: [],
    sent: ['credit 20, end', 'debit 50 first'],
    told: 'open (open), stake 50, open 0, credited 0',
    info: 'closed (closed), stake 100, open 0, credited 20',
  },
  {
    name: 'startGameRound, closeOpenGame: the old credit that is pending does not stop the new round',
    before: [start, win(20)],
    call: (rig, token) => rig.start(token, 'S', 50, { closeOpenGame: true }),
    faults: six('pending') as Fault[],
    sent: [...six('credit 20, end'), 'debit 50 first'],
    told: 'open (open), stake 50, open 0, credited 0',
    info: 'closed (closed), stake 100, open 0, credited 0, pending 20',
  },
  {
    name: 'startGameOrAddBet, first',
    before: [],
    call: bet,
    faults: [],
    sent: ['debit 100 first'],
    told: 'open (open), stake 100, open 0, credited 0',
  },
  {
    name: 'startGameOrAddBet, added: accepted',
    before: [bet],
    call: (rig, token) => rig.bet(token, 'R', 'b2', 50),
    faults: [],
    sent: ['debit 50'],
    told: 'open (open), stake 150, open 0, credited 0',
  },
  {
    name: 'startGameOrAddBet, added: declined, the round stays open',
    before: [bet],
    call: (rig, token) => rig.bet(token, 'R', 'b2', 50),
    faults: ['decline'],
    sent: ['debit 50'],
    told: '400/9001',
    info: 'open (open), stake 100, open 0, credited 0',
  },
  {
    name: 'startGameOrAddBet, added: silent, its void alone',
    before: [bet],
    call: (rig, token) => rig.bet(token, 'R', 'b2', 50),
    faults: ['lost'],
    sent: ['debit 50', 'void 50'],
    told: '400/9100',
    info: 'open (open), stake 100, open 0, credited 0',
  },
  {
    name: 'startGameOrAddBet, added while a void is not acknowledged: tried once more, then 9110 (E8.4)',
    before: [
      bet,
      (rig, token) => {
        rig.purse.faults = ['lost', ...(six('lost') as Fault[])];
        return rig.bet(token, 'R', 'b2', 50);
      },
    ],
    call: (rig, token) => rig.bet(token, 'R', 'b3', 25),
    faults: ['lost'],
    sent: ['void 50'],
    told: '503/9110',
    info: 'open (open), stake 100, open 0, credited 0',
  },
  {
    name: 'startGameOrAddBet, added after the void was acknowledged at last (E8.4)',
    before: [
      bet,
      (rig, token) => {
        rig.purse.faults = ['lost', ...(six('lost') as Fault[])];
        return rig.bet(token, 'R', 'b2', 50);
      },
    ],
    call: (rig, token) => rig.bet(token, 'R', 'b3', 25),
    faults: [],
    sent: ['void 50', 'debit 25'],
    told: 'open (open), stake 125, open 0, credited 0',
  },
  {
    name: 'addWin, collect=false: nothing (W10)',
    before: [start],
    call: win(250),
    faults: [],
    sent: [],
    told: 'open (open), stake 100, open 250, credited 0',
  },
  {
    name: 'wagerWin: nothing (E10.4)',
    before: [start, win(250)],
    call: (rig, token) => rig.wager(token, 'R', 250, 500),
    faults: [],
    sent: [],
    told: 'open (open), stake 100, open 500, credited 0',
  },
  {
    name: 'getGameRoundInfo: nothing',
    before: [start],
    call: (rig, token) => rig.info(token, 'R'),
    faults: [],
    sent: [],
    told: 'open (open), stake 100, open 0, credited 0',
  },
  {
    name: 'addWin, collect=true: accepted',
    before: [start],
    call: win(250, true),
    faults: [],
    sent: ['credit 250, end'],
    told: 'closed (closed), stake 100, open 0, credited 250',
  },
  {
    name: 'addWin, collect=true: the credit is final',
    before: [start],
    call: win(250, true),
    faults: ['refuse'],
    sent: ['credit 250, end'],
    told: 'closed (stranded), stake 100, open 0, credited 0',
  },
  {
    name: 'addWin, collect=true: the credit is final after one was paid',
    before: [start, win(10), (rig, token) => rig.collect(token, 'R', 10)],
    call: win(250, true),
    faults: ['refuse'],
    sent: ['credit 250, end'],
    told: 'closed (crashed), stake 100, open 0, credited 10',
  },
  {
    name: 'addWin, collect=true: silent, six times without a pause (W3)',
    before: [start],
    call: win(250, true),
    faults: [],
    always: 'lost',
    sent: six('credit 250, end'),
    told: 'closed (closed), stake 100, open 0, credited 0, pending 250',
  },
  {
    name: 'addWin, collect=true: answered in the end, paid once (E15.4)',
    before: [start],
    call: win(250, true),
    faults: ['lostReply', 'lost', 'pending'],
    sent: Array<string>(4).fill('credit 250, end'),
    told: 'closed (closed), stake 100, open 0, credited 250',
  },
  {
    name: 'endGameRound after a loss: the end alone (E12.3)',
    before: [start],
    call: (rig, token) => rig.end(token, 'R'),
    faults: [],
    sent: ['end'],
    told: 'closed (closed), stake 100, open 0, credited 0',
  },
  {
    name: 'endGameRound: an end that is silent is sent six times (W4)',
    before: [start],
    call: (rig, token) => rig.end(token, 'R'),
    faults: [],
    always: 'lost',
    sent: six('end'),
    told: 'closed (closed), stake 100, open 0, credited 0',
  },
  {
    name: 'collectWin: accepted',
    before: [start, win(250)],
    call: (rig, token) => rig.collect(token, 'R', 100),
    faults: [],
    sent: ['credit 100'],
    told: 'open (open), stake 100, open 150, credited 100',
  },
  {
    name: 'collectWin: final',
    before: [start, win(250)],
    call: (rig, token) => rig.collect(token, 'R', 100),
    faults: ['refuse'],
    sent: ['credit 100'],
    told: 'closed (stranded), stake 100, open 150, credited 0',
  },
  {
    name: 'collectWin: silent, the round stays open',
    before: [start, win(250)],
    call: (rig, token) => rig.collect(token, 'R', 100),
    faults: [],
    always: 'lost',
    sent: six('credit 100'),
    told: 'open (open), stake 100, open 150, credited 0, pending 100',
  },
  {
    name: 'collectWin: no second one passes a pending one (W5)',
    before: [
      start,
      win(250),
      (rig, token) => {
        rig.purse.faults = six('lost') as Fault[];
        return rig.collect(token, 'R', 100);
      },
    ],
    call: (rig, token) => rig.collect(token, 'R', 50),
    faults: [],
    sent: [],
    told: 'open (open), stake 100, open 100, credited 0, pending 150',
  },
  {
    name: 'voidGameRound, round: accepted',
    before: [start, win(250)],
    call: (rig, token) => rig.void(token, 'R'),
    faults: [],
    sent: ['void 100'],
    told: 'closed (voided), stake 0, open 0, credited 0',
  },
  {
    name: 'voidGameRound, round: refused by the wallet, stays due for the janitor (W4)',
    before: [start],
    call: (rig, token) => rig.void(token, 'R'),
    faults: ['refuseVoid'],
    sent: ['void 100'],
    told: 'closed (voided), stake 0, open 0, credited 0',
  },
  {
    name: 'voidGameRound, round: silent',
    before: [start],
    call: (rig, token) => rig.void(token, 'R'),
    faults: [],
    always: 'lost',
    sent: six('void 100'),
    told: 'closed (voided), stake 0, open 0, credited 0',
  },
  {
    name: 'voidGameRound, added bet: the stake falls',
    before: [bet, (rig, token) => rig.bet(token, 'R', 'b2', 50)],
    call: (rig, token) => rig.void(token, 'R', 'b2'),
    faults: [],
    sent: ['void 50'],
    told: 'open (open), stake 100, open 0, credited 0',
  },
];

describe('B2: what a call sends, and what it is answered', () => {
  test.each(rows)('$name', async ({ before, call, faults, always, sent, told, info }) => {
    const { rig, token } = await Rig.seated();
    for (const step of before) await rig.run(step(rig, token)).catch(() => {});
    await rig.run(rig.service.idle());
    rig.purse.sent.length = 0;
    rig.purse.faults = [...faults];
    rig.purse.always = () => always ?? null;
    expect(await rig.told(call(rig, token))).toBe(told);
    await rig.run(rig.service.idle());
    expect(rig.purse.sent).toEqual(sent);
    if (info !== undefined) expect(await rig.told(rig.info(token, 'R'))).toBe(info);
    // The faults are over: what is due is sent by the janitor, and the wallet has what the service has.
    rig.purse.always = () => null;
    await rig.run(rig.service.runJanitor());
    expect(rig.service.view().atWork.flatMap(({ queue }) => queue)).toEqual([]);
  });
});

describe('B2: what is asked of the operator', () => {
  test('connect asks for the balance, and so does getBalance, each time (E17.1)', async () => {
    const { rig, token } = await Rig.seated();
    expect((await rig.run(rig.call('getBalance', { token }))).totalBalance).toBe(1_000n);
    expect((await rig.run(rig.call('getBalance', { token }))).totalBalance).toBe(1_000n);
    expect(rig.purse.sent).toEqual(['getBalance', 'getBalance']);
  });

  test.each([
    ['refused' as const, '400/9020'],
    ['silent' as const, '503/9111'],
  ])('getBalance that is %s is answered %s', async (balanceAnswer, told) => {
    const { rig, token } = await Rig.seated();
    rig.purse.balanceAnswer = balanceAnswer;
    expect(await rig.failure(rig.call('getBalance', { token }))).toBe(told);
  });

  test('a pending credit goes again after the reply to getGameURL of the same game, and not of another (O 3 rule 7)', async () => {
    const { rig, token } = await Rig.seated();
    await rig.run(rig.start(token, 'R', 100));
    rig.purse.always = () => 'lost';
    await rig.run(rig.win(token, 'R', 30, true));
    rig.purse.always = () => null;
    rig.purse.sent.length = 0;
    const other = await rig.launch('ann', 'wheel');
    other.afterReply();
    await rig.run(rig.service.idle());
    expect(rig.purse.sent).toEqual([]);
    const same = await rig.launch('ann', 'bells');
    same.afterReply();
    await rig.run(rig.service.idle());
    expect(rig.purse.sent).toEqual(['credit 30, end']);
  });
});
