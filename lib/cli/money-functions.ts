import { type Command, Option } from 'commander';
import { isCurrency } from '../protocol/identifiers';
import { CommandFailure } from './terminal/failure';
import { decimalsFlag, schemaFlag } from './terminal/flags';
import { type AccountTable, idTypes, moneyFunctions, moneyTypes } from './own-tables-sql';

interface Flags {
  readonly table: string;
  readonly player: string;
  readonly playerType: AccountTable['playerType'];
  readonly balance: string;
  readonly balanceType: AccountTable['money'];
  readonly currency?: string;
  readonly currencyCode?: string;
  readonly operator?: string;
  readonly bonus?: string;
  readonly blocked?: string;
  readonly entries?: string;
  readonly decimals?: number;
  readonly schema?: string;
  readonly role?: string;
}

/** Adds `rgs-wallet money-functions`. */
export function addMoneyFunctions(program: Command): void {
  program
    .command('money-functions')
    .summary('print the two SQL functions for your own table of accounts')
    .description(
      'Prints accounts_of and move_money for createOwnTablesStore (docs/own-tables.md) over a plain table in PostgreSQL: one row for each player and currency. It connects to nothing. Read them, change them, and run them as the owner of the table, once rgs-wallet migrate has made the schema.',
    )
    .requiredOption('--table <schema.table>', 'the table of accounts')
    .requiredOption('--player <column>', "the player's id")
    .addOption(new Option('--player-type <type>', 'its type').choices(idTypes).default('text'))
    .option('--balance <column>', 'the real balance', 'balance')
    .addOption(
      new Option('--balance-type <type>', 'numeric: an amount; bigint: units of the store')
        .choices(moneyTypes)
        .default('numeric'),
    )
    .option('--currency <column>', 'the currency of the account (default: currency)')
    .addOption(
      new Option(
        '--currency-code <code>',
        'the one currency, of a table without such a column',
      ).conflicts('currency'),
    )
    .option('--operator <column>', 'the operator, of a table with several')
    .option('--bonus <column>', 'the bonus balance, of the same type')
    .option('--blocked <column>', 'a boolean: debits are refused')
    .option(
      '--entries <schema.table>',
      'a table that gets a row for each movement: the columns above, and kind, game_round, hash',
    )
    .option('--role <name>', "the wallet's database user, who gets EXECUTE")
    .addOption(decimalsFlag())
    .addOption(schemaFlag())
    .action((flags: Flags) => {
      process.stdout.write(moneyFunctions(tableOfFlags(flags)));
    });
}

/** @throws CommandFailure for an invalid name. */
function tableOfFlags(flags: Flags): AccountTable {
  const { operator, bonus, blocked, entries, role, currencyCode } = flags;
  if (currencyCode !== undefined && !isCurrency(currencyCode)) {
    throw new CommandFailure('--currency-code must be three capital letters');
  }
  const column = { column: named('currency', flags.currency ?? 'currency') };
  return {
    table: named('table', flags.table, tableOf),
    player: named('player', flags.player),
    playerType: flags.playerType,
    money: flags.balanceType,
    balance: named('balance', flags.balance),
    currency: currencyCode === undefined ? column : { code: currencyCode },
    ...(operator === undefined ? {} : { operator: named('operator', operator) }),
    ...(bonus === undefined ? {} : { bonus: named('bonus', bonus) }),
    ...(blocked === undefined ? {} : { blocked: named('blocked', blocked) }),
    ...(entries === undefined ? {} : { entries: named('entries', entries, tableOf) }),
    ...(role === undefined ? {} : { role: named('role', role) }),
    decimals: flags.decimals ?? 4,
    schema: named('schema', flags.schema ?? 'rgs_wallet'),
  };
}

function named(flag: string, text: string, read: (text: string) => string = nameOf): string {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const form = read === tableOf ? 'schema.table, both' : 'a name';
    throw new CommandFailure(`--${flag} must be ${form} of letters, digits and _`);
  }
}

/** Reserved words of PostgreSQL: names only in quotes. */
const reserved = new Set(
  `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column
  concurrently constraint create cross current_catalog current_date current_role current_schema current_time current_timestamp
  current_user default deferrable desc distinct do else end except false fetch for foreign freeze from full grant group having
  ilike in initially inner intersect into is isnull join lateral leading left like limit localtime localtimestamp natural not
  notnull null offset on only or order outer overlaps placing primary references returning right select session_user similar
  some symmetric system_user table tablesample then to trailing true union unique user using variadic verbose when where
  window with`.split(/\s+/),
);

/** A name as SQL has it, quoted only where it must be. @throws RangeError for an invalid name. */
function nameOf(text: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(text)) throw new RangeError(text);
  return /^[a-z_][a-z0-9_]*$/.test(text) && !reserved.has(text) ? text : `"${text}"`;
}

/** The name of a table with its schema. @throws RangeError for an invalid one. */
function tableOf(text: string): string {
  const parts = text.split('.');
  if (parts.length !== 2) throw new RangeError(text);
  return parts.map(nameOf).join('.');
}
