import type { OperatorCredentials } from '../../operator/http/options';
import type { AccountStore } from '../../operator/wallet';
import { CommandFailure, messageOf } from '../terminal/failure';
import { readJsonFile } from '../terminal/read-json-file';

/** A player of a players file. A number is in whole units of the wire. */
export interface FilePlayer {
  readonly playerId: string;
  readonly currency: string;
  readonly balances: { readonly real: string | number; readonly bonus?: string | number };
}

/** What happened to the players of a file. */
export interface OpenedPlayers {
  readonly opened: number;
  readonly existed: number;
}

/** Players opened concurrently. */
const batchSize = 32;

/** @throws CommandFailure that names the file and the wrong entry. */
export function readPlayers(file: string): readonly FilePlayer[] {
  const players = readJsonFile(file, 'players') as FilePlayer[];
  const seen = new Set<string>();
  for (const [index, { playerId, currency }] of players.entries()) {
    const name = JSON.stringify([playerId, currency]);
    if (seen.has(name)) throw new CommandFailure(`${file}: ${index} is given twice`);
    seen.add(name);
  }
  return players;
}

/**
 * Opens the players for every operator, in a store that keeps the money; an existing player keeps its balances.
 * @throws CommandFailure if an entry is wrong or the store does not answer.
 */
export async function openPlayers(
  store: AccountStore | null,
  operators: readonly OperatorCredentials[],
  players: readonly FilePlayer[],
  file: string,
): Promise<OpenedPlayers> {
  if (store === null) return { opened: 0, existed: 0 };
  const entries = players.flatMap((player, index) =>
    operators.map(({ operatorId }) => ({ player, operatorId, where: `${file}: ${index}` })),
  );
  let opened = 0;
  for (let at = 0; at < entries.length; at += batchSize) {
    const batch = entries.slice(at, at + batchSize);
    const results = await Promise.all(
      batch.map(({ player, operatorId, where }) => openPlayer(store, operatorId, player, where)),
    );
    opened += results.filter((wasOpened) => wasOpened).length;
  }
  return { opened, existed: entries.length - opened };
}

async function openPlayer(
  store: AccountStore,
  operatorId: string,
  { playerId, currency, balances }: FilePlayer,
  where: string,
): Promise<boolean> {
  const bonus = balances.bonus === undefined ? {} : { bonus: String(balances.bonus) };
  const amounts = { real: String(balances.real), ...bonus };
  const opening = store.players.openPlayer({ operatorId, playerId, currency, balances: amounts });
  const result = await opening.catch((error: unknown) => {
    throw new CommandFailure(`${where}: ${messageOf(error)}`);
  });
  if (result.kind === 'unknown') {
    throw new CommandFailure(`${where}: the store did not answer: ${messageOf(result.cause)}`);
  }
  return result.kind === 'opened';
}
