import { describe, expect, test } from '@jest/globals';

import { Secret } from '../../../lib/protocol/signature';
import {
  createProviderLine,
  type ProviderLineOptions,
} from '../../../lib/rgs/client/provider-line';
import type { LineFinding } from '../../../lib/rgs/client/finding';
import type { ProviderLine } from '../../../lib/rgs/ports';
import { VirtualClock } from '../../support/virtual-clock';
import { type Answer, never, NotedFetch, reset, secret, signatureOver } from './noted-fetch';

const game = { gameProviderId: 'studio-1', gameCode: 'bells' };
const asked = { ...game, currency: 'EUR', currencyMultiplier: '1' };
const round = { ...game, gameRound: 'round-1' };

function lineOver(answers: readonly Answer[], options: Partial<ProviderLineOptions> = {}) {
  const noted = new NotedFetch(answers);
  const findings: LineFinding[] = [];
  const line = createProviderLine({
    routers: [
      { authId: 'studio-1', baseUrl: 'https://studio.example/rgs', secret: new Secret(secret) },
    ],
    fetch: noted.fetch,
    onFinding: (finding) => findings.push(finding),
    ...options,
  });
  return { line, sent: noted.sent, findings };
}

const config =
  '{"stakes":[10,20,50],"currency":"EUR","currencyMultiplier":1,"expectedRtp":96.19,"maxPayoutOdds":36,"winlineCount":5.0}';
const configuration = `{"gameCode":"bells","config":${config}}`;

/** Every call, with what it is sent as and signs (C3, E2.8). */
const calls: readonly {
  readonly name: string;
  readonly ask: (line: ProviderLine) => Promise<{ readonly kind: string }>;
  readonly method: string;
  readonly target: string;
  readonly body: object | null;
  readonly fields: readonly string[];
  readonly good: string;
  readonly attempts: number;
}[] = [
  {
    name: 'getGameConfiguration',
    ask: (line) => line.getGameConfiguration(asked),
    method: 'GET',
    target: '/getGameConfiguration?currency=EUR&currencyMultiplier=1&gameCode=bells',
    body: null,
    fields: ['EUR'],
    good: configuration,
    attempts: 3,
  },
  {
    name: 'getGameResult',
    ask: (line) => line.getGameResult({ ...round, language: 'EN' }),
    method: 'POST',
    target: '/getGameResult',
    body: { gameRound: 'round-1', gameCode: 'bells', language: 'EN' },
    fields: ['round-1'],
    good: '{"gameRound":"round-1","result":{"reels":[1, 2.50]}}',
    attempts: 3,
  },
  {
    name: 'doAutoClose',
    ask: (line) => line.doAutoClose(round),
    method: 'POST',
    target: '/doAutoClose',
    body: { gameRound: 'round-1', gameCode: 'bells' },
    fields: ['round-1'],
    good: '{}',
    attempts: 1,
  },
  {
    name: 'health',
    ask: (line) => line.health('studio-1'),
    method: 'GET',
    target: '/health',
    body: null,
    fields: [],
    good: '{"status":"ok"}',
    attempts: 3,
  },
  {
    name: 'certifiedfiles',
    ask: (line) => line.certifiedFiles('studio-1'),
    method: 'GET',
    target: '/certifiedfiles',
    body: null,
    fields: [],
    good: '{"list":[{"file":"game.js","hash":"abc"}]}',
    attempts: 3,
  },
];

