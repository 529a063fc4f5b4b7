import type { Command } from 'commander';
import type { FreeroundsRequest } from '../../operator/client';
import { ExactNumber } from '../../protocol/json/write';
import { readBody, addCallFlags, type CallFlags, callRgs, membersOf, printReply } from './client';
import { CommandFailure } from '../terminal/failure';
import { alwaysJsonFlag, wholeNumber } from '../terminal/flags';

interface FreeroundsFlags extends CallFlags {
  readonly playerId?: string;
  readonly gameCode?: string;
  readonly serial?: string;
  readonly currency?: string;
  readonly stake?: string;
  readonly count?: number;
  readonly expires?: string;
  readonly body?: string;
}

/** Adds `rgs-wallet call assign-freerounds`. */
export function addAssignFreerounds(group: Command): void {
  const command = group
    .command('assign-freerounds')
    .summary('grant a player free plays of a game')
    .description(
      'Grants a player free plays of a game at a stake (assignPlayerFreerounds). The serial is an idempotency key: repeating a request with it grants nothing more.',
    )
    .option('--player-id <id>', 'the player')
    .option('--game-code <code>', 'the game')
    .option('--serial <id>', 'idempotency key of the grant, such as a UUID')
    .option('--currency <code>', 'three upper-case letters')
    .option('--stake <amount>', 'stake of each play, sent and signed as written')
    .option('--count <n>', 'how many plays', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--expires <date-time>', 'strict ISO 8601, such as 2026-12-31T23:59:59Z')
    .option('--body <file|->', 'the fields as JSON, instead of flags')
    .addOption(alwaysJsonFlag());
  addCallFlags(command).action((flags: FreeroundsFlags) => assign(flags));
}

async function assign(flags: FreeroundsFlags): Promise<void> {
  const request = readRequest(flags);
  const reply = await callRgs(flags, (client) => client.assignPlayerFreerounds(request));
  printReply(membersOf(reply));
}

/** The client checks every field, whatever its type. */
function readRequest(flags: FreeroundsFlags): FreeroundsRequest {
  const { playerId, gameCode, serial, currency, stake, count, expires, body } = flags;
  const given = {
    'player-id': playerId,
    'game-code': gameCode,
    serial,
    currency,
    stake,
    count,
    expires,
  };
  if (body !== undefined) {
    const fields = readBody(body, given);
    const { stake: exact, count: plays } = fields;
    return {
      ...fields,
      stake: exact instanceof ExactNumber ? exact.text : exact,
      count: plays instanceof ExactNumber ? Number(plays.text) : plays,
    } as FreeroundsRequest;
  }
  const { expires: _, ...mandatory } = given;
  for (const [name, value] of Object.entries(mandatory)) {
    if (value === undefined) throw new CommandFailure(`--${name} is missing.`);
  }
  const request = { playerId, gameCode, serial, currency, stake, count };
  return { ...request, ...(expires === undefined ? {} : { expires }) } as FreeroundsRequest;
}
