import { describe, expect, test } from '@jest/globals';

import { debit, end, euros } from '../http/rig';
import { CheckRig, followUp } from './debit-check-rig';

describe('D12.3 a refusal with DEBITEXPIRED is recorded as any other', () => {
  test('of a first debit', async () => {
    const rig = await CheckRig.create();
    rig.answer = () => ({ allow: false, code: 'DEBITEXPIRED' });
    const line = await rig.call([debit()]);
    rig.answer = () => ({ allow: true });
    expect(await rig.call([debit()])).toBe(line);
    expect(await rig.balance()).toBe(euros(100));
  });

  test('of a follow-up debit', async () => {
    const rig = await CheckRig.create();
    await rig.call([debit()]);
    rig.answer = () => ({ allow: false, code: 'DEBITEXPIRED' });
    const line = await rig.call([followUp('d2'), end]);
    rig.answer = () => ({ allow: true });
    expect(await rig.call([followUp('d2'), end])).toBe(line);
    expect(await rig.balance()).toBe(euros(90));
  });
});

test('D12.1 a debit that a call holds twice is asked for once', async () => {
  const rig = await CheckRig.create();
  await rig.call([debit(1), debit(1), followUp('d2', 2), followUp('d2', 2)]);
  expect(rig.requests[0]).toMatchObject({
    debits: [{ hash: 'round-1' }, { hash: 'd2' }],
    total: euros(3),
  });
});

test.each([
  [{ allow: true, code: 'DEBITREFUSED' }],
  [{ allow: true, reason: 'fine' }],
  [{ allow: false, forMs: 1000 }],
  [{ allow: false, reason: 'barred' }],
])('D12.2 an answer with a field that is not of it counts as none: %j', async (answer) => {
  const rig = await CheckRig.create();
  rig.answer = () => answer;
  expect(await rig.call([debit()])).toBe('400 9008: round-1 9008');
});

test('D12.5 five silences within 10 s break it, also with answers between them', async () => {
  const rig = await CheckRig.create();
  for (let at = 0; at < 5; at++) {
    rig.answer = () => ({ allow: true });
    expect(await rig.stake()).toBe('200');
    rig.answer = () => null;
    expect(await rig.stake()).toBe('400 9008');
  }
  rig.answer = () => ({ allow: true });
  expect(await rig.stake()).toBe('400 9008');
});
