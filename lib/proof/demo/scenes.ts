import { randomUuid } from '../../platform/random';
import type { DemoTransaction } from './client';
import type { DemoSession } from './session';

/** How often the demo polls for an awaited state, in milliseconds, and how many times. */
const lookEveryMs = 20;
const looks = 100;

/** Each plays one gameround; amounts are whole EUR. */
export const scenes: readonly ((session: DemoSession) => Promise<void>)[] = [
  async (session) => {
    const round = session.begin('A plain round');
    const { debit, credit, end } = transactionsFor(session);
    await session.call([debit(round, 100)]);
    await session.call([credit(250), end()]);
    await session.printRound();
  },

  async (session) => {
    const round = session.begin('A reply is lost, and the credit is sent again: it is paid once');
    const { debit, credit, end } = transactionsFor(session);
    await session.call([debit(round, 50)]);
    session.parts.link.loseNextReply();
    await session.call([credit(80), end()], 'the wallet answers, and the network loses it');
    await session.follow('again, with the same hashes');
    await session.printRound();
  },

  async (session) => {
    const round = session.begin('A void comes before its debit: the debit moves nothing');
    const { debit, reverse } = transactionsFor(session);
    await session.call([reverse(round, 40)]);
    await session.call([debit(round, 40)], 'late');
    await session.printRound();
  },

  async (session) => {
    const round = session.begin('A debit is declined, and with it the credit of the same call');
    const { debit, credit, end } = transactionsFor(session);
    await session.call([debit(round, 5000), credit(9000), end()]);
    await session.printRound();
  },

  async (session) => {
    const round = session.begin('A credit can never be paid: the round is stranded, for a person');
    const { debit, credit } = transactionsFor(session);
    await session.call([debit(round, 30)]);
    await session.call(
      [{ ...credit(75), currency: 'XTS' }],
      'a currency the round was not played in',
    );
    await session.printRound();
  },

  async (session) => {
    const round = session.begin('A free play costs nothing, and its credit is paid');
    const { debit, credit, end } = transactionsFor(session);
    const serial = randomUuid(session.parts.random);
    await session.call([{ ...debit(round, 0), freePlayUsed: true, serial }]);
    await session.call([credit(40), end()]);
    await session.printRound();
  },

  async (session) => {
    const round = session.begin('The store falls silent after it took a debit: 5xx, and a void');
    const { debit } = transactionsFor(session);
    const { silent } = session.parts;
    silent.fallSilent();
    await session.call([debit(round, 60)], 'the store takes it, and its answer does not arrive');
    silent.speak();
    await untilCancelled(session);
    await session.printRound();
    await session.follow();
    await session.printRound();
  },

  async (session) => {
    const round = session.begin('A reply to a debit and its win is lost: the void takes back both');
    const { debit, followUp, credit, end } = transactionsFor(session);
    await session.call([debit(round, 20)]);
    session.parts.link.loseNextReply();
    await session.call(
      [followUp(30), credit(90), end()],
      'the wallet answers, and the network loses it',
    );
    await session.follow('the RGS drops the win and the end');
    await session.printRound();
    await session.call([end()]);
    await session.printRound();
  },
];

/** Units of 1/100, as on every line of a remote game server (E4.1). */
function wired(amount: number): number {
  return amount * 100;
}

function transactionsFor({ parts: { currency, random } }: DemoSession) {
  return {
    debit: (hash: string, amount: number): DemoTransaction => ({
      type: 'debit',
      hash,
      amount: wired(amount),
      currency,
      isFirstDebit: true,
    }),
    followUp: (amount: number): DemoTransaction => ({
      type: 'debit',
      hash: randomUuid(random),
      amount: wired(amount),
      currency,
      isFirstDebit: false,
    }),
    credit: (amount: number): DemoTransaction => ({
      type: 'credit',
      hash: randomUuid(random),
      amount: wired(amount),
      currency,
    }),
    end: (): DemoTransaction => ({ type: 'end', hash: randomUuid(random) }),
    reverse: (hash: string, amount: number): DemoTransaction => ({
      type: 'void',
      hash,
      amount: wired(amount),
      currency,
    }),
  };
}

/** The wallet marks the round once its store answers again. */
async function untilCancelled(session: DemoSession): Promise<void> {
  for (let look = 0; look < looks; look++) {
    const report = await session.parts.store.rounds.readRound(session.round());
    if (report?.head.state === 'cancelled') return;
    await session.parts.clock.pause(lookEveryMs);
  }
}
