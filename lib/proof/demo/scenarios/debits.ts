import type { Scenario } from './context';

/** B2, B5 flow 1. */
export const spin: Scenario = {
  name: 'spin',
  shows: 'start and addWin with collect: two engine calls, two wallet calls, the balances',
  async play(context) {
    const session = await context.sit();
    const money = context.moneyOf(session);
    const before = await context.balance(session);
    const started = await context.deal.start(session, 100n);
    const { hash } = started.gameRoundInfo;
    context.equal(
      started.balance?.totalBalance,
      before - 100n,
      'the reply to the start has the balance',
    );
    const closed = await context.deal.addWin(session, hash, 250n, { collect: true });
    context.equal(closed.gameRoundInfo.status, 'closed', 'collect closes the round (E9.2)');
    context.equal(
      closed.amountCredited,
      250n,
      `the wallet has confirmed the win of ${money(250n)} (E12.1)`,
    );
    await context.walletSaw(
      hash,
      ['debit 100', 'credit 250 + end'],
      'the wallet saw two calls (B2)',
    );
    await context.balanceIs(session, before + 150n, `the balance is ${money(150n)} higher`);
    await context.refused(
      context.deal.end(session, hash),
      'GAMEROUNDNOTACTIVE',
      'a closed round takes no further call: 13 (E15.2)',
    );
    await context.booksAgree([session]);
  },
};

/** W2, B5 flow 2. */
export const poor: Scenario = {
  name: 'poor',
  shows: 'a declined bet is a definite 4xx: no void, and the query says 15',
  async play(context) {
    const session = await context.sit();
    const before = await context.balance(session);
    const id = context.deal.newId();
    context.say(`The player bets ${context.moneyOf(session)(1n)} more than there is.`);
    await context.declined(
      context.deal.start(session, before + 1n, { id }),
      id,
      'the wallet declines the debit with a definite 4xx (W2)',
    );
    await context.refused(
      context.deal.info(session, id),
      'GAMEROUNDNOTSTARTED',
      'the query says 15 (E14.1)',
    );
    await context.declined(
      context.deal.start(session, before + 1n, { id }),
      id,
      'the same id gets the recorded refusal (E7.6)',
    );
    const wallet = await context.walletCalls(id);
    context.equal(
      wallet.map((call) => call.replace(/: 4\d\d$/, '')),
      [`debit ${before + 1n}`],
      'the wallet saw one debit, and no void (W2)',
    );
    await context.balanceIs(session, before, 'the balance is unchanged');
    await context.booksAgree([session]);
  },
};

/** W2, B5 flow 3. */
export const silence: Scenario = {
  name: 'silence',
  shows: 'the wallet is silent on the debit: the RGS voids it, and the player may bet again',
  async play(context) {
    const session = await context.sit();
    const before = await context.balance(session);
    const id = context.deal.newId();
    context.say("The wallet books the debit, and its reply is cut off. The RGS can't know.");
    await context.api.fault({ line: 'rgs-wallet', call: 'doTransactions', kind: 'cut', next: 1 });
    await context.refused(
      context.deal.start(session, 100n, { id }),
      'GENERICBETERROR',
      'the game is answered 9100: the bet is not taken (W2)',
    );
    await context.until('the void is delivered', async () => {
      return (await context.walletCalls(id)).length === 2;
    });
    await context.walletSaw(
      id,
      ['debit 100 (cut)', 'void 100'],
      'the debit was sent once, then its void',
    );
    await context.refused(
      context.deal.info(session, id),
      'GAMEROUNDNOTSTARTED',
      'the query says 15 (E14.1)',
    );
    await context.balanceIs(session, before, 'the stake is back');
    const again = await context.deal.start(session, 100n);
    context.equal(again.gameRoundInfo.status, 'open', 'the player may bet again, with a new id');
    await context.deal.end(session, again.gameRoundInfo.hash);
    await context.booksAgree([session]);
  },
};

/** E13, B5 flow 8. */
export const voided: Scenario = {
  name: 'void',
  shows: 'a round is voided; after a credit it cannot be: 26',
  async play(context) {
    const session = await context.sit();
    const before = await context.balance(session);
    const { hash } = (await context.deal.start(session, 100n)).gameRoundInfo;
    const reply = await context.deal.voidRound(session, hash);
    context.equal(reply.passThroughData['outcome'], 'voided', 'the round is voided (E13.3)');
    await context.walletSaw(
      hash,
      ['debit 100', 'void 100'],
      "the wallet saw the debit's void (W6)",
    );
    await context.balanceIs(session, before, 'the stake is back');
    await context.refused(
      context.deal.voidRound(session, hash),
      'GAMEROUNDNOTACTIVE',
      'a second void is answered 13 (E13.3)',
    );
    context.say('Another round is credited with its start, and stays open.');
    const paid = await context.deal.start(session, 100n, { creditAmount: 30n });
    const second = paid.gameRoundInfo.hash;
    const both = await context.walletCalls(second);
    context.equal(both, ['debit 100 + credit 30'], 'debit and credit went in one call (W7)');
    await context.refused(
      context.deal.voidRound(session, second),
      'TRANSACTIONSARERETRYING',
      'after a credit the void is refused with 26 (E13.2)',
    );
    await context.deal.end(session, second);
    await context.balanceIs(session, before - 70n, 'the second round stands');
    await context.booksAgree([session]);
  },
};