describe.each(calls)('$name', ({ ask, method, target, body, fields, good, attempts }) => {
  test('is sent with its fields, and none of them is a token (C3, E23.2)', async () => {
    const { line, sent } = lineOver([[200, good]]);
    expect(await ask(line)).toMatchObject({ kind: 'answered' });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.url).toBe(`https://studio.example/rgs${target}`);
    expect(sent[0]?.init.method).toBe(method);
    expect(sent[0]?.init.body).toEqual(body === null ? undefined : JSON.stringify(body));
  });

  test('signs secret, the provider’s id, timestamp and its fields (E2.8)', async () => {
    const { line, sent } = lineOver([[200, good]]);
    await ask(line);
    const [request] = sent;
    if (request === undefined) throw new Error('nothing was sent');
    expect(request.init.headers['X-H-AUTH-ID']).toBe('studio-1');
    const expected = signatureOver('studio-1', request, fields);
    expect(request.init.headers['X-H-AUTH-SIG']).toBe(expected);
  });

  test.each<[string, Answer]>([
    ['5xx', [503, good]],
    ['a connection that fails', reset],
  ])(`after %s there are ${attempts} attempts, each signed anew (E23.1)`, async (_, answer) => {
    const { line, sent } = lineOver([answer]);
    expect(await ask(line)).toEqual({ kind: 'silent' });
    expect(sent).toHaveLength(attempts);
    const signatures = sent.map(({ init }) => init.headers['X-H-AUTH-SIG']);
    expect(new Set(signatures).size).toBe(attempts);
  });

  test('an attempt that is not answered ends after 5 s (E23.1)', async () => {
    const clock = new VirtualClock();
    const { line, sent } = lineOver([never], { clock });
    expect(await clock.run(ask(line))).toEqual({ kind: 'silent' });
    expect(sent).toHaveLength(attempts);
    expect(clock.monotonicMs()).toBe(attempts * 5000);
    expect(clock.waiting).toBe(0);
  });

  test('a 4xx is a refusal, and is not repeated (E23.1)', async () => {
    const { line, sent, findings } = lineOver([[404, 'no']]);
    expect(await ask(line)).toEqual({ kind: 'refused', status: 404 });
    expect(sent).toHaveLength(1);
    expect(findings).toEqual([]);
  });

  test('a 401 is a finding: your router refuses our signature (E23.1)', async () => {
    const { line, findings } = lineOver([[401, '']]);
    expect(await ask(line)).toEqual({ kind: 'refused', status: 401 });
    expect(findings).toMatchObject([{ id: 'routerRefusesSignature', rule: 'E23.1' }]);
    expect(JSON.stringify(findings)).not.toContain(secret);
  });

  test('a redirect says nothing, and is not followed', async () => {
    const { line, sent } = lineOver([[302, good]]);
    expect(await ask(line)).toEqual({ kind: 'silent' });
    expect(sent).toHaveLength(1);
  });

  test('a provider that is not configured is silent, which is a finding', async () => {
    const routers = [
      { authId: 'other', baseUrl: 'https://other.example', secret: new Secret(secret) },
    ];
    const { line, sent, findings } = lineOver([[200, good]], { routers });
    expect(await ask(line)).toEqual({ kind: 'silent' });
    expect(sent).toEqual([]);
    expect(findings).toMatchObject([{ id: 'cannotBeSent' }]);
  });
});

test('a read that is answered at its third attempt is answered', async () => {
  const { line, sent } = lineOver([reset, [500, ''], [200, configuration]]);
  expect(await line.getGameConfiguration(asked)).toMatchObject({ kind: 'answered' });
  expect(sent).toHaveLength(3);
});

