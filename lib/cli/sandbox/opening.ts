import type { Logger } from '../../platform';
import { scenarios } from '../../proof/demo/scenarios';
import { Secret, signBody } from '../../protocol/signature';
import type { Identity } from './identity';
import type { Parties, PartyOptions } from './parties';
import { messageOf, shellWord } from '../terminal/failure';
import type { Style } from '../terminal/style';
import { plain } from '../../protocol/json/printable';

/** The first lines: where everything is, who is who, and what to try. */
export function openingLines(
  parties: Parties,
  { operator, gameProvider, seedUsed, clock, data = 'in memory' }: PartyOptions,
): string[] {
  const { url, walletUrl, providerUrl, ownWallet, game, players } = parties;
  const names = players.map(({ playerId, currency }) => `${playerId} (${currency})`).slice(0, 5);
  const memory = ownWallet === null ? '' : ', in memory';
  return [
    `remote game server ${url} (engine /gameapi/v2, operator /operator), ${data}`,
    `wallet             ${walletUrl}${memory}; players ${plain(names.join(', '))}`,
    `game provider      ${providerUrl}${game === null ? '' : ', built in: game-bells'}`,
    `operator id        ${operator.id}, ${secretOf(operator)}`,
    `provider id        ${gameProvider.id}, ${secretOf(gameProvider)}`,
    `seed               ${seedUsed}`,
    `open ${url}/`,
    '',
    'A signed call, valid for 5 minutes:',
    testPing(url, gameProvider, clock.now()),
    '',
    'Try next:',
    ...tries(parties),
    'Ctrl-C ends it, and compares the books.',
    '',
  ];
}

/** A scenario that starts its own parties needs only the command; one between given parties is played here. */
function tries({ url, ownWallet, game }: Parties): string[] {
  const isOwn = ownWallet !== null && game !== null;
  const play = `curl -s ${url}/sandbox/play -d '{"name":"lost-win"}'`;
  const rows = [
    [isOwn ? 'rgs-wallet sandbox play lost-win' : play, 'a lost reply: six sends, one payment'],
    ['rgs-wallet sandbox play --list', `all ${scenarios.length} scenarios`],
    [`curl -s ${url}/sandbox/books`, 'the books, as JSON'],
  ] as const;
  return rows.map(([command, shows]) => `  ${command.padEnd(34)} ${shows}`);
}

function secretOf({ secret, variable }: Identity): string {
  if (variable !== null) return `secret from ${variable}`;
  return `secret ${secret} (made up for this run, of no use elsewhere)`;
}

/** A line for a POSIX shell. Only ids can have quotes; they are escaped. */
function testPing(url: string, { id, secret }: Identity, now: number): string {
  const body = '{"testData":"hello"}';
  const headers = {
    'Content-Type': 'application/json',
    'X-Request-Id': 'from-the-terminal',
    ...signBody(new Secret(secret), id, now, Buffer.from(body)),
  };
  const flags = Object.entries(headers).map(
    ([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`,
  );
  return `  curl -s ${flags.join(' ')} -d ${shellWord(body)} ${url}/gameapi/v2/testPing`;
}

/** A log for a person at a terminal: warnings and errors, a line each. */
export function terminalLog(print: (line: string) => void, style: Style): Logger {
  const write = (level: string) => (fields: object, message: string) => {
    const { err } = fields as { err?: unknown };
    const why = err === undefined ? '' : `: ${messageOf(err)}`;
    print(style.bad(`${level}: ${message}${plain(why)}`));
  };
  return { info: () => {}, warn: write('warning'), error: write('error') };
}
