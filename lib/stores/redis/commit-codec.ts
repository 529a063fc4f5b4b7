import {
  isKeptForEver,
  type Movement,
  type MovementRefusal,
  needsAttention,
  type RoundChange,
} from '../../gameround';
import type { CommitResult, RoundKey } from '../../wallet';
import { encodeHead, encodeSums } from './head-codec';
import { fieldName } from './hash-fields';
import { encodePending } from '../pending-codec';
import { attentionMember, unfinishedMember } from './keys';
import { decodeAccounts, encodeRecord } from './record-codec';

/** The arguments of commit.lua for a change; their order is described there. */
export function commitArguments(
  round: RoundKey,
  change: RoundChange,
  retentionMs: number,
): string[] {
  const { before, after, movements, records } = change;
  const taken = new Set(movements.filter(({ kind }) => kind === 'take').map(({ hash }) => hash));
  const isTaken = (index: number): boolean => {
    const { hash, record } = records[index] as (typeof records)[number];
    return taken.has(hash) && record.type === 'debit' && record.outcome === 'accepted';
  };
  return [
    String(before.version),
    encodeHead(after),
    ...encodeSums(after),
    isKeptForEver(after) ? '0' : String(retentionMs),
    before.gameCode === null ? (after.gameCode ?? '') : '',
    needsAttention(before.state) ? attentionMember(round, before.state) : '',
    needsAttention(after.state) ? attentionMember(round, after.state) : '',
    pendingArgument(change),
    after.pending === before.pending ? '' : unfinishedMember(round),
    String(movements.length),
    String(records.length),
    ...movements.flatMap((movement) => movementArguments(movement, records)),
    ...records.flatMap((item, index) => [
      fieldName(item.record.type === 'void' ? 'void' : 'transaction', item.hash, round.gameRound),
      encodeRecord(item.record, isTaken(index)),
    ]),
  ];
}

/** What is pending after the change: `=` for what there was, `-` for nothing any more. */
function pendingArgument({ before, after }: RoundChange): string {
  if (after.pending === before.pending) return '=';
  return after.pending === null ? '-' : encodePending(after.pending);
}

/** The result that a reply of commit.lua stands for. */
export function readCommitReply(
  [kind, ...rest]: readonly (string | number)[],
  change: RoundChange,
): CommitResult {
  switch (kind) {
    case 'committed':
      return { kind, accounts: decodeAccounts(rest.map(String)) };
    case 'stale':
      return { kind };
    case 'refused': {
      const [index, reason] = rest;
      const movement = change.movements[Number(index) - 1];
      if (movement === undefined)
        throw new Error('Redis refused a movement that was not asked for.');
      return { kind, hash: movement.hash, reason: reason as MovementRefusal };
    }
    default:
      throw new Error('Redis answered a commit with something else.');
  }
}

function movementArguments(movement: Movement, records: RoundChange['records']): string[] {
  const { kind, currency } = movement;
  if (kind === 'take') {
    const index = records.findIndex(
      ({ hash, record }) => hash === movement.hash && record.type === 'debit',
    );
    const first = movement.bonusFirst ? 'bonus' : 'real';
    return [kind, currency, String(movement.amount), first, String(index + 1)];
  }
  const { real, bonus } = movement.purse;
  return [kind, currency, String(real), String(bonus), '0'];
}
