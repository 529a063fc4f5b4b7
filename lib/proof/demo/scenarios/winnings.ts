import { randomUuid } from '../../../platform/random';
import { type Scenario, counterType, type Session, type Stage } from './stage';

/** E10.4, B5 flow 6. */
export const gamble: Scenario = {
  name: 'gamble',
  shows: 'double up, then lose: the operator sees the bet and the end',
  async play(stage) {
    const { deal } = stage;
    const session = await stage.sit();
    const before = await stage.balance(session);
    const { hash } = (await deal.start(session, 100n)).gameRoundInfo;
    const open = await deal.addWin(session, hash, 100n);
    stage.equal(open.amountToCollect, 100n, 'a win of 100 is open (E9)');
    const doubled = await deal.wager(session, hash, 100n, 200n);
    stage.equal(doubled.amountToCollect, 200n, 'doubled: 200 are open (E10.2)');
    const lost = await deal.wager(session, hash, 200n, 0n);
    stage.equal(lost.amountToCollect, 0n, 'and lost: nothing is open');
    await deal.end(session, hash);
    const wallet = await stage.walletCalls(hash);
    stage.equal(wallet, ['debit 100', 'end'], 'the operator saw the bet and the end (E10.4)');
    stage.equal(await stage.balance(session), before - 100n, 'the balance is 100 lower');
    await stage.booksAgree([session]);
  },
};

/** E11. */
export const freeSpins: Scenario = {
  name: 'free-spins',
  shows: 'a counter of ten spins; the eleventh is refused',
  async play(stage) {
    const { deal, client } = stage;
    const session = await stage.sit();
    const before = await stage.balance(session);
    const { token } = session;
    const { hash: gameRound } = (await deal.start(session, 100n)).gameRoundInfo;
    const awarded = await deal.spins(session, gameRound, { awarded: 10 });
    stage.equal(awarded.spinsAvailable, 10, 'ten spins are awarded (E11.2)');
    for (let used = 1; used <= 10; used++) {
      const reply = await deal.spins(session, gameRound, { used: 1 });
      if (used === 10) stage.equal(reply.spinsAvailable, 0, 'ten spins are used');
      await deal.addWin(session, gameRound, 5n);
    }
    await stage.refused(
      deal.spins(session, gameRound, { used: 1 }),
      'SPINSNOTAVAILABLE',
      'the eleventh is refused with 9103 (E11.2)',
    );
    const counter = await client.getAvailableSpinCounter({ token, gameRound, counterType });
    stage.equal(counter.spinsAvailable, 0, 'the counter is as before');
    await deal.end(session, gameRound);
    const wallet = await stage.walletCalls(gameRound);
    stage.equal(wallet, ['debit 100', 'credit 50 + end'], 'ten wins of 5 went out as one credit');
    stage.equal(await stage.balance(session), before - 50n, 'the balance is 50 lower');
    await stage.booksAgree([session]);
  },
};

/** E18. */
export const freePlays: Scenario = {
  name: 'free-plays',
  shows:
    'three free plays are assigned and played; a second assignment with the serial changes nothing',
  async play(stage) {
    const session = await stage.sit();
    const { random, gameCode } = stage.options;
    const { playerId, currency } = session;
    const before = await stage.balance(session);
    const serial = randomUuid(random);
    const order = { playerId, gameCode, serial, currency, stake: 100n, count: 3 };
    const granted = await stage.operator.assignPlayerFreerounds(order);
    stage.equal([granted.count, granted.used], [3, 0], 'three free plays are assigned (E18.1)');
    for (let play = 1; play <= 3; play++) await playFree(stage, session);
    stage.equal(await stage.balance(session), before + 120n, 'stakes cost nothing, wins are paid');
    await stage.refused(
      stage.deal.start(session, 100n, { useTicket: true }),
      'TICKETNOTAVAILABLE',
      'the fourth is refused with 9102 (E18)',
    );
    const again = await stage.operator.assignPlayerFreerounds(order);
    stage.equal([again.count, again.used], [3, 3], 'the same serial is the same package (E18.1)');
    await stage.refused(
      stage.deal.start(session, 100n, { useTicket: true }),
      'TICKETNOTAVAILABLE',
      'and grants nothing anew',
    );
    await stage.booksAgree([session]);
  },
};

async function playFree(stage: Stage, session: Session): Promise<void> {
  const started = await stage.deal.start(session, 100n, { useTicket: true });
  const { hash } = started.gameRoundInfo;
  await stage.deal.addWin(session, hash, 40n, { collect: true });
  const wallet = await stage.walletCalls(hash);
  stage.equal(wallet, ['free debit 0', 'credit 40 + end'], 'a free play costs nothing (E18.2)');
}
