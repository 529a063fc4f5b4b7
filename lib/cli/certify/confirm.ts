import { createInterface } from 'node:readline/promises';
import type { CertificationOptions } from '../../proof/certify';
import { CommandFailure } from '../terminal/failure';

/** What a run is about to do, in lines for the terminal. */
export function plannedLines(options: CertificationOptions, cases: number): string[] {
  const { urls, operator, playerIds, currency, stake, stakeBudget, useBalance, long } = options;
  const whole = useBalance === true ? ', and for moments a whole balance' : '';
  const lines = [
    `Certifies the wallet at ${urls.join(' and ')} as operator ${operator.operatorId}: ${cases} cases.`,
    `Plays with ${playerIds.join(' and ')} in ${currency}: stakes of ${stake}, at most ${stakeBudget} at one time${whole}; 100 is 1.00 where the wire has minor units.`,
    'It returns what it stakes with voids, leaves rounds behind, and sends broken and hostile requests.',
  ];
  if (options.kill !== undefined)
    lines.push(`Kills the wallet ${long?.kills ?? 0} times and more, and starts it again.`);
  else if (options.restart !== undefined) lines.push('Restarts the wallet.');
  return [...lines, 'Use it only with a test wallet, never in production.'];
}

/**
 * Asks a person whether to begin.
 * @throws CommandFailure without a terminal, or for any answer but yes.
 */
export async function confirmStart(): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new CommandFailure('without a terminal to ask, certify needs --yes');
  }
  const line = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await line.question('Begin? Type yes: ');
  line.close();
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandFailure('not begun');
}
