import { describe, expect, test } from '@jest/globals';

import { mayPass, wasNotExecuted } from '../../../../lib/operator/stores/postgres/client/port';

/** What a server or a connection says of a statement: whether it certainly did not happen, and may the next time. */
const table: readonly (readonly [string, object, boolean, boolean])[] = [
  ['a serialization failure', { severity: 'ERROR', code: '40001' }, true, true],
  ['the same in German', { severity: 'FEHLER', code: '40001' }, true, true],
  ['a deadlock', { severity: 'ERROR', code: '40P01' }, true, true],
  ['a lock that took too long', { severity: 'ERROR', code: '55P03' }, true, true],
  ['a statement that took too long', { severity: 'ERROR', code: '57014' }, true, true],
  ['a server that takes no writes', { severity: 'ERROR', code: '25006' }, true, true],
  ['a full disk', { severity: 'ERROR', code: '53100' }, true, true],
  ['a full disk in German', { severity: 'FEHLER', code: '53100' }, false, true],
  ['a function that is not there', { severity: 'ERROR', code: '42883' }, true, false],
  ['a statement that is not prepared', { severity: 'ERROR', code: '26000' }, true, false],
  ['the same in German', { severity: 'FEHLER', code: '26000' }, true, false],
  ['a session that an administrator ended', { severity: 'FATAL', code: '57P01' }, false, false],
  ['the same from a pooler', { severity: 'ERROR', code: '57P01' }, false, false],
  ['a crash of another session', { severity: 'FATAL', code: '57P02' }, false, false],
  ['a node that a coordinator lost', { severity: 'ERROR', code: '08006' }, false, false],
  ['an unknown completion', { severity: 'ERROR', code: '40003' }, false, false],
  ['a log that cannot be written', { severity: 'PANIC', code: '58030' }, false, false],
  ['a pooler that gave up', { severity: 'FATAL', code: '08P01' }, false, false],
  ['a connection that was reset', { code: 'ECONNRESET' }, false, false],
  ['a connection that ended', { message: 'Connection terminated unexpectedly' }, false, false],
];

describe('an error of PostgreSQL', () => {
  test.each(table)('such as %s: %j', (_, error, isUndone, passes) => {
    expect([wasNotExecuted(error), mayPass(error)]).toEqual([isUndone, passes]);
  });
});