describe('the configuration (E21.3, game-engine-api 2.13)', () => {
  test('its stakes are units, and the whole reply stays as it is for the operator’s call', async () => {
    const { line } = lineOver([[200, ` ${configuration}\n`]]);
    expect(await line.getGameConfiguration(asked)).toEqual({
      kind: 'answered',
      value: {
        stakes: [10n, 20n, 50n],
        currency: 'EUR',
        currencyMultiplier: '1',
        text: configuration,
      },
    });
  });

  test('a multiplier counts by its value, not by its spelling', async () => {
    const text = configuration.replace('"currencyMultiplier":1', '"currencyMultiplier":1.50');
    const { line } = lineOver([[200, text]]);
    const answer = await line.getGameConfiguration({ ...asked, currencyMultiplier: '1.5' });
    expect(answer).toMatchObject({ kind: 'answered', value: { currencyMultiplier: '1.5' } });
  });

  const without = (name: string) =>
    configuration.replace(new RegExp(`"${name}":[^\\]},]+[\\]]?,?`), '');
  test.each<[string, string]>([
    ['no JSON', 'no'],
    ['a list', '[]'],
    ['no config', '{"gameCode":"bells"}'],
    ['config in place of the reply', config],
    ...['stakes', 'currency', 'currencyMultiplier', 'expectedRtp', 'gameCode'].map(
      (name): [string, string] => [`no ${name}`, without(name)],
    ),
    ['no maxPayoutOdds', configuration.replace('"maxPayoutOdds":36,', '')],
    ['another game', configuration.replace('bells', 'other')],
    ['another currency', configuration.replace('EUR', 'SEK')],
    ['another multiplier', configuration.replace('Multiplier":1', 'Multiplier":6')],
    ['no stake', configuration.replace('[10,20,50]', '[]')],
    ['a stake of 0', configuration.replace('[10', '[0')],
    ['half a unit', configuration.replace('[10', '[10.5')],
    ['a stake below 0', configuration.replace('[10', '[-10')],
    ['a stake above 2^53-1', configuration.replace('[10', '[9007199254740992')],
    ['stakes as texts', configuration.replace('[10', '["10"')],
    ['an RTP below 0', configuration.replace('96.19', '-1')],
    ['__proto__', configuration.replace('{', '{"__proto__":{},')],
  ])('%s: nothing is known, which is a finding', async (_, text) => {
    expect(text).not.toBe(configuration);
    const { line, sent, findings } = lineOver([[200, text]]);
    expect(await line.getGameConfiguration(asked)).toEqual({ kind: 'silent' });
    expect(sent).toHaveLength(1);
    expect(findings).toMatchObject([
      { id: 'configurationInvalid', rule: 'E21.3', call: 'getGameConfiguration', round: null },
    ]);
  });
});

describe('the other replies (C3)', () => {
  test.each<[string, object]>([
    [
      '{"gameRound":"round-1","result":{"a":[1.50, "x"]}}',
      { kind: 'answered', value: '{"a":[1.50,"x"]}' },
    ],
    ['{"gameRound":"round-1","result":null}', { kind: 'answered', value: 'null' }],
    ['{"gameRound":"round-1"}', { kind: 'answered', value: 'null' }],
    ['{"gameRound":"round-2","result":1}', { kind: 'silent' }],
    ['{"result":1}', { kind: 'silent' }],
    ['[]', { kind: 'silent' }],
    ['no', { kind: 'silent' }],
  ])(
    'getGameResult answered %s: a result of another round does not count (E23.2)',
    async (text, expected) => {
      const { line, findings } = lineOver([[200, text]]);
      expect(await line.getGameResult({ ...round, language: 'EN' })).toEqual(expected);
      const isSilent = 'kind' in expected && expected.kind === 'silent';
      expect(findings.map(({ id, round: of }) => [id, of])).toEqual(
        isSilent ? [['resultInvalid', 'round-1']] : [],
      );
    },
  );

  test.each<[string, object]>([
    [
      '{"list":[{"file":"a","hash":"b"}]}',
      { kind: 'answered', value: '[{"file":"a","hash":"b"}]' },
    ],
    ['{"list":[]}', { kind: 'answered', value: '[]' }],
    ['{"list":[{"file":"a"}]}', { kind: 'silent' }],
    ['{"list":{}}', { kind: 'silent' }],
    ['[]', { kind: 'silent' }],
    ['no', { kind: 'silent' }],
  ])('certifiedfiles answered %s', async (text, expected) => {
    const { line } = lineOver([[200, text]]);
    expect(await line.certifiedFiles('studio-1')).toEqual(expected);
  });

  test.each(['', 'ok', '{}', '[1]'])(
    'doAutoClose and health answered 2xx with %j are answered: the RGS looks at its own round (E16.1)',
    async (text) => {
      const { line } = lineOver([[200, text]]);
      expect(await line.doAutoClose(round)).toEqual({ kind: 'answered', value: null });
      expect(await line.health('studio-1')).toEqual({ kind: 'answered', value: null });
    },
  );
});
