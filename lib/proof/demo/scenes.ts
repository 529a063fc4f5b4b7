import { randomUuid } from '../../platform/random';
import type { DemoTransaction } from './client';
import type { Stage } from './stage';

/** How often the demo polls for an awaited state, in milliseconds, and how many times. */
const lookEveryMs = 20;
const looks = 100;

/** Each plays one gameround. */
export const scenes: readonly ((stage: Stage) => Promise<void>)[] = [
  async (stage) => {
    const round = stage.begin('A plain round');
    const { debit, credit, end } = transactionsFor(stage);
    await stage.call([debit(round, 100)]);
    await stage.call([credit(250), end()]);
    await stage.tellRound();
  },

  async (stage) => {
    const round = stage.begin('A reply is lost, and the credit is sent again: it is paid once');
    const { debit, credit, end } = transactionsFor(stage);
    await stage.call([debit(round, 50)]);
    stage.parts.link.loseNextReply();
    await stage.call([credit(80), end()], 'the wallet answers, and the network loses it');
    await stage.follow('again, with the same hashes');
    await stage.tellRound();
  },

  async (stage) => {
    const round = stage.begin('A void comes before its debit: the debit moves nothing');
    const { debit, reverse } = transactionsFor(stage);
    await stage.call([reverse(round, 40)]);
    await stage.call([debit(round, 40)], 'late');
    await stage.tellRound();
  },

  async (stage) => {
    const round = stage.begin('A debit is declined, and with it the credit of the same call');
    const { debit, credit, end } = transactionsFor(stage);
    await stage.call([debit(round, 5000), credit(9000), end()]);
    await stage.tellRound();
  },

  async (stage) => {
    const round = stage.begin('A credit can never be paid: the round is stranded, for a person');
    const { debit, credit } = transactionsFor(stage);
    await stage.call([debit(round, 30)]);
    await stage.call(
      [{ ...credit(75), currency: 'XTS' }],
      'a currency the round was not played in',
    );
    await stage.tellRound();
  },

  async (stage) => {
    const round = stage.begin('A free play costs nothing, and its credit is paid');
    const { debit, credit, end } = transactionsFor(stage);
    const serial = randomUuid(stage.parts.random);
    await stage.call([{ ...debit(round, 0), freePlayUsed: true, serial }]);
    await stage.call([credit(40), end()]);
    await stage.tellRound();
  },

  async (stage) => {
    const round = stage.begin('The store falls silent after it took a debit: 5xx, and a void');
    const { debit } = transactionsFor(stage);
    const { silent } = stage.parts;
    silent.fallSilent();
    await stage.call([debit(round, 60)], 'the store takes it, and its answer does not arrive');
    silent.speak();
    await untilCancelled(stage);
    await stage.tellRound();
    await stage.follow();
    await stage.tellRound();
  },

  async (stage) => {
    const round = stage.begin('A reply to a debit and its win is lost: the void takes back both');
    const { debit, followUp, credit, end } = transactionsFor(stage);
    await stage.call([debit(round, 20)]);
    stage.parts.link.loseNextReply();
    await stage.call(
      [followUp(30), credit(90), end()],
      'the wallet answers, and the network loses it',
    );
    await stage.follow('the RGS drops the win and the end');
    await stage.tellRound();
    await stage.call([end()]);
    await stage.tellRound();
  },
];

function transactionsFor({ parts: { currency, random } }: Stage) {
  return {
    debit: (hash: string, amount: number): DemoTransaction => ({
      type: 'debit',
      hash,
      amount,
      currency,
      isFirstDebit: true,
    }),
    followUp: (amount: number): DemoTransaction => ({
      type: 'debit',
      hash: randomUuid(random),
      amount,
      currency,
      isFirstDebit: false,
    }),
    credit: (amount: number): DemoTransaction => ({
      type: 'credit',
      hash: randomUuid(random),
      amount,
      currency,
    }),
    end: (): DemoTransaction => ({ type: 'end', hash: randomUuid(random) }),
    reverse: (hash: string, amount: number): DemoTransaction => ({
      type: 'void',
      hash,
      amount,
      currency,
    }),
  };
}

/** The wallet marks the round once its store answers again. */
async function untilCancelled(stage: Stage): Promise<void> {
  for (let look = 0; look < looks; look++) {
    const report = await stage.parts.store.readRound(stage.round());
    if (report?.head.state === 'cancelled') return;
    await stage.parts.clock.pause(lookEveryMs);
  }
}
