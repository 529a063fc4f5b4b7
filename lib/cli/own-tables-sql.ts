/** Types of the column with a player's id. */
export const idTypes = ['text', 'uuid', 'bigint'] as const;
/** Types of the columns with money: `bigint` counts units, `numeric` has the amount. */
export const moneyTypes = ['numeric', 'bigint'] as const;

/** A plain table of accounts: one row for each player and currency. All names as SQL has them. */
export interface AccountTable {
  /** With its schema. */
  readonly table: string;
  readonly player: string;
  readonly playerType: (typeof idTypes)[number];
  readonly money: (typeof moneyTypes)[number];
  readonly balance: string;
  /** The column of the currency; or the one currency that all accounts are in. */
  readonly currency: { readonly column: string } | { readonly code: string };
  /** Absent: players are unique, whatever the operator. */
  readonly operator?: string;
  /** Absent: no bonus money. */
  readonly bonus?: string;
  /** Whether debits are refused; absent: no player is blocked. */
  readonly blocked?: string;
  /** A table with a row for each movement; absent: none is written. */
  readonly entries?: string;
  readonly decimals: number;
  /** The schema of the store. */
  readonly schema: string;
  /** The wallet's database user, who gets EXECUTE. */
  readonly role?: string;
}

/** The two functions over a table, as SQL that a person reads and changes. */
export function moneyFunctions(table: AccountTable): string {
  const accounts = `${table.schema}.accounts_of`;
  const move = `${table.schema}.move_money`;
  return [
    heading(table),
    accountsOf(table, accounts),
    moveMoney(table, move),
    rights(table, [accounts, move]),
  ].join('\n');
}

function heading({ money, decimals, entries, table }: AccountTable): string {
  const unit = money === 'bigint' ? `1 of the column` : `10^-${decimals}`;
  const rows =
    entries === undefined ? '' : `-- ${entries}: made for this, change it to what you have.\n`;
  return `-- Money in ${table}, moved by the wallet: createOwnTablesStore with decimals ${decimals}. One unit is ${unit}.
-- Printed once by rgs-wallet money-functions; from here on they are yours to read, change and keep. Run the contract suites of
-- rgs-wallet-kit/testing over them after every change.
${rows}`;
}

/** The player's id in the column's type; null for other text: an unknown player. */
function idOf({ playerType }: AccountTable, text: string): string {
  switch (playerType) {
    case 'uuid':
      return `CASE WHEN ${text} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN ${text}::uuid END`;
    case 'bigint':
      return `CASE WHEN ${text} ~ '^(0|-?[1-9][0-9]{0,17})$' THEN ${text}::bigint END`;
    default:
      return text;
  }
}

/** A column of money in units. */
function unitsOf({ money, decimals }: AccountTable, column: string): string {
  return money === 'bigint' ? column : `floor(${column} * ${10n ** BigInt(decimals)})::bigint`;
}

/** Units as the column has them. */
function amountOf({ money, decimals }: AccountTable, units: string): string {
  if (money === 'bigint' || decimals === 0) return units;
  return `${units} * 0.${'1'.padStart(decimals, '0')}`;
}

function accountsOf(table: AccountTable, name: string): string {
  const { currency, operator, bonus } = table;
  const code = 'column' in currency ? `w.${currency.column}::text` : `'${currency.code}'::text`;
  const held = bonus === undefined ? 'NULL::bigint' : unitsOf(table, `w.${bonus}`);
  const ofOperator = operator === undefined ? '' : ` AND w.${operator} = of_operator`;
  // In plpgsql, since a function in sql with its own rights is planned at every call.
  return `CREATE FUNCTION ${name}(of_operator text, of_player text)
RETURNS TABLE (currency text, real_units bigint, bonus_units bigint) LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT ${code}, ${unitsOf(table, `w.${table.balance}`)}, ${held}
    FROM ${table.table} w WHERE w.${table.player} = ${idOf(table, 'of_player')}${ofOperator};
END $$;
`;
}

function moveMoney(table: AccountTable, name: string): string {
  const { blocked, player, schema } = table;
  const { account, missing } = whereOf(table);
  const isBlocked = blocked === undefined ? '' : `\n      WHEN w.${blocked} THEN 'blocked'`;
  return `CREATE FUNCTION ${name}(
  m ${schema}.movement, OUT refusal text, OUT real_units bigint, OUT bonus_units bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  w ${table.table};
  of_id CONSTANT ${table.playerType} := ${idOf(table, 'm.player_id')};
  real_before bigint;
  bonus_before bigint;
${amountVariables(table)}  rows_moved bigint;
BEGIN
  -- What a win or a reversal moves is given, below zero where it takes back, and it is never refused.
  real_units := m.real;
  bonus_units := m.bonus;
  IF m.kind = 'take' THEN
    -- The lock comes first: nobody else moves this money until the commit is over.
    SELECT a.* INTO w FROM ${table.table} a WHERE ${account} FOR NO KEY UPDATE;
    -- A balance below zero pays nothing. One pays what it has, the other the rest.
    real_before := greatest(${unitsOf(table, `w.${table.balance}`)}, 0);
    bonus_before := ${bonusBefore(table)};
    bonus_units := CASE WHEN m.bonus_first THEN -least(bonus_before, m.real) ELSE least(real_before - m.real, 0) END;
    real_units := -m.real - bonus_units;
    -- Every rule comes before the first write. Add your own here, as 'refused'.
    refusal := CASE
      WHEN w.${player} IS NULL THEN NULL -- no such account: answered by the last lines${isBlocked}
      WHEN real_before < -real_units OR bonus_before < -bonus_units THEN 'tooLow'
    END;
    IF refusal IS NOT NULL THEN RETURN; END IF;
  END IF;
${exactly(table)}${writing(table, account)}  IF rows_moved > 1 THEN
    RAISE EXCEPTION '${table.table} has % rows of a player in a currency, not one', rows_moved;
  ELSIF rows_moved = 0 AND EXISTS (SELECT FROM ${table.table} a WHERE ${account}) THEN
    RAISE EXCEPTION 'the row of the player in ${table.table} was not changed: by a trigger?';
  ELSIF rows_moved = 0 THEN
    refusal := ${missing};
  END IF;
END $$;
`;
}

