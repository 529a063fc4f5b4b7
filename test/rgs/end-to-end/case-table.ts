/** One case of a table: what happens, and what everybody's books must then say. */
export interface Case {
  /** The sentence that it proves, and the rules that it rests on. */
  readonly name: string;
  readonly steps: readonly Step[];
  /** The calls to doTransactions. */
  readonly wallet: string;
  /** What the player's balance changed by, in units. */
  readonly change: bigint;
  /** Units that the provider granted, and the wallet refused for good. */
  readonly refused: bigint;
  /** The states of the player's rounds, in the order of their starts. */
  readonly states: string;
}

/** What somebody does, or a fault that is set. */
export interface Step {
  readonly text: string;
  /** Null for a step that nobody answers. */
  readonly answer: string | null;
}

/**
 * Reads a table. A case is a block of lines:
 *
 *     the sentence that it proves (E6, W2)
 *       fault rgs-wallet doTransactions 503 next 6
 *       start 100 -> open 100/0/0
 *       win 250 collect -> closed 100/0/0 pending 250
 *       = wallet [debit 100] [credit 250, end]+ | balance +150 | rounds closed
 *
 * Every player begins with 10,000 units and a session of the game bells.
 *
 * A step is one of these; words in brackets may be left out:
 * - the game: `start AMOUNT`, `bet AMOUNT` (startGameOrAddBet), `win AMOUNT [collect]`, `wager AMOUNT to OUTCOME`,
 *   `spins award N use N`, `collect [AMOUNT]`, `end`, `void`, `recover`, and queries such as `info` or `balance`;
 *   `@ b` is the player's round b, without it round a; `as KEY` gives the transaction id, `draw KEY` the rngCallId;
 *   `old` calls with the token before the latest; `once` calls without a round object, which would recover.
 * - the operator and the browser: `launch`, `url`, `connect`, `reconnect`, `disconnect`, `assign 5x100`, `stats`,
 *   `games`, `configuration GAME`.
 * - around them: `fault LINE CALL KIND [next N] [delay MS]`, `clear` (all faults), `clock 25h`, `janitor`, `kill` (the
 *   remote game server, which starts again), `resolve HOW`, `leave AMOUNT` (what doAutoClose shall win).
 * - `start 100 & kill`: the second while the first one's call is at the wallet.
 *
 * An answer: `open 100/40/30` is a round with its stake, what is to collect and what the wallet has confirmed;
 * `400/13` is a refusal; `~` is not looked at, because it depends on who is faster.
 *
 * The last line holds the books, after the faults have ended and the janitor has run: the calls to the wallet (a
 * plus: sent more than once), the change of the balance, a win that the wallet refused for good, the rounds.
 */
export function readCases(table: string): readonly Case[] {
  return table.trim().split(/\n\n+/).map(readCase);
}

function readCase(block: string): Case {
  const [name = '', ...lines] = block.split('\n').map((line) => line.trim());
  const books =
    /^= wallet (.+) \| balance ([+-]\d+)(?: \| refused (\d+))? \| (?:no round|rounds (.+))$/;
  const [, wallet = '', change, refused = '0', states = ''] = books.exec(lines.at(-1) ?? '') ?? [];
  if (change === undefined) throw new Error(`the last line of a case names the books: ${block}`);
  return {
    name,
    steps: lines.slice(0, -1).map(readStep),
    wallet: wallet === 'nothing' ? '' : wallet,
    change: BigInt(change),
    refused: BigInt(refused),
    states,
  };
}

function readStep(line: string): Step {
  const [text = '', answer = null] = line.split(' -> ');
  return { text, answer };
}
