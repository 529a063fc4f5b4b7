import type { StakedCredit } from '../../../gameround/repairs/resolve';
import type { ListedRound, RoundKey } from '../../../wallet';
import { readStakedCredit } from '../../codec/record';
import { hashOfField } from './hash-fields';
import { decodeListedHead } from './head';
import { decodeName } from './keys';
import { decodeOutcome } from './record';

/** The lines of a reply of read-heads.lua, one a round. */
export function linesOf(reply: unknown): readonly string[] {
  return String(reply).split('\n');
}

/** The round of such a line: its only entries are refused credits. Null if it is not stored. */
export function readListed(line: string, round: RoundKey): ListedRound | null {
  const parts = line.split('\t');
  const [head = '', game = noGameCode] = parts;
  if (head === '') return null;
  const gameCode = game === noGameCode ? null : decodeName(game);
  return { head: decodeListedHead(head, gameCode), entries: refusedIn(parts, round) };
}

/** The refused credits of a line, which follow its head and its game code. */
function refusedIn(parts: readonly string[], { gameRound }: RoundKey): ListedRound['entries'] {
  const entries: [hash: string, entry: { readonly transaction: StakedCredit }][] = [];
  for (let at = 2; at < parts.length; at += 2) {
    const hash = hashOfField(decodeName(parts[at] ?? ''), gameRound) ?? '';
    const [kind = '', currency, amount] = (parts[at + 1] ?? '').split(' ', 3);
    const outcome = decodeOutcome(kind.slice(1));
    entries.push([hash, { transaction: readStakedCredit({ outcome, currency, amount }) }]);
  }
  return entries;
}

const noGameCode = '%';

/** Of a reply of rounds/list.lua or open-rounds/list.lua, the place of each bucket that has any, and its members as a text. */
export function readLists(reply: unknown): [place: number, members: string][] {
  const text = String(reply);
  if (text === '') return [];
  return text.split('\n').map((line) => {
    const end = line.indexOf(' ');
    return [Number(line.slice(0, end)) - 1, line.slice(end + 1)];
  });
}
