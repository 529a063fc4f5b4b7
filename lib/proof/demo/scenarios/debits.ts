import type { Scenario } from './stage';

/** B2, B5 flow 1. */
export const spin: Scenario = {
  name: 'spin',
  shows: 'start and addWin with collect: two engine calls, two wallet calls, the balances',
  async play(stage) {
    const session = await stage.sit();
    const before = await stage.balance(session);
    const started = await stage.deal.start(session, 100n);
    const { hash } = started.gameRoundInfo;
    stage.equal(
      started.balance?.totalBalance,
      before - 100n,
      'the reply to the start has the balance',
    );
    const closed = await stage.deal.addWin(session, hash, 250n, { collect: true });
    stage.equal(closed.gameRoundInfo.status, 'closed', 'collect closes the round (E9.2)');
    stage.equal(closed.amountCredited, 250n, 'the wallet has confirmed the win of 250 (E12.1)');
    const wallet = await stage.walletCalls(hash);
    stage.equal(wallet, ['debit 100', 'credit 250 + end'], 'the wallet saw two calls (B2)');
    stage.equal(await stage.balance(session), before + 150n, 'the balance is 150 higher');
    await stage.refused(
      stage.deal.end(session, hash),
      'GAMEROUNDNOTACTIVE',
      'a closed round takes no further call: 13 (E15.2)',
    );
    await stage.booksAgree([session]);
  },
};

/** W2, B5 flow 2. */
export const poor: Scenario = {
  name: 'poor',
  shows: 'a declined bet is a definite 4xx: no void, and the query says 15',
  async play(stage) {
    const session = await stage.sit();
    const before = await stage.balance(session);
    const id = stage.deal.newId();
    stage.say('The player bets one minor unit more than there is.');
    await stage.declined(
      stage.deal.start(session, before + 1n, { id }),
      id,
      'the wallet declines the debit with a definite 4xx (W2)',
    );
    await stage.refused(
      stage.deal.info(session, id),
      'GAMEROUNDNOTSTARTED',
      'the query says 15 (E14.1)',
    );
    await stage.declined(
      stage.deal.start(session, before + 1n, { id }),
      id,
      'the same id gets the recorded refusal (E7.6)',
    );
    const wallet = await stage.walletCalls(id);
    stage.equal(
      wallet.map((call) => call.replace(/: 4\d\d$/, '')),
      [`debit ${before + 1n}`],
      'the wallet saw one debit, and no void (W2)',
    );
    stage.equal(await stage.balance(session), before, 'the balance is unchanged');
    await stage.booksAgree([session]);
  },
};

/** W2, B5 flow 3. */
export const silence: Scenario = {
  name: 'silence',
  shows: 'the wallet is silent on the debit: the RGS voids it, and the player may bet again',
  async play(stage) {
    const session = await stage.sit();
    const before = await stage.balance(session);
    const id = stage.deal.newId();
    stage.say("The wallet books the debit, and its reply is cut off. The RGS can't know.");
    await stage.api.fault({ line: 'rgs-wallet', call: 'doTransactions', kind: 'cut', next: 1 });
    await stage.refused(
      stage.deal.start(session, 100n, { id }),
      'GENERICBETERROR',
      'the game is answered 9100: the bet is not taken (W2)',
    );
    await stage.until('the void is delivered', async () => {
      return (await stage.walletCalls(id)).length === 2;
    });
    const wallet = await stage.walletCalls(id);
    stage.equal(wallet, ['debit 100 (cut)', 'void 100'], 'the debit was sent once, then its void');
    await stage.refused(
      stage.deal.info(session, id),
      'GAMEROUNDNOTSTARTED',
      'the query says 15 (E14.1)',
    );
    stage.equal(await stage.balance(session), before, 'the stake is back');
    const again = await stage.deal.start(session, 100n);
    stage.equal(again.gameRoundInfo.status, 'open', 'the player may bet again, with a new id');
    await stage.deal.end(session, again.gameRoundInfo.hash);
    await stage.booksAgree([session]);
  },
};

/** E13, B5 flow 8. */
export const voided: Scenario = {
  name: 'void',
  shows: 'a round is voided; after a credit it cannot be: 26',
  async play(stage) {
    const session = await stage.sit();
    const before = await stage.balance(session);
    const { hash } = (await stage.deal.start(session, 100n)).gameRoundInfo;
    const reply = await stage.deal.voidRound(session, hash);
    stage.equal(reply.passThroughData['outcome'], 'voided', 'the round is voided (E13.3)');
    const wallet = await stage.walletCalls(hash);
    stage.equal(wallet, ['debit 100', 'void 100'], "the wallet saw the debit's void (W6)");
    stage.equal(await stage.balance(session), before, 'the stake is back');
    await stage.refused(
      stage.deal.voidRound(session, hash),
      'GAMEROUNDNOTACTIVE',
      'a second void is answered 13 (E13.3)',
    );
    stage.say('Another round is credited with its start, and stays open.');
    const paid = await stage.deal.start(session, 100n, { creditAmount: 30n });
    const second = paid.gameRoundInfo.hash;
    const both = await stage.walletCalls(second);
    stage.equal(both, ['debit 100 + credit 30'], 'debit and credit went in one call (W7)');
    await stage.refused(
      stage.deal.voidRound(session, second),
      'TRANSACTIONSARERETRYING',
      'after a credit the void is refused with 26 (E13.2)',
    );
    await stage.deal.end(session, second);
    stage.equal(await stage.balance(session), before - 70n, 'the second round stands');
    await stage.booksAgree([session]);
  },
};
