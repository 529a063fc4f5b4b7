import { systemClock as clock, silentLogger, systemRandom as random } from '../../platform';
import type { Reels } from '../../proof/demo/game-bells';
import { amountText } from '../../platform/html';
import { ScenarioContext } from '../../proof/demo/scenarios';
import type { BooksView } from '../../rgs/sandbox/view/books';
import { decimalOf } from '../../rgs/sandbox/wire/amounts';
import { CallPrinter } from './calls';
import { startParties } from './parties';
import { styleFor } from '../terminal/style';

/** The wallet that the round ends at, and its player. */
export interface WholeRoundAt {
  readonly walletUrl: string;
  readonly operatorId: string;
  readonly secret: string;
  readonly playerId: string;
  readonly currency: string;
  readonly print: (line: string) => void;
}

const stake = 100n;
/** Pays 18 times the stake. */
const reels: Reels = [0, 0, 0];

/**
 * Plays one round all the way: the casino launches the game at a remote game server, the game bets and wins there,
 * and the remote game server calls the wallet. Prints a line a call, and the books of all three.
 * @returns The player's balance by each of the three.
 */
export async function playWholeRound(at: WholeRoundAt): Promise<ThreeBalances> {
  const { walletUrl, operatorId, secret, playerId, currency, print } = at;
  const style = styleFor(process.stdout, process.env);
  const printer = new CallPrinter(print, style, false);
  const parties = await startParties({
    wallet: walletUrl,
    game: 'game-bells',
    port: 0,
    host: '127.0.0.1',
    operator: { id: operatorId, secret, variable: null },
    gameProvider: {
      id: 'studio-1',
      secret: random.bytes(24).toString('base64url'),
      variable: null,
    },
    seedUsed: 1,
    playsAlone: true,
    clock,
    random,
    logger: silentLogger,
    onCall: (call) => printer.call(call),
    onFinding: (finding) => printer.finding(finding),
    print,
  });
  try {
    const { token } = await new ScenarioContext(parties.scenario).sit({ playerId, currency });
    await parties.game?.spins.play({ token, stake, currency, force: reels });
    printer.flush();
    const books = await parties.sandbox.books();
    const balances = balancesOf(books);
    for (const text of linesOf(balances, currency)) print(text);
    return balances;
  } finally {
    await parties.close();
  }
}

/** The player's balance at the start, and at the end by each of the three: decimal texts; null if it is not known. */
export interface ThreeBalances {
  readonly start: string | null;
  readonly byWallet: string | null;
  readonly byRgs: string | null;
  readonly byGame: string | null;
  readonly agree: boolean;
}

function textOf(units?: string | null): string | null {
  return units === undefined || units === null ? null : decimalOf(units);
}

function balancesOf({ players: [player], agree }: BooksView): ThreeBalances {
  return {
    start: textOf(player?.start),
    byWallet: textOf(player?.wallet),
    byRgs: textOf(player?.service.least),
    byGame: textOf(player?.provider),
    agree,
  };
}

function linesOf(
  { start, byWallet, byRgs, byGame, agree }: ThreeBalances,
  currency: string,
): string[] {
  const line = (label: string, by: string, amount: string | null): string => {
    const text = amount === null ? '?' : amountText(amount, currency);
    return `   ${label.padEnd(20)}${by.padEnd(20)}${text.padStart(10)}`;
  };
  return [
    line('start', '', start),
    line('end', 'by the wallet', byWallet),
    line('', 'by the RGS', byRgs),
    line('', 'by the game', byGame),
    agree ? '\nThe three books agree.' : '\nThe three books do NOT agree.',
  ];
}
