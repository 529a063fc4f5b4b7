import { expect, test } from '@jest/globals';
import { ReplayGuard } from '../../lib/signature';

const body = (text: string) => Buffer.from(text);
const isVoid = () => true;
const isNone = () => false;

test('a signature carries the body it was first seen with, again and again (D1.8)', () => {
  const guard = new ReplayGuard(10);
  expect(guard.admits('s', body('debit'), isNone)).toBe(true);
  expect(guard.admits('s', body('debit'), isNone)).toBe(true);
});

test('a signature seen with another body is refused, by a single byte too (D1.8)', () => {
  const guard = new ReplayGuard(10);
  guard.admits('s', body('debit'), isNone);
  expect(guard.admits('s', body('void'), isNone)).toBe(false);
  expect(guard.admits('s', body('debit '), isNone)).toBe(false);
  expect(guard.admits('s', body(''), isNone)).toBe(false);
  expect(guard.admits('s', body('debit'), isNone)).toBe(true);
});

test('signatures do not touch each other', () => {
  const guard = new ReplayGuard(10);
  guard.admits('s', body('debit'), isNone);
  expect(guard.admits('t', body('void'), isNone)).toBe(true);
});

test('the oldest signature is forgotten first, and never more than one for one', () => {
  const guard = new ReplayGuard(3);
  for (const signature of ['a', 'b', 'c', 'd']) guard.admits(signature, body('one'), isNone);
  for (const kept of ['b', 'c', 'd']) expect(guard.admits(kept, body('two'), isNone)).toBe(false);
  expect(guard.admits('a', body('two'), isNone)).toBe(true);
});

test('a flood of one signature with other bodies makes it forget nothing', () => {
  const guard = new ReplayGuard(2);
  guard.admits('a', body('one'), isNone);
  for (let at = 0; at < 100; at++) guard.admits('b', body(String(at)), isNone);
  expect(guard.admits('a', body('two'), isNone)).toBe(false);
});

test('a debit that was answered 5xx may be followed by its void with the same signature (D1.8, D7)', () => {
  const guard = new ReplayGuard(10);
  guard.admits('s', body('debit'), isNone);
  expect(guard.admits('s', body('void'), isVoid)).toBe(false);
  guard.awaitVoid('s');
  expect(guard.admits('s', body('void'), isVoid)).toBe(true);
  expect(guard.admits('s', body('void'), isVoid)).toBe(true);
  expect(guard.admits('s', body('credit'), isNone)).toBe(false);
});
