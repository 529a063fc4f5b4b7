import { createServer, type Server } from 'node:http';

import { afterEach, describe, expect, test } from '@jest/globals';

import { Secret } from '../../../lib/protocol/signature';
import { createGameProviderHandler, type GameProviderOptions } from '../../../lib/provider';
import { createProviderLine } from '../../../lib/rgs/client/provider-line';
import type { LineFinding } from '../../../lib/rgs/client/finding';
import { secret } from './noted-fetch';
import { listen } from '../../network/listening';

const game = { gameProviderId: 'studio-1', gameCode: 'bells' };
const round = { ...game, gameRound: 'round-1' };
let server: Server | null = null;

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
  server = null;
});

/** A line to a router of this kit; both have the secret unless given. */
async function lineTo(handlers: Partial<GameProviderOptions>, ours = secret) {
  const providers = [{ gameProviderId: 'studio-1', secrets: [secret] }];
  const { handle } = createGameProviderHandler({ providers, ...handlers });
  const listening = createServer(handle);
  server = listening;
  const port = await listen(listening);
  const url = `http://127.0.0.1:${port}`;
  const findings: LineFinding[] = [];
  const line = createProviderLine({
    routers: [{ authId: 'studio-1', baseUrl: url, secret: new Secret(ours) }],
    onFinding: (finding) => findings.push(finding),
  });
  return { line, findings };
}

describe('the kit’s own router of a game provider is asked (E23, S3)', () => {
  test('getGameConfiguration', async () => {
    const { line, findings } = await lineTo({
      getGameConfiguration: ({ currency, currencyMultiplier }) => ({
        stakes: [10, 20n],
        currency,
        currencyMultiplier,
        expectedRtp: '96.190',
        maxPayoutOdds: 36,
      }),
    });
    const answer = await line.getGameConfiguration({
      ...game,
      currency: 'SEK',
      currencyMultiplier: '0.5',
    });
    expect(findings).toEqual([]);
    expect(answer).toMatchObject({
      kind: 'answered',
      value: { stakes: [10n, 20n], currency: 'SEK', currencyMultiplier: '0.5' },
    });
    expect(answer).toMatchObject({
      value: { text: expect.stringContaining('"expectedRtp":96.190') },
    });
  });

  test('a game that the provider does not have is a refusal', async () => {
    const { line } = await lineTo({ getGameConfiguration: () => null });
    const asked = { ...game, currency: 'EUR', currencyMultiplier: '1' };
    expect(await line.getGameConfiguration(asked)).toEqual({ kind: 'refused', status: 400 });
  });

  test('doAutoClose, getGameResult, health and certifiedfiles', async () => {
    const closed: string[] = [];
    const { line, findings } = await lineTo({
      doAutoClose: ({ gameRound }) => {
        closed.push(gameRound);
      },
      getGameResult: ({ gameRound }) => ({ reels: gameRound }),
      health: () => ({ status: 'ok' }),
      certifiedFiles: () => [{ file: 'a', hash: 'b' }],
      verifyHealth: true,
    });
    expect(await line.doAutoClose(round)).toEqual({ kind: 'answered', value: null });
    expect(closed).toEqual(['round-1']);
    expect(await line.getGameResult({ ...round, language: 'EN' })).toEqual({
      kind: 'answered',
      value: '{"reels":"round-1"}',
    });
    expect(await line.health('studio-1')).toEqual({ kind: 'answered', value: null });
    expect(await line.certifiedFiles('studio-1')).toEqual({
      kind: 'answered',
      value: '[{"file":"a","hash":"b"}]',
    });
    expect(findings).toEqual([]);
  });

  test('with another secret it refuses our signature, which is a finding (E23.1)', async () => {
    const { line, findings } = await lineTo({ doAutoClose: () => {} }, 'another-secret-0123456789');
    expect(await line.doAutoClose(round)).toEqual({ kind: 'refused', status: 401 });
    expect(findings).toMatchObject([
      { id: 'routerRefusesSignature', call: 'doAutoClose', round: 'round-1' },
    ]);
  });
});
