import {
  hourMs,
  type Scenario,
  type ScenarioContext,
  ScenarioError,
  type Session,
} from './context';

/** W3. */
export const lostReply: Scenario = {
  name: 'lost-win',
  shows: 'the reply to the credit is lost five times: six sends, one payment',
  async play(context) {
    const session = await context.sit();
    const money = context.moneyOf(session);
    const before = await context.balance(session);
    const { hash } = (await context.deal.start(session, 100n)).gameRoundInfo;
    context.say('The wallet pays, and five of its replies are cut off.');
    await context.api.fault({ line: 'rgs-wallet', call: 'doTransactions', kind: 'cut', next: 5 });
    const closed = await context.deal.addWin(session, hash, 250n, { collect: true });
    context.equal(
      closed.amountCredited,
      250n,
      `the game is answered that ${money(250n)} are credited`,
    );
    const wallet = await context.walletCalls(hash);
    const lost = 'credit 250 + end (cut)';
    context.equal(
      wallet,
      ['debit 100', lost, lost, lost, lost, lost, 'credit 250 + end'],
      'the credit was sent six times (W3)',
    );
    context.equal(
      new Set(await hashesOf(context, hash)).size,
      3,
      'always with the same hashes (E15.4)',
    );
    paidOnce(context, session, await context.balance(session), before - 100n);
    await context.booksAgree([session]);
  },
};

/** The balance after the credit, which was sent six times: of a known hash nothing moves (D3.1). */
function paidOnce(
  context: ScenarioContext,
  player: Session,
  balance: bigint,
  unpaid: bigint,
): void {
  const [amount, sends] = [250n, 6n];
  const moved = balance - unpaid;
  const times = moved / amount;
  if (times !== 1n && moved % amount === 0n && times >= 0n && times <= sends) {
    throw new ScenarioError(
      `it was paid once: the credit of ${context.moneyOf(player)(amount)} was sent ${sends} times with the same hash, and the wallet paid it ${times} times: a known hash moves nothing (D3.1)`,
    );
  }
  context.equal(balance, unpaid + amount, 'it was paid once');
}

/** O 3.7, W3. */
export const pending: Scenario = {
  name: 'pending',
  shows:
    'the wallet is down for two hours: the credit waits for the next launch, or for the janitor',
  async play(context) {
    const { api } = context;
    const session = await context.sit();
    const before = await context.balance(session);
    const first = await closeWhileDown(context, session);
    context.say('Two hours go by. The janitor runs, and the wallet is down still.');
    await api.advance(2 * hourMs);
    const waiting = await api.timeline(first);
    context.equal(waiting.round?.creditPending, '250', 'the credit is due still');
    await api.clearFaults();
    context.say('The wallet is back, and the player launches the game again.');
    const later = await context.sit(session);
    await paid(context, first, 'the launch delivers the credit (O 3, rule 7)');
    await context.balanceIs(later, before + 150n, 'it was paid once');
    const second = await closeWhileDown(context, later);
    await api.clearFaults();
    context.say('This time nobody launches: the janitor runs.');
    await api.janitor();
    await paid(context, second, 'the janitor delivers the credit (W3)');
    await context.balanceIs(later, before + 300n, 'it was paid once as well');
    await context.booksAgree([session]);
  },
};

/** A round that is closed with 250 while the wallet is down. */
async function closeWhileDown(context: ScenarioContext, session: Session): Promise<string> {
  const { hash } = (await context.deal.start(session, 100n)).gameRoundInfo;
  const win = context.moneyOf(session)(250n);
  context.say(`The wallet goes down, and the round is closed with a win of ${win}.`);
  await context.api.fault({ line: 'rgs-wallet', kind: '503', probability: 1 });
  const closed = await context.deal.addWin(session, hash, 250n, { collect: true });
  context.equal(closed.gameRoundInfo.status, 'closed', 'the round is closed nevertheless (E12.2)');
  context.equal(
    closed.passThroughData['creditPending'],
    '250',
    `creditPending has the ${win} (E12.1)`,
  );
  return hash;
}

async function paid(context: ScenarioContext, gameRound: string, claim: string): Promise<void> {
  await context.until(claim, async () => {
    const { round } = await context.api.timeline(gameRound);
    return round?.amountCredited === '250' && round.due.length === 0;
  });
}

/** Every hash that was sent about a round. */
async function hashesOf({ api }: ScenarioContext, gameRound: string): Promise<string[]> {
  const { steps } = await api.timeline(gameRound);
  return steps.flatMap((step) => {
    if (step.kind !== 'call' || step.call.line !== 'rgs-wallet') return [];
    return [...step.call.body.text.matchAll(/"hash"\s*:\s*"([^"]+)"/g)].map(
      ([, hash = '']) => hash,
    );
  });
}
