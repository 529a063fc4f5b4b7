import type { RoundChange } from '../../gameround';
import type { FollowUp } from '../../gameround/follow-up';
import { type RoundKey, StoreUnsafeError, type MoneyPlace } from '../../wallet';
import {
  type CommitSettings,
  commitValues,
  moreValues,
  nothingMore,
  ownCommitValues,
} from './codec/commit';
import { followValues, ownFollowValues } from './codec/follow';
import { ofRound } from './codec/names';
import type { Executor, Line } from './connections/executor';
import { functions } from './schema/functions';

/** Where the money is: the functions that read it, and the one that moves it with a round. */
export interface Money {
  readonly load: typeof functions.loadRound | typeof functions.loadOwn;
  readonly accounts: typeof functions.readAccounts | typeof functions.readOwn;

  /** @throws StoreUnsafeError if the money cannot be moved. */
  ready(): Promise<void>;

  /**
   * Sends the commit with its event, or without one (null); the arguments are made at once. With `opens` a stale answer
   * has the round. `moment` is that of the player's limits, where they are known or asked for.
   */
  commitOf(
    round: RoundKey,
    change: RoundChange,
    settings: CommitSettings,
    opens: boolean,
  ): SendCommit;

  /** Sends a follow-up alike; the lines are those of a load where it was not written. */
  followOf(round: RoundKey, followUp: FollowUp, settings: CommitSettings): SendCommit;
}

type SendCommit = (event: string | null, moment: string | null) => Promise<Line[]>;

/** The money at a place, by the functions of the schema; a table of accounts may keep the balances after each commit. */
export function moneyAt(place: MoneyPlace, executor: Executor, keepsBalances: boolean): Money {
  return place === 'own' ? ownTables(executor) : accountTable(executor, keepsBalances);
}

/** In the table of accounts of the schema. */
function accountTable(executor: Executor, keepsBalances: boolean): Money {
  return {
    load: functions.loadRound,
    accounts: functions.readAccounts,
    ready: async () => {},
    commitOf: (round, change, settings, opens) => {
      const values = commitValues(round, change, settings);
      const more = moreValues(change, keepsBalances);
      return (event, moment) => {
        if (moment !== null) {
          const limited = functions[opens ? 'openLimited' : 'commitLimited'];
          const all = { ...values, event, ...(more ?? nothingMore), moment };
          return executor.run(limited, all, round);
        }
        if (more !== null) {
          const whole = functions[opens ? 'openWhole' : 'commitWhole'];
          return executor.run(whole, { ...values, event, ...more }, round);
        }
        if (event === null) {
          return executor.run(functions[opens ? 'openRound' : 'commitRound'], values, round);
        }
        const telling = functions[opens ? 'openAndTell' : 'commitAndTell'];
        return executor.run(telling, { ...values, event }, round);
      };
    },
    followOf: (round, followUp, settings) => {
      const values = followValues(round, followUp, settings, keepsBalances);
      return (event, moment) =>
        moment === null
          ? executor.run(functions.followRound, { ...values, event }, round)
          : executor.run(functions.followLimited, { ...values, event, moment }, round);
    },
  };
}

/** Whether money had moved, and the whole statement was undone: it could not read the round any more. */
function wasUndone([first]: readonly Line[]): boolean {
  return first?.[0] === 'stale' || first?.[0] === 'refused';
}

/** Ids that no player has: one of any text, one that a table with uuids looks up. */
const unknownPlayers = ['no such player', '00000000-0000-4000-8000-000000000000'];

/** In tables of the platform's own, moved by its two functions. */
function ownTables(executor: Executor): Money {
  return {
    load: functions.loadOwn,
    accounts: functions.readOwn,
    ready: async () => {
      const [line] = await executor.run(functions.probeOwn, { of_players: unknownPlayers });
      if (line?.[0] !== undefined) throw new StoreUnsafeError(`${line[0]} See docs/own-tables.md.`);
    },
    commitOf: (round, change, settings, opens) => {
      const values = ownCommitValues(round, change, settings);
      const committing = functions[opens ? 'openOwn' : 'commitOwn'];
      return (event) => executor.run(committing, { ...values, event }, round);
    },
    followOf: (round, followUp, settings) => {
      const values = ownFollowValues(round, followUp, settings);
      return async (event) => {
        const lines = await executor.run(functions.followOwn, { ...values, event }, round);
        if (!wasUndone(lines)) return lines;
        return executor.run(functions.loadOwn, { ...ofRound(round), hashes: followUp.hashes });
      };
    },
  };
}
