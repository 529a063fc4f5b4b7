import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createMetrics, type Metrics } from '../../../lib/operator/telemetry';
import { LeapingClock } from '../../platform/leaping-clock';
import { runs } from '../../support/runs';
import { createRig, debit, playerId, type Rig } from '../http/rig';
import { anyCharacter } from '../../support/any-character';

let metrics: Metrics;
let rig: Rig;
let series: ReadonlySet<string>;

beforeAll(async () => {
  metrics = createMetrics({ clock: new LeapingClock() });
  rig = await createRig({ metrics, clock: new LeapingClock() });
  series = await seriesNow();
});

afterAll(async () => {
  await rig.close();
  metrics.close();
});

/** Every series by name and labels, without its value. */
async function seriesNow(): Promise<Set<string>> {
  const lines = (await metrics.text()).split('\n').filter((line) => !line.startsWith('#'));
  return new Set(lines.map((line) => line.replace(/ [^ ]*$/, '')));
}

/** What may be sent in place of a name: what breaks an exposition, what JavaScript objects inherit. */
const id = fc.oneof(
  fc.constantFrom(
    '"} 1\nrgs_wallet_forged{a="b',
    '__proto__',
    'constructor',
    'hasOwnProperty',
    'toString',
    '{',
    '\\',
    '\u2028',
    'processed',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 128 }),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 }),
);

test('no value of a request becomes a series, a label or a line, whoever sends it', async () => {
  await fc.assert(
    fc.asyncProperty(id, id, id, id, async (player, game, round, type) => {
      const names = { playerId: player, gameCode: game, gameRound: round };
      const transactions = [debit(1, { hash: round, currency: type })];
      const body = JSON.stringify({ ...names, transactions, transactionCount: 1 });
      const odd = JSON.stringify({ ...names, transactions: [{ type, hash: game }] });
      const known = { playerId, currency: 'EUR', gameCode: game };
      await send(() => rig.signer.doTransactions(body));
      await send(() => rig.signer.doTransactions(odd));
      await send(() => rig.signer.getBalance(known));
      await send(() => rig.signer.getBalance({ ...known, playerId: player }));
      await send(() => rig.signer.getBalance(known), { 'X-H-AUTH-ID': encodeURIComponent(player) });
      await send(() => ({ method: 'GET', path: `/${encodeURIComponent(game)}`, headers: {} }));
      expect(await seriesNow()).toEqual(series);
    }),
    { numRuns: runs(300) },
  );
});

/** Sends what can be signed; what cannot is no request. */
async function send(
  sign: () => Parameters<Rig['send']>[0],
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  let request: Parameters<Rig['send']>[0];
  try {
    request = sign();
  } catch (error) {
    if (error instanceof Error) return;
    throw error;
  }
  await rig.send(request, headers);
}
