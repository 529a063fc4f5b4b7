import { randomUuid } from '../../../platform/random';
import { counterType, type Scenario, type ScenarioContext, type Session } from './context';

/** E10.4, B5 flow 6. */
export const gamble: Scenario = {
  name: 'gamble',
  shows: 'double up, then lose: the operator sees the bet and the end',
  async play(context) {
    const { deal } = context;
    const session = await context.sit();
    const money = context.moneyOf(session);
    const before = await context.balance(session);
    const { hash } = (await deal.start(session, 100n)).gameRoundInfo;
    const open = await deal.addWin(session, hash, 100n);
    context.equal(open.amountToCollect, 100n, `a win of ${money(100n)} is open (E9)`);
    const doubled = await deal.wager(session, hash, 100n, 200n);
    context.equal(doubled.amountToCollect, 200n, `doubled: ${money(200n)} are open (E10.2)`);
    const lost = await deal.wager(session, hash, 200n, 0n);
    context.equal(lost.amountToCollect, 0n, 'and lost: nothing is open');
    await deal.end(session, hash);
    await context.walletSaw(
      hash,
      ['debit 100', 'end'],
      'the operator saw the bet and the end (E10.4)',
    );
    await context.balanceIs(session, before - 100n, `the balance is ${money(100n)} lower`);
    await context.booksAgree([session]);
  },
};

/** E11. */
export const freeSpins: Scenario = {
  name: 'free-spins',
  shows: 'a counter of ten spins; the eleventh is refused',
  async play(context) {
    const { deal, client } = context;
    const session = await context.sit();
    const money = context.moneyOf(session);
    const before = await context.balance(session);
    const { token } = session;
    const { hash: gameRound } = (await deal.start(session, 100n)).gameRoundInfo;
    const awarded = await deal.spins(session, gameRound, { awarded: 10 });
    context.equal(awarded.spinsAvailable, 10, 'ten spins are awarded (E11.2)');
    for (let used = 1; used <= 10; used++) {
      const reply = await deal.spins(session, gameRound, { used: 1 });
      if (used === 10) context.equal(reply.spinsAvailable, 0, 'ten spins are used');
      await deal.addWin(session, gameRound, 5n);
    }
    await context.refused(
      deal.spins(session, gameRound, { used: 1 }),
      'SPINSNOTAVAILABLE',
      'the eleventh is refused with 9103 (E11.2)',
    );
    const counter = await client.getAvailableSpinCounter({ token, gameRound, counterType });
    context.equal(counter.spinsAvailable, 0, 'the counter is as before');
    await deal.end(session, gameRound);
    await context.walletSaw(
      gameRound,
      ['debit 100', 'credit 50 + end'],
      `ten wins of ${money(5n)} went out as one credit`,
    );
    await context.balanceIs(session, before - 50n, `the balance is ${money(50n)} lower`);
    await context.booksAgree([session]);
  },
};

/** E18. */
export const freePlays: Scenario = {
  name: 'free-plays',
  shows:
    'three free plays are assigned and played; a second assignment with the serial changes nothing',
  async play(context) {
    const session = await context.sit();
    const { random, gameCode } = context.options;
    const { playerId, currency } = session;
    const before = await context.balance(session);
    const serial = randomUuid(random);
    const order = { playerId, gameCode, serial, currency, stake: 100n, count: 3 };
    const granted = await context.operator.assignPlayerFreerounds(order);
    context.equal([granted.count, granted.used], [3, 0], 'three free plays are assigned (E18.1)');
    for (let play = 1; play <= 3; play++) await playFree(context, session);
    await context.balanceIs(session, before + 120n, 'stakes cost nothing, wins are paid');
    await context.refused(
      context.deal.start(session, 100n, { useTicket: true }),
      'TICKETNOTAVAILABLE',
      'the fourth is refused with 9102 (E18)',
    );
    const again = await context.operator.assignPlayerFreerounds(order);
    context.equal([again.count, again.used], [3, 3], 'the same serial is the same package (E18.1)');
    await context.refused(
      context.deal.start(session, 100n, { useTicket: true }),
      'TICKETNOTAVAILABLE',
      'and grants nothing anew',
    );
    await context.booksAgree([session]);
  },
};

async function playFree(context: ScenarioContext, session: Session): Promise<void> {
  const started = await context.deal.start(session, 100n, { useTicket: true });
  const { hash } = started.gameRoundInfo;
  await context.deal.addWin(session, hash, 40n, { collect: true });
  await context.walletSaw(
    hash,
    ['free debit 0', 'credit 40 + end'],
    'a free play costs nothing (E18.2)',
  );
}
