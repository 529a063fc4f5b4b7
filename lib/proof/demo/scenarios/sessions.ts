import { fetchWhole } from '../../../platform/http/fetch-whole';
import { withDeadline } from '../../../platform/within';
import { Secret, signatureHeaders, signBody } from '../../../protocol/signature';
import { hourMs, minuteMs, type Scenario, type ScenarioContext } from './context';

/** E5.1, E5.2. */
export const launch: Scenario = {
  name: 'launch',
  shows: 'getGameURL, launch, connect; a launch URL serves once, and for 120 s',
  async play(context) {
    const player = await context.newPlayer();
    context.say('The operator asks for a launch URL, and the browser opens it.');
    const url = await context.launch(player);
    const first = await context.connect(url);
    const { token } = await context.sessionOf(first, player);
    context.equal(first.kind, 'session', 'the launch URL opens a session (E5.2)');
    context.say('The player opens the same URL again.');
    const second = await context.connect(url);
    const refusal = { kind: 'refused', status: 400, id: 1008 };
    context.equal(second, refusal, 'a launch URL used twice is refused with 1008 (E5.2)');
    const late = await context.launch(player);
    context.say('Another URL is opened after two minutes and a second.');
    await context.api.advance(2 * minuteMs + 1000);
    context.equal(await context.connect(late), refusal, 'after 120 s it is refused as well (E5.1)');
    const { tokenData } = await context.client.getTokenData({ token });
    context.equal(
      tokenData.playerId,
      player.playerId,
      'the session is the player that was launched',
    );
    await context.booksAgree([player]);
  },
};

/** E2.2. */
export const signature: Scenario = {
  name: 'signature',
  shows: 'the body with one extra space is refused, and the sandbox says what would have matched',
  async play(context) {
    const signed = '{"testData":"hello"}';
    const good = await post(context, signed, signed);
    context.equal(good.status, 200, 'the bytes that were signed are accepted (E2.2)');
    const spaced = '{"testData": "hello"}';
    context.say('The body goes out with one extra space, and the signature of the first.');
    const { wire: latest } = await context.api.state();
    const bad = await post(context, spaced, signed);
    context.equal(bad, { status: 401, id: 1001 }, 'they are refused with 401, 1001 (E2.2)');
    let explanation: string | null = null;
    await context.until('the explainer has an answer', async () => {
      const { calls } = await context.api.wire(latest);
      explanation = calls.map((call) => call.explanation).find((text) => text !== null) ?? null;
      // The sandbox explains one call in two seconds at most.
      if (explanation === null) await post(context, spaced, signed);
      return explanation !== null;
    });
    context.say(`It says: ${explanation}`);
  },
};

async function post(
  { options }: ScenarioContext,
  sent: string,
  signed: string,
): Promise<{ status: number; id: number | null }> {
  const { provider, clock, url } = options;
  const { gameProviderId, secret } = provider;
  // Real time: signatures do not follow the service's clock. Two calls never share a millisecond (D1.8).
  await clock.pause(2);
  const headers = signBody(new Secret(secret), gameProviderId, clock.now(), Buffer.from(signed));
  const rawHeaders = Object.entries({
    'content-type': 'application/json',
    'x-request-id': `${headers[signatureHeaders.timestamp]}`,
    ...headers,
  }).flat();
  const request = { method: 'POST', target: '', rawHeaders, body: Buffer.from(sent) };
  const { status, body } = await withDeadline(clock, 10_000, (until) => {
    return fetchWhole(`${url}/gameapi/v2/testPing`, request, until);
  });
  const reply = JSON.parse(body.toString('utf8')) as { errorCode?: { id?: number } };
  return { status, id: reply.errorCode?.id ?? null };
}

/** E16, E23.4. */
export const tabClosed: Scenario = {
  name: 'tab-closed',
  shows: 'a day after the last call: doAutoClose, a new token for the provider, the old one dead',
  async play(context) {
    const { api, deal } = context;
    const session = await context.sit();
    const before = await context.balance(session);
    const { gameRoundInfo } = await deal.start(session, 100n);
    await deal.addWin(session, gameRoundInfo.hash, 40n);
    context.say('The player closes the tab, and is back for a moment 23 h 50 min later.');
    await api.advance(23 * hourMs + 50 * minuteMs);
    const later = await context.sit(session);
    const found = await context.client.getTokenData({ token: later.token });
    context.equal(found.tokenData.gameRound, gameRoundInfo.hash, 'the round is open still (E5.7)');
    const { wire: latest } = await api.state();
    context.say('24 h after the last call of the round the janitor runs.');
    await api.advance(15 * minuteMs);
    await api.janitor();
    await context.until('the round is closed (E16.1)', async () => {
      const { round } = await api.timeline(gameRoundInfo.hash);
      return round?.state === 'closed' && round.due.length === 0;
    });
    const { calls } = await api.wire(latest);
    const names = calls
      .filter(({ line, round }) => line !== 'operator-rgs' && round === gameRoundInfo.hash)
      .map(({ call }) => call);
    context.equal(
      names,
      ['doAutoClose', 'getTokenForGameRound', 'getGameRoundInfo', 'endGameRound', 'doTransactions'],
      'the provider asks the RGS before it ends the round (E23.4)',
    );
    await context.refused(
      context.client.getTokenData({ token: later.token }),
      'SESSIONINVALID',
      "the player's token is revoked, 15 minutes old (E5.6)",
    );
    const again = await context.sit(session);
    await context.balanceIs(
      again,
      before - 60n,
      `the open win of ${context.moneyOf(again)(40n)} was paid`,
    );
    context.options.book.ended(gameRoundInfo.hash);
    await context.booksAgree([session]);
  },
};
