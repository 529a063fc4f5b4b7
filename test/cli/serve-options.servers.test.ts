import { describe, expect, test } from '@jest/globals';

import { until } from '../servers/until';
import {
  debitCall,
  type Environment,
  OPERATOR,
  runCli,
  type Service,
  signer,
  startService,
  temporaryFile,
} from './cli';
import { cleanupAfterEach } from '../support/each-test';

const cleanup = cleanupAfterEach();
const playerId = 'ann';

/** A service with a player who has 10.00 in real money and 4.00 as a bonus; it is stopped after the test. */
async function serve(args: readonly string[], env: Environment = {}): Promise<Service> {
  const balances = { real: '10.00', bonus: '4.00' };
  const players = await temporaryFile('p.json', [{ playerId, currency: 'EUR', balances }]);
  const service = await startService(['--players', players, ...args], { ...OPERATOR, ...env });
  return cleanup.after(service);
}

/** A call that credits a round. */
function creditCall(gameRound: string, amount: number) {
  const transaction = { type: 'credit', hash: `${gameRound}-credit`, amount, currency: 'EUR' };
  const transactions = [transaction];
  const names = { playerId, gameCode: 'bells', gameRound };
  return signer.doTransactions({ ...names, transactions, transactionCount: 1 });
}

/** The balances in an answer, by their type. */
function balancesOf(text: string): Record<string, number> {
  const { balances } = JSON.parse(text) as { balances: { type: string; amount: number }[] };
  return Object.fromEntries(balances.map(({ type, amount }) => [type.toLowerCase(), amount]));
}

/** A flag, and the same as a variable. */
function bothWays(flag: string, name: string, value: string): [string, string[], Environment][] {
  return [
    [flag, [flag, value], {}],
    [name, [], { [name]: value }],
  ];
}

describe('variables', () => {
  test('that are empty count as not set, and a switch that is 0 too, whichever flag they are of', async () => {
    const empty = { SHED: '', MAX_IN_FLIGHT: '', TRACER_FILE: '', WALLET_HISTORY: '' };
    // Without totals it is refused where it is set.
    const service = await serve([], { ...empty, WALLET_ROUND_LOOKUP: '0' });
    expect((await service.call(debitCall(playerId, 'r1', { amount: 6 }))).status).toBe(200);
  });

  test.each(['WALLET_INIT', 'LOG_TRANSACTIONS'])(
    'that are switches are 1 or 0: %s is refused with anything else',
    async (name) => {
      expect(await runCli(['serve'], { env: { ...OPERATOR, [name]: 'yes' } })).toMatchObject({
        code: 2,
        stderr: `error: ${name} must be 1 or 0\n`,
      });
    },
  );
});

describe('who pays first, and where credits go', () => {
  test('a debit is paid by the bonus first, and a credit goes to the real balance', async () => {
    const service = await serve([]);
    const debited = await service.call(debitCall(playerId, 'r1', { amount: 6 }));
    expect(balancesOf(debited.text)).toEqual({ real: 8, bonus: 0 });
    const credited = await service.call(creditCall('r1', 3));
    expect(balancesOf(credited.text)).toEqual({ real: 11, bonus: 0 });
  });

  test.each(bothWays('--use-bonus-first', 'USE_BONUS_FIRST', 'false'))(
    '%s false lets the real balance pay first',
    async (_, args, env) => {
      const service = await serve(args, env);
      const { text } = await service.call(debitCall(playerId, 'r1', { amount: 6 }));
      expect(balancesOf(text)).toEqual({ real: 4, bonus: 4 });
    },
  );

  test.each(bothWays('--credit-to', 'CREDIT_TO', 'stakeShares'))(
    '%s stakeShares splits a credit as the debits were paid',
    async (_, args, env) => {
      const service = await serve(args, env);
      await service.call(debitCall(playerId, 'r1', { amount: 6 }));
      const { text } = await service.call(creditCall('r1', 3));
      expect(balancesOf(text)).toEqual({ real: 9, bonus: 2 });
    },
  );
});

describe('error ids and texts', () => {
  test.each(['--errors', 'ERRORS_FILE'])('%s names a file of your own', async (name) => {
    const file = await temporaryFile('errors.json', {
      BALANCETOOLOW: { id: 4711, clientmsg: 'Not enough money.' },
    });
    const isFlag = name.startsWith('-');
    const service = await serve(isFlag ? [name, file] : [], isFlag ? {} : { [name]: file });
    const { status, text } = await service.call(debitCall(playerId, 'r1', { amount: 99 }));
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      errorCode: { id: 4711, msg: 'The balance is too low.', clientmsg: 'Not enough money.' },
    });
  });

  test.each<[string, unknown, string]>([
    ['an id that is a text', { BALANCETOOLOW: { id: '7' } }, ': BALANCETOOLOW/id must be integer'],
    ['a list', [], ': it must be object'],
    ['an unknown code', { BALANCETOLOW: { id: 7 } }, ': it has an unknown code; the codes are '],
  ])('%s is refused with the name of the file', async (_, content, line) => {
    const file = await temporaryFile('errors.json', content);
    const result = await runCli(['serve', '--errors', file], { env: OPERATOR });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr.startsWith(`error: ${file}${line}`)).toBe(true);
    expect(result.stderr).toMatch(/^[^\n]+\n$/);
  });
});

describe('calls in flight', () => {
  const ledger = `export default {
    debit: () => { process.stderr.write('asked'); return new Promise(() => {}); },
    credit: () => new Promise(() => {}),
    reverse: async () => ({ kind: 'done' }),
    balances: async () => [],
  };`;

  test.each(bothWays('--max-in-flight', 'MAX_IN_FLIGHT', '1'))(
    '%s 1 sheds a second call while the first waits for the ledger',
    async (_, args, env) => {
      const file = await temporaryFile('ledger.mjs', ledger);
      const memory = ['--accept-loss', '--ledger', file, '--grace-ms', '0', ...args];
      const service = await startService(memory, { ...OPERATOR, ...env });
      cleanup.after(service);
      const first = service.call(debitCall(playerId, 'r1')).catch(() => null);
      await until('the ledger is asked', () => service.output().includes('asked'));
      const { status, text } = await service.call(debitCall(playerId, 'r2'));
      expect(status).toBe(503);
      expect(text).toContain('"id":9007');
      await until('the line that it was shed', () => service.output().includes('was shed'));
      await service.stop();
      await first;
    },
  );
});

describe('a service that nobody watches', () => {
  const { WALLET_STORE: _, ...operator } = OPERATOR;

  test.each<[string, Environment]>([
    ['without a store', {}],
    ['with a variable that is empty', { WALLET_STORE: '' }],
    ['in production', { NODE_ENV: 'production' }],
  ])(
    'does not keep money in memory unasked: %s it ends with 2 and one line',
    async (_name, env) => {
      const result = await runCli(['serve', '--port', '0'], { env: { ...operator, ...env } });
      expect(result).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'error: No store: name one with --store or WALLET_STORE, such as postgres://... or redis://...; memory: keeps the money in this process and forgets it when the process ends\n',
      });
    },
  );

  test('keeps it in memory where the flag says so, in production too', async () => {
    const args = ['--store', 'memory:'];
    const service = await startService(args, { ...operator, NODE_ENV: 'production' });
    cleanup.after(service);
    await service.line('the memory store forgets');
  });
});
