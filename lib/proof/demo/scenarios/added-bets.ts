import type { Scenario } from './context';

/** W5, B5 flow 5. */
export const blackjack: Scenario = {
  name: 'blackjack',
  shows: 'a second bet; the same bet against a silent wallet; the void goes before the credit',
  async play(context) {
    const { api, deal } = context;
    const session = await context.sit();
    const money = context.moneyOf(session);
    const before = await context.balance(session);
    const { hash } = (await deal.start(session, 100n)).gameRoundInfo;
    const doubled = await deal.addBet(session, hash, 100n);
    context.equal(
      doubled.gameRoundInfo.stake,
      200n,
      `the player doubles: the stake is ${money(200n)} (E8)`,
    );
    await deal.addWin(session, hash, 400n, { collect: true });
    await context.walletSaw(
      hash,
      ['debit 100', 'added debit 100', 'credit 400 + end'],
      'the wallet saw both bets and one credit',
    );
    await context.balanceIs(session, before + 200n, `the balance is ${money(200n)} higher`);

    context.say('In the next round the wallet goes down with the second bet.');
    const second = (await deal.start(session, 100n)).gameRoundInfo.hash;
    await api.fault({ line: 'rgs-wallet', call: 'doTransactions', kind: '503', probability: 1 });
    await context.refused(
      deal.addBet(session, second, 50n),
      'GENERICBETERROR',
      'the second bet is not taken: 9100 (W2)',
    );
    const closed = await deal.addWin(session, second, 300n, { collect: true });
    context.equal(
      closed.passThroughData['creditPending'],
      '300',
      `the win of ${money(300n)} is due (W5)`,
    );
    await api.clearFaults();
    await api.janitor();
    await context.until('the wallet is up again, and all is delivered', async () => {
      return (await api.timeline(second)).round?.due.length === 0;
    });
    const delivered = (await context.walletCalls(second)).filter((call) => !call.includes('('));
    context.equal(
      delivered,
      ['debit 100', 'void 50', 'credit 300 + end'],
      'the void arrived before the credit (W5)',
    );
    await context.balanceIs(session, before + 400n, `the balance is ${money(200n)} higher again`);
    await context.booksAgree([session]);
  },
};

/** W12. */
export const declinedDouble: Scenario = {
  name: 'declined-double',
  shows:
    'the second bet is declined, the player stands and wins: stranded, with its finding, where the wallet refuses the win',
  async play(context) {
    const { api, deal } = context;
    const session = await context.sit();
    const money = context.moneyOf(session);
    const before = await context.balance(session);
    const { hash } = (await deal.start(session, 100n)).gameRoundInfo;
    await context.declined(
      deal.addBet(session, hash, before),
      hash,
      'there is not enough money for the second bet: it is declined (W2)',
    );
    const open = await deal.info(session, hash);
    context.equal(open.gameRoundInfo.status, 'open', 'the round is open (E6)');
    context.say(`The player stands, and wins ${money(200n)} with the first bet.`);
    const closed = await deal.addWin(session, hash, 200n, { collect: true });
    if (closed.passThroughData['outcome'] === 'closed') {
      await context.balanceIs(session, before + 100n, `the wallet pays the win of ${money(200n)}`);
      context.say('It MAY refuse it (W12); a wallet that pays it is as right.');
      return context.booksAgree([session]);
    }
    context.equal(
      closed.passThroughData['outcome'],
      'stranded',
      'the wallet refuses the win: stranded',
    );
    const { findings } = await api.findings();
    const found = findings.find(({ round, rule }) => round === hash && rule.includes('W12'));
    context.equal(found !== undefined, true, `a finding names the rule: ${found?.rule}`);
    const { attention } = await api.state();
    const isListed = attention.some(({ gameRound }) => gameRound === hash);
    context.equal(isListed, true, 'the round is on the list for a person (E16.2)');
    const { round } = await api.timeline(hash);
    const left = round?.undelivered.map(({ type, amount }) => `${type} ${amount}`) ?? [];
    context.equal(
      left.includes('credit 200'),
      true,
      `the undelivered amount of ${money(200n)} is named (W5)`,
    );
    await context.balanceIs(session, before - 100n, 'the stake is gone, the win is not paid');
    await context.booksAgree([session]);
  },
};
