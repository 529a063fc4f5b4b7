import type { Command } from 'commander';
import { createOperatorHandler } from '../operator/http/handler';
import { amountText } from '../platform/html';
import { systemClock as clock, systemRandom as random } from '../platform';
import { createRequestSigner } from '../proof';
import { decimalsOfCalls, defaultDecimals, parseAmount } from '../protocol/money/amount';
import type { AccountStore } from '../operator/wallet';
import { DemoBooks, type Statement } from '../proof/demo/books';
import { DemoClient, moneyText } from '../proof/demo/client';
import { LossyLink } from '../proof/demo/link';
import { amountWords } from '../rgs/sandbox/wire/amounts';
import { scenes } from '../proof/demo/scenes';
import { createSilentStore, DemoSession } from '../proof/demo/session';
import { exitCodes, print, printJson } from './terminal/failure';
import { addStoreFlags, jsonFlag, type StoreFlags } from './terminal/flags';
import { createWalletService } from './serve/wallet-service';
import { EarlyLog } from './terminal/log';
import { playWholeRound } from './sandbox/whole-round';
import { keptAccounts, openToCommit } from './stores/open-store';

const operatorId = 'rgs-wallet-demo';
const currency = 'EUR';
/** On the wire: 1,000.00 EUR (E4.1). */
const startBalance = '100000';
/** Short, so that the scene of the silent store is short. */
const deadlineMs = 1_000;

interface DemoFlags extends StoreFlags {
  readonly json?: true;
}

/** Prints for a person: nothing with --json. */
type Print = (line: string) => void;

/** Adds `rgs-wallet demo`. */
export function addDemo(program: Command): void {
  const command = program
    .command('demo')
    .summary('play rounds against a wallet, then close the books')
    .description(
      'Starts a wallet on a free port of this machine, plays signed rounds against it over HTTP, with a lost reply, an early void, a declined debit, a stranded credit, a free play, a silent store and a win that is voided with its debit, and closes the books. Then a remote game server and a game play one round against the same wallet, and the books of all three are compared. Exits with 1 if any do not balance. Each run uses a new player.',
    );
  addStoreFlags(command)
    .addOption(jsonFlag())
    .action((flags: DemoFlags) => demo(flags));
}

async function demo({ json, ...flags }: DemoFlags): Promise<void> {
  const say: Print = json ? () => {} : print;
  const log = new EarlyLog();
  const opened = await openToCommit(withUnit(flags), log);
  const { address } = opened;
  const store = await keptAccounts(opened, 'the demo cannot open its players there');
  const { dangers } = log;
  for (const danger of dangers) say(`Warning: ${danger}`);
  try {
    const played = await play(store, address, say);
    if (!played.agree) process.exitCode = exitCodes.wrong;
    if (json) printJson({ store: address, dangers, ...played });
  } finally {
    await store.close();
  }
}

/** The unit of the RGS that plays, unless a flag sets it, or a store that may have one. */
function withUnit(flags: StoreFlags): StoreFlags {
  const { store, decimals = defaultDecimals } = flags;
  return store === 'memory:' && decimals >= 2 ? { unit: '1/100', ...flags } : flags;
}

/**
 * Starts the wallet, plays all scenes, closes the books, and ends with one round from a game to this wallet.
 * @returns What a program needs of it; amounts are decimal texts of the currency.
 */
async function play(store: AccountStore, address: string, say: Print): Promise<Played> {
  const decimals = decimalsOfCalls(store);
  const playerId = `demo-${random.bytes(6).toString('hex')}`;
  const secret = random.bytes(32).toString('base64url');
  const opened = await store.players.openPlayer({
    operatorId,
    playerId,
    currency,
    balances: { real: { units: parseAmount(startBalance, decimals) ?? 0n } },
  });
  if (opened.kind === 'unknown') throw opened.cause;
  const silent = createSilentStore(store);
  const operators = [{ operatorId, secrets: [secret] }];
  const handler = createOperatorHandler({ store: silent.store, operators, deadlineMs });
  const service = createWalletService({ handler, store });
  const port = await service.listen(0, '127.0.0.1');
  const link = await LossyLink.to(port);
  const signer = createRequestSigner({ operatorId, secret, now: risingClock() });
  const client = new DemoClient(signer, link.port, decimals, clock);
  const player = { operatorId, playerId, currency };
  const books = new DemoBooks(player, opened.account.real, decimals);
  say(`A wallet on http://127.0.0.1:${port}, its store ${address}.`);
  say(
    `Amounts on the wire${store.unit === '1/100' ? '' : ', and so in the store,'} are in 1/100 of the currency: 100 is 1.00 EUR.`,
  );
  say(`Player ${playerId} starts with ${amountWords(startBalance, currency)}.`);
  try {
    const session = new DemoSession({
      ...player,
      client,
      link,
      silent,
      store,
      books,
      clock,
      random,
      print: say,
    });
    for (const scene of scenes) await scene(session);
    const { balance } = await client.getBalance(playerId, currency);
    const statement = await books.close(store, balance);
    printBooks(statement, decimals, say);
    say('\nOne round all the way, from the casino and its game to the wallet');
    const walletUrl = `http://127.0.0.1:${port}`;
    const wholeRound = await playWholeRound({ ...player, walletUrl, secret, print: say });
    const agree = statement.faults.length === 0 && wholeRound.agree;
    return { agree, playerId, currency, ...jsonOf(statement, decimals), wholeRound };
  } finally {
    link.close();
    await service.close(new Promise(() => {}));
    await handler.close();
  }
}

/** What `--json` prints of the demo. */
interface Played {
  /** Whether all books do. */
  readonly agree: boolean;
  readonly [fact: string]: unknown;
}

function jsonOf(statement: Statement, decimals: number): object {
  const text = (units: bigint | null) => (units === null ? null : moneyText(units, decimals));
  const { start, byAnswers, byGetBalance, byAccount, byRounds, faults } = statement;
  const entries = statement.entries.map(({ scene, gameRound, type, amount, effect, note }) => {
    return { scene, gameRound, type, amount: text(amount), effect: text(effect), note };
  });
  const end = {
    byAnswers: text(byAnswers),
    byGetBalance: text(byGetBalance),
    byAccount: text(byAccount),
    byRounds: text(byRounds),
  };
  return { start: text(start), entries, end, faults };
}

/** Prints the books: the start, every movement with its effect, the end, and whose figures agree. */
function printBooks(statement: Statement, decimals: number, say: Print): void {
  const { start, entries, byAnswers, byGetBalance, byAccount, byRounds, faults } = statement;
  const show = (units: bigint | null, sign: 'always' | 'minus' = 'minus') =>
    units === null ? '?' : amountText(moneyText(units, decimals), currency, sign);
  say(`\nThe books, in ${currency}`);
  say(row('start', '', show(start)));
  for (const { scene, type, amount, effect, note } of entries) {
    say(row(`${scene}. ${type} ${show(amount)}`, note, show(effect, 'always')));
  }
  say(row('end', 'by the answers', show(byAnswers)));
  say(row('', 'by getBalance', show(byGetBalance)));
  say(row('', "the store's account", show(byAccount)));
  say(row('', "the store's rounds", show(byRounds)));
  for (const fault of faults) say(`   ${fault}`);
  say(faults.length === 0 ? '\nThe books balance.' : '\nThe books do NOT balance.');
}

function row(label: string, note: string, amount: string): string {
  return `   ${label.padEnd(20)}${note.padEnd(20)}${amount.padStart(10)}`;
}

/** Never returns the same time twice: a signature does not cover everything (D1.8). */
function risingClock(): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, clock.now());
    return last;
  };
}
