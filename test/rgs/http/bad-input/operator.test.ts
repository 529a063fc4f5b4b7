import { beforeAll, describe, expect, test } from '@jest/globals';

import { JsonText, writeJson } from '../../../../lib/protocol/json/write';
import { badInputRig } from './rig';

/** A call of the operator that changes something. */
interface OperatorCall {
  readonly path: string;
  /** What is signed, in order; a field that is absent or null adds nothing (operator-api 5, E24.2). */
  readonly signed: readonly string[];
  /** JSON by field. */
  readonly body: Readonly<Record<string, string>>;
  /** JSON that a field must not hold; null is absent. */
  readonly wrong: Readonly<Record<string, readonly (string | null)[]>>;
}

const long = (length: number): string => JSON.stringify('x'.repeat(length));
const noText = ['7', 'true', '{}', '[]', '""'];
const missing = [null, 'null'];
const noId = [...missing, ...noText, '"a#b"', String.raw`"a\u0007b"`, long(129)];
const noCurrency = [...missing, ...noText, '"eur"', '"EURO"', '"E1R"'];
const noAmount = [
  '-1',
  '-0',
  '0',
  '1.5',
  '1.0',
  '1e2',
  '"1,0"',
  '"-1"',
  '9007199254740992',
  'true',
];

const launch: OperatorCall = {
  path: 'getGameURL',
  signed: ['playerId', 'gameCode', 'currency', 'language', 'mode'],
  body: {
    playerId: '"ann"',
    gameCode: '"bells"',
    currency: '"EUR"',
    language: '"en"',
    mode: '"REAL"',
  },
  wrong: {
    playerId: noId,
    gameCode: noId,
    currency: noCurrency,
    language: [...missing, ...noText, '"english"', '"e"'],
    mode: [...missing, ...noText, '"real"', '"FUN"'],
    profile: [...noText, long(129), '"unknown"'],
    options: ['7', '"x"', '[]', '{"unknown":true}', '{"gambleEnabled":"yes"}', '{"minStake":-1}'],
    externalSessionId: ['7', 'true', '{}', '[]', long(1025)],
    device: [...noText, long(65)],
  },
};

const freePlays: OperatorCall = {
  path: 'assignPlayerFreerounds',
  signed: ['playerId', 'gameCode', 'serial', 'currency', 'stake', 'count'],
  body: {
    playerId: '"ann"',
    gameCode: '"bells"',
    serial: '"serial-1"',
    currency: '"EUR"',
    stake: '100',
    count: '5',
  },
  wrong: {
    playerId: noId,
    gameCode: noId,
    serial: noId,
    currency: noCurrency,
    stake: [...missing, ...noAmount, '{}', '""'],
    count: [...missing, '0', '-1', '1.5', '1e1', '10001', '9007199254740992', '"5"', 'true', '{}'],
    expires: [
      ...noText,
      '"tomorrow"',
      '"2027-02-30T00:00:00Z"',
      '"2020-01-01T00:00:00Z"',
      long(41),
    ],
  },
};

/** A call with one field replaced; null leaves it out. The signature is that of the fields as they are written. */
function requestOf({ path, signed, body }: OperatorCall, field: string, json: string | null) {
  const { [field]: _, ...others } = body;
  const fields = json === null ? others : { ...others, [field]: json };
  const parts = signed.flatMap((name) => {
    const written = fields[name];
    if (written === undefined || written === 'null') return [];
    return written.startsWith('"') ? [JSON.parse(written) as string] : [written];
  });
  const written = Object.entries(fields).map(([name, text]) => [name, new JsonText(text)] as const);
  return { path, parts, body: writeJson(Object.fromEntries(written)) };
}

describe.each([launch, freePlays])('$path', (call) => {
  let rig: Awaited<ReturnType<typeof badInputRig>>;

  beforeAll(async () => {
    rig = await badInputRig();
  });

  test('each wrong value of each field is 400 with 19: nothing is journalled (E3.3, E18.4, E24.1)', async () => {
    const before = await rig.effects();
    const values = Object.entries(call.wrong).flatMap(([field, wrong]) =>
      wrong.map((json) => [field, json] as const),
    );
    const faults: string[] = [];
    for (const [field, json] of values) {
      const { status, id, hasErrorId, text } = await rig.operate(requestOf(call, field, json));
      if (status === 400 && id === 19 && hasErrorId) continue;
      faults.push(`${field} ${json?.slice(0, 40) ?? 'absent'}: ${status} ${text}`);
    }
    expect(faults).toEqual([]);
    expect(await rig.effects()).toEqual(before);
  });

  test('an unknown game is 9106: nothing is journalled (E3.3)', async () => {
    const before = await rig.effects();
    const refused = await rig.operate(requestOf(call, 'gameCode', '"unknown"'));
    expect(refused).toMatchObject({ status: 400, id: 9106 });
    expect(await rig.effects()).toEqual(before);
  });

  test('a right body is answered 200, and journalled', async () => {
    const { journalled } = await rig.effects();
    expect(await rig.operate(requestOf(call, '', null))).toMatchObject({ status: 200, id: null });
    expect((await rig.effects()).journalled).toBeGreaterThan(journalled);
  });
});
