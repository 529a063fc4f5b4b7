import { GameEngineError } from '../../../provider';
import type { Scenario, ScenarioContext } from './context';

/** S2. */
export const blindRetry: Scenario = {
  name: 'blind-retry',
  shows:
    'addWin repeated blindly with a new id is paid twice, and the books name it; recover pays once',
  async play(context) {
    const { api, deal } = context;
    const session = await context.sit();
    const money = context.moneyOf(session);
    const before = await context.balance(session);
    const blind = (await deal.start(session, 100n)).gameRoundInfo.hash;
    const win = money(50n);
    context.say(
      `The reply to addWin of ${win} is cut off. The provider sends it again, with a new id.`,
    );
    await cutNextReply(context);
    await unknown(context, deal.addWin(session, blind, 50n));
    const reply = await deal.addWin(session, blind, 50n);
    context.equal(reply.amountToCollect, 100n, 'the RGS holds two wins (E15.1)');
    await deal.end(session, blind);
    await context.balanceIs(session, before, `the player has ${money(100n)} for a win of ${win}`);
    const { differences } = await api.books();
    context.options.onPurpose?.(blind);
    const found = differences
      .filter(({ round }) => round === blind)
      .map(({ what, service, provider }) => ({ what, service, provider }));
    const named = { what: 'win', service: '100', provider: '50' };
    context.equal(found, [named], 'the books name round, figure and both amounts (B3)');

    context.say("Now the same with the client's recover.");
    const { token, currency } = session;
    const id = deal.newId();
    context.options.book.requested(id, currency);
    const round = await context.client.openRound({ token, stake: 100n, currency, id });
    context.options.book.taken(round.state, 100n);
    await cutNextReply(context);
    const closed = await round.addWin({ winAmount: 50n, collect: true });
    context.options.book.won(id, 50n);
    context.options.book.ended(id);
    context.equal(closed.amountCredited, 50n, 'the client asks for the round: one win (S2)');
    await context.balanceIs(session, before - 50n, `the player has ${win} for a win of ${win}`);
    const after = await api.books();
    const others = after.differences.filter(({ round: of }) => of === id);
    context.equal(others, [], 'the books agree on this round');
  },
};

/** The reply to the next addWin is cut off. */
function cutNextReply({ api }: ScenarioContext): Promise<void> {
  return api.fault({ line: 'provider-rgs', call: 'addWin', kind: 'cut', next: 1 });
}

async function unknown(context: ScenarioContext, work: Promise<unknown>): Promise<void> {
  const outcome = await work.then(
    () => 'done',
    (error: unknown) => (error instanceof GameEngineError ? error.outcome : String(error)),
  );
  context.equal(outcome, 'unknown', 'a lost reply leaves the outcome unknown');
}

/** B4, B5 flow 9. */
export const crash: Scenario = {
  name: 'crash',
  shows: 'the RGS is killed between the debit and its reply, starts again, and voids',
  async play(context) {
    const { api, deal } = context;
    const session = await context.sit();
    const before = await context.balance(session);
    const id = deal.newId();
    context.say('The wallet books the debit. Before its reply is there, the RGS is killed.');
    await api.fault({ line: 'rgs-wallet', call: 'doTransactions', kind: 'loseReply', next: 1 });
    const started = deal.start(session, 100n, { id }).then(
      () => 'done',
      (error: unknown) => (error instanceof GameEngineError ? error.outcome : String(error)),
    );
    await context.until('the debit is at the wallet', async () => {
      return (await context.walletCalls(id)).length === 1;
    });
    await api.kill();
    context.equal((await started) === 'done', false, 'the game has no reply to its start');
    await context.refused(deal.info(session, id), 'GAMEROUNDNOTSTARTED', 'the query says 15 (B4)');
    context.options.book.notTaken(id);
    await context.until('the void is delivered', async () => {
      return (await api.timeline(id)).round?.due.length === 0;
    });
    await context.walletSaw(
      id,
      ['debit 100 (loseReply)', 'void 100'],
      'the debit was never sent again (B4)',
    );
    await context.balanceIs(session, before, 'the stake is back, the session lives on');
    await context.booksAgree([session]);
  },
};
