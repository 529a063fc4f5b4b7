import { fetchWhole } from '../../../platform/http';
import { withDeadline } from '../../../platform/within';
import { Secret, signatureHeaders, signBody } from '../../../protocol/signature';
import { hourMs, minuteMs, type Scenario, type Stage } from './stage';

/** E5.1, E5.2. */
export const launch: Scenario = {
  name: 'launch',
  shows: 'getGameURL, launch, connect; a launch URL serves once, and for 120 s',
  async play(stage) {
    const player = await stage.newPlayer();
    stage.say('The operator asks for a launch URL, and the browser opens it.');
    const url = await stage.launch(player);
    const first = await stage.connect(url);
    const { token } = await stage.sessionOf(first, player);
    stage.equal(first.kind, 'session', 'the launch URL opens a session (E5.2)');
    stage.say('The player opens the same URL again.');
    const second = await stage.connect(url);
    const refusal = { kind: 'refused', status: 400, id: 1008 };
    stage.equal(second, refusal, 'a launch URL used twice is refused with 1008 (E5.2)');
    const late = await stage.launch(player);
    stage.say('Another URL is opened after two minutes and a second.');
    await stage.api.advance(2 * minuteMs + 1000);
    stage.equal(await stage.connect(late), refusal, 'after 120 s it is refused as well (E5.1)');
    const { tokenData } = await stage.client.getTokenData({ token });
    stage.equal(tokenData.playerId, player.playerId, 'the session is the player that was launched');
    await stage.booksAgree([player]);
  },
};

/** E2.2. */
export const signature: Scenario = {
  name: 'signature',
  shows: 'the body with one extra space is refused, and the sandbox says what would have matched',
  async play(stage) {
    const signed = '{"testData":"hello"}';
    const good = await post(stage, signed, signed);
    stage.equal(good.status, 200, 'the bytes that were signed are accepted (E2.2)');
    const spaced = '{"testData": "hello"}';
    stage.say('The body goes out with one extra space, and the signature of the first.');
    const { wire: latest } = await stage.api.state();
    const bad = await post(stage, spaced, signed);
    stage.equal(bad, { status: 401, id: 1001 }, 'they are refused with 401, 1001 (E2.2)');
    let explanation: string | null = null;
    await stage.until('the explainer has an answer', async () => {
      const { calls } = await stage.api.wire(latest);
      explanation = calls.map((call) => call.explanation).find((text) => text !== null) ?? null;
      // The sandbox explains one call in two seconds at most.
      if (explanation === null) await post(stage, spaced, signed);
      return explanation !== null;
    });
    stage.say(`It says: ${explanation}`);
  },
};

async function post(
  { options }: Stage,
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
  async play(stage) {
    const { api, deal } = stage;
    const session = await stage.sit();
    const before = await stage.balance(session);
    const { gameRoundInfo } = await deal.start(session, 100n);
    await deal.addWin(session, gameRoundInfo.hash, 40n);
    stage.say('The player closes the tab, and is back for a moment 23 h 50 min later.');
    await api.advance(23 * hourMs + 50 * minuteMs);
    const later = await stage.sit(session);
    const found = await stage.client.getTokenData({ token: later.token });
    stage.equal(found.tokenData.gameRound, gameRoundInfo.hash, 'the round is open still (E5.7)');
    const { wire: latest } = await api.state();
    stage.say('24 h after the last call of the round the janitor runs.');
    await api.advance(15 * minuteMs);
    await api.janitor();
    await stage.until('the round is closed (E16.1)', async () => {
      const { round } = await api.timeline(gameRoundInfo.hash);
      return round?.state === 'closed' && round.due.length === 0;
    });
    const { calls } = await api.wire(latest);
    const names = calls
      .filter(({ line, round }) => line !== 'operator-rgs' && round === gameRoundInfo.hash)
      .map(({ call }) => call);
    stage.equal(
      names,
      ['doAutoClose', 'getTokenForGameRound', 'getGameRoundInfo', 'endGameRound', 'doTransactions'],
      'the provider asks the RGS before it ends the round (E23.4)',
    );
    await stage.refused(
      stage.client.getTokenData({ token: later.token }),
      'SESSIONINVALID',
      "the player's token is revoked, 15 minutes old (E5.6)",
    );
    const again = await stage.sit(session);
    stage.equal(await stage.balance(again), before - 60n, 'the open win of 40 was paid');
    stage.options.book.ended(gameRoundInfo.hash);
    await stage.booksAgree([session]);
  },
};
