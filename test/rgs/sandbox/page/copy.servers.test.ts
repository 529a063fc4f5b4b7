import { execFileSync, spawnSync } from 'node:child_process';

import { describe, expect, test } from '@jest/globals';

import { curlOf, testOf } from '../../../../lib/rgs/sandbox/page/copy';
import { readForm } from '../../../../lib/rgs/sandbox/page/form';
import { wireCall } from './fixture';

describe('a call that is copied', () => {
  test('as curl it has the bytes of the body and the headers, but none of the connection', () => {
    const line = curlOf(wireCall()).replace(/^curl/, 'printf "%s\\n"');
    const parts = execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' }).split('\n');
    expect(parts).toContain(`{"token":"…abcd","note":"it's"}`);
    expect(parts).toContain('x-h-auth-id: studio-1');
    expect(parts).toContain('http://127.0.0.1:8090/gameapi/v2/startGameRound');
    expect(parts.join('\n')).not.toContain('content-length');
  });

  test('as a test it is a program that expects the status it had', () => {
    const text = testOf(wireCall({ status: 400 }));
    const checked = spawnSync(process.execPath, ['--check', '-'], { input: text });
    expect(checked.status).toBe(0);
    expect(text).toContain('toBe(400)');
  });
});

function read(name: string, fields: Record<string, string>): ReturnType<typeof readForm> {
  return readForm(name, new URLSearchParams(fields));
}

describe('a form', () => {
  test('is an action of the API, with its numbers as numbers and without empty fields', () => {
    expect(
      read('faults', { line: 'rgs-wallet', call: '', kind: 'cut', next: '3' })?.action,
    ).toEqual({
      method: 'POST',
      path: 'faults',
      body: { line: 'rgs-wallet', kind: 'cut', next: 3 },
    });
  });

  test('with a probability has no number of next calls', () => {
    const action = read('faults', { kind: 'cut', next: '1', probability: '0.5' })?.action;
    expect(action?.body).toEqual({ kind: 'cut', probability: 0.5 });
  });

  test('that is not known cannot be copied', () => {
    expect(read('constructor', {})).toBeNull();
  });
});
