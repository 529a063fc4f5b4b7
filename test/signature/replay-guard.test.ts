import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { ReplayGuard } from '../../lib/signature';

/** A signature as a request bears it, by a name. */
const signature = (name: string) => createHash('sha256').update(name).digest('base64');
const body = (text: string) => Buffer.from(text);
const isVoid = () => true;
const isNone = () => false;

test('a signature carries the body it was first seen with, again and again (D1.8)', () => {
  const guard = new ReplayGuard(10);
  expect(guard.admits(signature('s'), body('debit'), isNone)).toBe(true);
  expect(guard.admits(signature('s'), body('debit'), isNone)).toBe(true);
});

test('a signature seen with another body is refused, by a single byte too (D1.8)', () => {
  const guard = new ReplayGuard(10);
  guard.admits(signature('s'), body('debit'), isNone);
  expect(guard.admits(signature('s'), body('void'), isNone)).toBe(false);
  expect(guard.admits(signature('s'), body('debit '), isNone)).toBe(false);
  expect(guard.admits(signature('s'), body(''), isNone)).toBe(false);
  expect(guard.admits(signature('s'), body('debit'), isNone)).toBe(true);
});

test('signatures do not touch each other', () => {
  const guard = new ReplayGuard(10);
  guard.admits(signature('s'), body('debit'), isNone);
  expect(guard.admits(signature('t'), body('void'), isNone)).toBe(true);
});

test('the oldest signature is forgotten first, and never more than one for one', () => {
  const guard = new ReplayGuard(3);
  for (const name of ['a', 'b', 'c', 'd']) guard.admits(signature(name), body('one'), isNone);
  for (const kept of ['b', 'c', 'd'])
    expect(guard.admits(signature(kept), body('two'), isNone)).toBe(false);
  expect(guard.admits(signature('a'), body('two'), isNone)).toBe(true);
});

test('a flood of one signature with other bodies makes it forget nothing', () => {
  const guard = new ReplayGuard(2);
  guard.admits(signature('a'), body('one'), isNone);
  for (let at = 0; at < 100; at++) guard.admits(signature('b'), body(String(at)), isNone);
  expect(guard.admits(signature('a'), body('two'), isNone)).toBe(false);
});

test('a debit that was answered 5xx may be followed by its void with the same signature (D1.8, D7)', () => {
  const guard = new ReplayGuard(10);
  guard.admits(signature('s'), body('debit'), isNone);
  expect(guard.admits(signature('s'), body('void'), isVoid)).toBe(false);
  guard.awaitVoid(signature('s'));
  expect(guard.admits(signature('s'), body('void'), isVoid)).toBe(true);
  expect(guard.admits(signature('s'), body('void'), isVoid)).toBe(true);
  expect(guard.admits(signature('s'), body('credit'), isNone)).toBe(false);
});
