import { describe, expect, test } from '@jest/globals';

import { Pool } from 'pg';

import type { Transaction } from '../../lib/protocol/operator-api/transaction';
import { createLedgerStore, type LedgerStore } from '../../lib/operator/ledger';
import { createPostgresStore } from '../../lib/operator/stores/postgres';
import { doTransactions, type Ledger, type RoundJournal } from '../../lib/operator/wallet';
import { systemClock } from '../../lib/platform';
import { exampleLedgerFile } from '../operator/ledger/ledger-file';
import { openPostgresLedger, type PostgresLedger } from '../servers/postgres/ledger';
import { startPostgres } from '../servers/postgres/server';
import { until } from '../servers/until';
import {
  debitCall,
  type Environment,
  OPERATOR,
  OPERATOR_ID,
  type Service,
  signer,
  startService,
} from './cli';
import { unsignedDelivery } from '../../lib/operator/gameround';
import { patience } from '../support/patience';
import { cleanupAfterEach, serverOfFile } from '../support/each-test';

const cleanup = cleanupAfterEach();
const server = serverOfFile(startPostgres);

/** A service that is stopped after the test. */
async function serve(args: readonly string[], env: Environment = {}): Promise<Service> {
  const service = await startService(args, { ...OPERATOR, ...env });
  return cleanup.after(service);
}

/** The platform's own tables with ann in them, who has 100.00, and an empty database for rounds. */
class Platform {
  private constructor(
    readonly money: PostgresLedger,
    readonly journalUrl: string,
    private readonly file: string,
  ) {}

  static async open(): Promise<Platform> {
    const money = cleanup.after(await openPostgresLedger(server()));
    await money.players.openPlayer({
      operatorId: OPERATOR_ID,
      playerId: 'ann',
      currency: 'EUR',
      balances: { real: { units: 10_000n } },
    });
    return new Platform(money, await server().createDatabase(), await exampleLedgerFile());
  }

  serve(...args: readonly string[]): Promise<Service> {
    const where = ['--store', this.journalUrl, '--ledger', this.file, '--decimals', '2'];
    const url = this.money.pool.options.connectionString ?? '';
    return serve([...where, ...args], { LEDGER_DATABASE: url });
  }

  openJournal(): RoundJournal {
    const journal = createPostgresStore({
      ...patience,
      url: this.journalUrl,
      decimals: 2,
      init: true,
    });
    return cleanup.after(journal);
  }

  /** Ann's balance in the platform's table, in cents. */
  async balance(): Promise<number> {
    const { rows } = await this.money.pool.query<{ balance: string }>(
      'SELECT balance FROM accounts',
    );
    return Number(rows[0]?.balance);
  }
}

describe('serve with a ledger', () => {
  test('plays a round whose money moves in the table of the platform, and not in the store', async () => {
    const platform = await Platform.open();
    const service = await platform.serve('--init');
    expect(service.lines[0]).toMatchObject({ store: 'postgres', ledger: expect.any(String) });
    expect(await service.call(debitCall('ann', 'r-1'))).toMatchObject({
      status: 200,
      text: '{"balances":[{"type":"real","amount":90,"currency":"EUR"}],"hashesProcessed":[{"hash":"r-1"}]}',
    });
    expect(await platform.balance()).toBe(9000);
    expect(
      await service.call(
        callOf('r-1', { type: 'credit', hash: 'w-1', amount: 25.5, currency: 'EUR' }),
      ),
    ).toMatchObject({ status: 200 });
    expect(await platform.balance()).toBe(11_550);
    const { text } = await service.call(signer.getBalance({ playerId: 'ann', currency: 'EUR' }));
    expect(text).toContain('"amount":115.5,');
    expect(await storeRows(platform.journalUrl)).toEqual({
      accounts: '0',
      rounds: '1',
    });
  });

  test('declines a debit that the ledger refuses', async () => {
    const platform = await Platform.open();
    const service = await platform.serve('--init');
    const { status } = await service.call(debitCall('ann', 'r-1', { amount: 100.01 }));
    expect(status).toBe(400);
    expect(await platform.balance()).toBe(10_000);
  });

  test('finishes what another process left: pays its credits, gives up its debits', async () => {
    const platform = await Platform.open();
    const journal = platform.openJournal();
    await journal.ready();
    const { ledger } = platform.money;
    const sound = createLedgerStore({ ledger, journal });
    const faulty = createLedgerStore({
      ledger: dying(ledger),
      journal,
      clock: aMinuteAgo,
      attempts: 1,
    });
    await play(sound, 'r-1', debitOf('r-1'));
    await play(faulty, 'r-1', {
      type: 'credit',
      hash: 'w-1',
      currency: 'EUR',
      amount: 7n,
      serial: null,
    });
    await play(faulty, 'r-2', debitOf('r-2'));
    expect(await platform.balance()).toBe(10_000 - 10 - 10);

    const service = await platform.serve();
    await until('the credit to be paid', async () => (await platform.balance()) === 9980 + 7);
    const given = await until('the debit to be given up', async () => {
      for await (const round of journal.lists.attention(OPERATOR_ID)) return round;
      return null;
    });
    expect(given).toMatchObject({ gameRound: 'r-2', state: 'cancelled' });
    expect(await service.call(callOf('r-2', { type: 'void', hash: 'r-2' }))).toMatchObject({
      status: 200,
    });
    expect(await platform.balance()).toBe(10_000 - 10 + 7);
  });
});

/** A ledger whose process dies with each posting: before a credit is paid, after a debit is taken. */
function dying(ledger: Ledger): Ledger {
  return {
    ...ledger,
    debit: async (posting, signal) => {
      await ledger.debit(posting, signal);
      throw new Error('The reply is lost.');
    },
    credit: () => Promise.reject(new Error('The ledger is away.')),
  };
}

/** The clock of a process that is long gone. */
const aMinuteAgo = { ...systemClock, now: () => Date.now() - 60_000 };

async function play(
  store: LedgerStore,
  gameRound: string,
  transaction: Transaction,
): Promise<void> {
  await doTransactions(
    { operatorId: OPERATOR_ID, playerId: 'ann', gameRound },
    { playerId: 'ann', gameRound, gameCode: 'bells', transactions: [transaction] },
    unsignedDelivery('d'),
    {
      rounds: store.rounds,
      clock: systemClock,
      deadlineMs: 1000,
      policy: { useBonusFirst: true, creditTo: 'real' },
    },
  );
}

function debitOf(hash: string): Transaction {
  const terms = { currency: 'EUR', amount: 10n, discount: 0n, isFirstDebit: true, serial: null };
  return { type: 'debit', hash, ...terms };
}

function callOf(
  gameRound: string,
  transaction: { type: string; hash: string; [field: string]: string | number },
) {
  return signer.doTransactions({
    playerId: 'ann',
    gameCode: 'bells',
    gameRound,
    transactionCount: 1,
    transactions: [transaction],
  });
}

/** How many rows the store has where players' money would be, and of rounds. */
async function storeRows(url: string): Promise<unknown> {
  const pool = new Pool({ connectionString: url });
  try {
    const { rows } = await pool.query(
      `SELECT (SELECT count(*) FROM rgs_wallet.accounts) AS accounts,
         (SELECT count(*) FROM rgs_wallet.rounds) AS rounds`,
    );
    return rows[0];
  } finally {
    await pool.end();
  }
}
