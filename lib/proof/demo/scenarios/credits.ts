import { hourMs, major, type Scenario, ScenarioError, type Session, type Stage } from './stage';

/** W3. */
export const lostReply: Scenario = {
  name: 'lost-win',
  shows: 'the reply to the credit is lost five times: six sends, one payment',
  async play(stage) {
    const session = await stage.sit();
    const before = await stage.balance(session);
    const { hash } = (await stage.deal.start(session, 100n)).gameRoundInfo;
    stage.say('The wallet pays, and five of its replies are cut off.');
    await stage.api.fault({ line: 'rgs-wallet', call: 'doTransactions', kind: 'cut', next: 5 });
    const closed = await stage.deal.addWin(session, hash, 250n, { collect: true });
    stage.equal(closed.amountCredited, 250n, 'the game is answered that 250 are credited');
    const wallet = await stage.walletCalls(hash);
    const lost = 'credit 250 + end (cut)';
    stage.equal(
      wallet,
      ['debit 100', lost, lost, lost, lost, lost, 'credit 250 + end'],
      'the credit was sent six times (W3)',
    );
    stage.equal(
      new Set(await hashesOf(stage, hash)).size,
      3,
      'always with the same hashes (E15.4)',
    );
    paidOnce(stage, await stage.balance(session), before - 100n);
    await stage.booksAgree([session]);
  },
};

/** The balance after a credit of 250 that was sent six times: of a known hash nothing moves (D3.1). */
function paidOnce(stage: Stage, balance: bigint, unpaid: bigint): void {
  const [amount, sends] = [250n, 6n];
  const moved = balance - unpaid;
  const times = moved / amount;
  if (times !== 1n && moved % amount === 0n && times >= 0n && times <= sends) {
    throw new ScenarioError(
      `it was paid once: the credit of ${major(amount)} was sent ${sends} times with the same hash, and the wallet paid it ${times} times: a known hash moves nothing (D3.1)`,
    );
  }
  stage.equal(balance, unpaid + amount, 'it was paid once');
}

/** O 3.7, W3. */
export const pending: Scenario = {
  name: 'pending',
  shows:
    'the wallet is down for two hours: the credit waits for the next launch, or for the janitor',
  async play(stage) {
    const { api } = stage;
    const session = await stage.sit();
    const before = await stage.balance(session);
    const first = await closeWhileDown(stage, session);
    stage.say('Two hours go by. The janitor runs, and the wallet is down still.');
    await api.advance(2 * hourMs);
    const waiting = await api.timeline(first);
    stage.equal(waiting.round?.creditPending, '250', 'the credit is due still');
    await api.clearFaults();
    stage.say('The wallet is back, and the player launches the game again.');
    const later = await stage.sit(session);
    await paid(stage, first, 'the launch delivers the credit (O 3, rule 7)');
    stage.equal(await stage.balance(later), before + 150n, 'it was paid once');
    const second = await closeWhileDown(stage, later);
    await api.clearFaults();
    stage.say('This time nobody launches: the janitor runs.');
    await api.janitor();
    await paid(stage, second, 'the janitor delivers the credit (W3)');
    stage.equal(await stage.balance(later), before + 300n, 'it was paid once as well');
    await stage.booksAgree([session]);
  },
};

/** A round that is closed with 250 while the wallet is down. */
async function closeWhileDown(stage: Stage, session: Session): Promise<string> {
  const { hash } = (await stage.deal.start(session, 100n)).gameRoundInfo;
  stage.say('The wallet goes down, and the round is closed with a win of 250.');
  await stage.api.fault({ line: 'rgs-wallet', kind: '503', probability: 1 });
  const closed = await stage.deal.addWin(session, hash, 250n, { collect: true });
  stage.equal(closed.gameRoundInfo.status, 'closed', 'the round is closed nevertheless (E12.2)');
  stage.equal(closed.passThroughData['creditPending'], '250', 'creditPending says 250 (E12.1)');
  return hash;
}

async function paid(stage: Stage, gameRound: string, claim: string): Promise<void> {
  await stage.until(claim, async () => {
    const { round } = await stage.api.timeline(gameRound);
    return round?.amountCredited === '250' && round.due.length === 0;
  });
}

/** Every hash that was sent about a round. */
async function hashesOf({ api }: Stage, gameRound: string): Promise<string[]> {
  const { steps } = await api.timeline(gameRound);
  return steps.flatMap((step) => {
    if (step.kind !== 'call' || step.call.line !== 'rgs-wallet') return [];
    return [...step.call.body.text.matchAll(/"hash"\s*:\s*"([^"]+)"/g)].map(
      ([, hash = '']) => hash,
    );
  });
}
