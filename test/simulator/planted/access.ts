import { unseenRound } from '../../../lib/operator/gameround';
import type { Rounds } from '../../../lib/operator/wallet';
import type { Planted } from '../parties/planted';
import { everyNth, overRounds, type Plant } from './over';

const memory = { store: 'memory', isObservable: true } as const;

/** A store that answers a command otherwise, as one process has it. */
function answers(methods: (rounds: Rounds) => Partial<Rounds>): () => Planted {
  return () => ({ access: (store) => overRounds(store, methods(store.rounds)) });
}

/** Bugs of what a process reads into the answers of its store. */
export const accessPlants: readonly Plant[] = [
  {
    ...memory,
    name: 'a commit in doubt is reported as a decline',
    breaks: 'D7: unknown is not failure',
    plant: answers((rounds) => ({
      async commit(round, change) {
        const result = await rounds.commit(round, change);
        const [first] = change.movements;
        if (result.kind !== 'unknown' || first?.kind !== 'take') return result;
        return { kind: 'refused', hash: first.hash, reason: 'tooLow' };
      },
    })),
  },
  {
    ...memory,
    name: 'a commit in doubt is reported as written',
    breaks: 'O3: acknowledged and not durable',
    plant: answers((rounds) => ({
      async commit(round, change) {
        const result = await rounds.commit(round, change);
        return result.kind === 'unknown' ? { kind: 'committed' } : result;
      },
    })),
  },
  {
    ...memory,
    isObservable: false,
    name: 'a load in doubt is reported as a new round',
    breaks: 'nothing: what is decided on it has an old version, and its commit is stale',
    plant: answers((rounds) => ({
      async load(round, hashes) {
        const result = await rounds.load(round, hashes);
        if (result.kind !== 'unknown') return result;
        return {
          kind: 'loaded',
          snapshot: { head: unseenRound, entries: new Map(), accounts: [] },
        };
      },
    })),
  },
  {
    ...memory,
    isObservable: false,
    name: 'a commit that was written is reported as stale, now and then',
    breaks: 'nothing: the next load finds what it wrote, and that this delivery wrote it',
    plant: () => {
      const isTime = everyNth(15);
      return answers((rounds) => ({
        async commit(round, change) {
          const result = await rounds.commit(round, change);
          return result.kind === 'committed' && isTime() ? { kind: 'stale' } : result;
        },
      }))();
    },
  },
];