/** A balance column, the variable of what is added to it, and the units of that. */
function amountsOf({ money, decimals, balance, bonus }: AccountTable) {
  if (money === 'bigint' || decimals === 0) return [];
  const real = { column: balance, variable: 'real_amount', units: 'real_units' };
  if (bonus === undefined) return [real];
  return [real, { column: bonus, variable: 'bonus_amount', units: 'bonus_units' }];
}

/** Of the columns' own types, so that an assignment rounds as the columns do. */
function amountVariables(table: AccountTable): string {
  return amountsOf(table)
    .map(({ column, variable }) => `  ${variable} ${table.table}.${column}%TYPE;\n`)
    .join('');
}

/** Ends the call as unknown where a column has fewer decimals than an amount. */
function exactly(table: AccountTable): string {
  const amounts = amountsOf(table);
  if (amounts.length === 0) return '';
  const lines = amounts.map(
    ({ variable, units }) => `  ${variable} := ${amountOf(table, units)};
  IF ${variable} <> ${amountOf(table, units)} THEN
    RAISE EXCEPTION '${table.table} cannot hold % exactly: the wallet has ${table.decimals} decimals', ${amountOf(table, units)};
  END IF;
`,
  );
  return `  -- A column with fewer decimals than the wallet would round: then nothing moves.\n${lines.join('')}`;
}

/** How the player's account is found, and what is said where it is not. */
function whereOf({ currency, operator, player, table }: AccountTable) {
  const ofOperator = operator === undefined ? '' : ` AND a.${operator} = m.operator_id`;
  const ofPlayer = `a.${player} = of_id${ofOperator}`;
  const inCurrency =
    'column' in currency ? `a.${currency.column} = m.currency` : `m.currency = '${currency.code}'`;
  return {
    account: `${ofPlayer} AND ${inCurrency}`,
    missing: `CASE WHEN EXISTS (SELECT FROM ${table} a WHERE ${ofPlayer}) THEN 'noCurrency' ELSE 'noPlayer' END`,
  };
}

function bonusBefore(table: AccountTable): string {
  const { bonus } = table;
  return bonus === undefined ? '0' : `greatest(coalesce(${unitsOf(table, `w.${bonus}`)}, 0), 0)`;
}

function assignments(table: AccountTable): string {
  const { balance, bonus } = table;
  const real = `${balance} = a.${balance} + ${amountOf(table, 'real_units')}`;
  if (bonus === undefined) return real;
  return `${real},
      ${bonus} = CASE WHEN bonus_units = 0 THEN a.${bonus} ELSE coalesce(a.${bonus}, 0) + ${amountOf(table, 'bonus_units')} END`;
}

/** The balances, and the platform's own row with every bet, win and reversal. */
function writing(table: AccountTable, account: string): string {
  const { entries, currency, operator, bonus } = table;
  const update = `UPDATE ${table.table} a SET ${assignments(table)}`;
  if (entries === undefined) {
    return `  ${update}
    WHERE ${account};
  GET DIAGNOSTICS rows_moved = ROW_COUNT;
`;
  }
  const pairs: readonly (readonly [string, string])[] = [
    ...(operator === undefined ? [] : [[operator, 'm.operator_id'] as const]),
    [table.player, 'of_id'],
    ...('column' in currency ? [[currency.column, 'm.currency'] as const] : []),
    ['kind', 'm.kind'],
    [table.balance, amountOf(table, 'real_units')],
    ...(bonus === undefined ? [] : [[bonus, amountOf(table, 'bonus_units')] as const]),
    ['game_round', 'm.game_round'],
    ['hash', 'm.hash'],
  ];
  return `  -- One statement: the balance and its entry, or neither.
  WITH moved AS (
    ${update}
      WHERE ${account} RETURNING a.${table.player}
  ), entered AS (
    INSERT INTO ${entries} (${pairs.map(([column]) => column).join(', ')})
      SELECT ${pairs.map(([, value]) => value).join(', ')} FROM moved
  )
  SELECT count(*) INTO rows_moved FROM moved; -- not of the entries: a trigger may keep them elsewhere
`;
}

/** PostgreSQL lets every role execute a function unless the right is revoked. */
function rights({ role }: AccountTable, functions: readonly string[]): string {
  const list = functions.join(', ');
  const granted = role === undefined ? '' : `GRANT EXECUTE ON FUNCTION ${list} TO ${role};\n`;
  return `REVOKE ALL ON FUNCTION ${list} FROM PUBLIC;
${granted}`;
}
