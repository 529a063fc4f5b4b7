import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { ReplayGuard } from '../../../lib/protocol/authentication/replay-guard';

const signature = (name: string) => createHash('sha256').update(name).digest('base64');
const digest = (body: string) => createHash('sha256').update(body).digest();

test('a signature carries the body it was first seen with, again and again (D1.8)', () => {
  const guard = new ReplayGuard(10);
  expect(guard.see(signature('s'), digest('debit'))).toBe('none');
  expect(guard.see(signature('s'), digest('debit'))).toBe('same');
  expect(guard.see(signature('s'), digest('debit'))).toBe('same');
});

test('a signature seen with another body is known, by a single byte too (D1.8)', () => {
  const guard = new ReplayGuard(10);
  guard.see(signature('s'), digest('debit'));
  for (const other of ['void', 'debit ', '']) {
    expect(guard.see(signature('s'), digest(other))).toBe('other');
  }
  expect(guard.see(signature('s'), digest('debit'))).toBe('same');
});

test('a body may come under several signatures: a call that is sent again is signed anew', () => {
  const guard = new ReplayGuard(10);
  expect(guard.see(signature('s'), digest('debit'))).toBe('none');
  expect(guard.see(signature('t'), digest('debit'))).toBe('none');
  expect(guard.see(signature('t'), digest('void'))).toBe('other');
});

test('the oldest signature is forgotten first, and never more than one for one', () => {
  const guard = new ReplayGuard(3);
  for (const name of ['a', 'b', 'c', 'd']) guard.see(signature(name), digest('one'));
  for (const kept of ['b', 'c', 'd']) {
    expect(guard.see(signature(kept), digest('two'))).toBe('other');
  }
  expect(guard.see(signature('a'), digest('two'))).toBe('none');
});

test('a flood of one signature with other bodies makes it forget nothing', () => {
  const guard = new ReplayGuard(2);
  guard.see(signature('a'), digest('one'));
  for (let at = 0; at < 10; at++) guard.see(signature('b'), digest(String(at)));
  expect(guard.see(signature('a'), digest('two'))).toBe('other');
});

test('a body that was not the one of the signature is forgotten, and the signature is free for another', () => {
  const guard = new ReplayGuard(2);
  guard.see(signature('a'), digest('forged'));
  guard.forget(signature('a'));
  guard.forget(signature('never seen'));
  expect(guard.see(signature('a'), digest('own'))).toBe('none');
  expect(guard.see(signature('a'), digest('own'))).toBe('same');
  expect(guard.see(signature('a'), digest('forged'))).toBe('other');
});

test('a place that is taken over has nothing of the body before it', () => {
  const guard = new ReplayGuard(1);
  guard.see(signature('a'), digest('one'));
  guard.see(signature('b'), digest('two'));
  expect(guard.see(signature('b'), digest('two'))).toBe('same');
  expect(guard.see(signature('b'), digest('one'))).toBe('other');
});
