import type { Ledger } from '../../../lib/operator/wallet';
import { everyNth, over, type Plant } from './over';

const ledger = { store: 'ledger', isObservable: true } as const;

function does(methods: (below: Ledger) => Partial<Ledger>): Plant['plant'] {
  return () => ({ ledger: (below) => over(below, methods(below)) });
}

/** Bugs of a platform's own ledger. */
export const ledgerPlants: readonly Plant[] = [
  {
    ...ledger,
    name: 'a debit counts at each attempt',
    breaks: 'O2: a stake is taken twice',
    plant: () => {
      let times = 0;
      return does((below) => ({
        debit: (posting, signal) =>
          below.debit({ ...posting, key: `${posting.key} ${++times}` }, signal),
      }))();
    },
  },
  {
    ...ledger,
    name: 'a credit counts at each attempt',
    breaks: 'O2: a credit is paid twice',
    plant: () => {
      let times = 0;
      return does((below) => ({
        credit: (posting, signal) =>
          below.credit({ ...posting, key: `${posting.key} ${++times}` }, signal),
      }))();
    },
  },
  {
    ...ledger,
    name: 'a reversal does nothing',
    breaks: 'O4',
    plant: does(() => ({ reverse: async () => ({ kind: 'done' }) })),
  },
  {
    ...ledger,
    name: 'the reversal of a key that never arrived is forgotten',
    breaks: 'O4: a late debit is taken for good',
    plant: () => {
      const posted = new Set<string>();
      return does((below) => ({
        debit(posting, signal) {
          posted.add(posting.key);
          return below.debit(posting, signal);
        },
        async reverse(posting, signal) {
          return posted.has(posting.key) ? below.reverse(posting, signal) : { kind: 'done' };
        },
      }))();
    },
  },
  {
    ...ledger,
    name: 'a credit is acknowledged and not posted',
    breaks: 'O1',
    plant: () => {
      const isTime = everyNth(40);
      return does((below) => ({
        credit: async (posting, signal) =>
          isTime() ? { kind: 'done' } : below.credit(posting, signal),
      }))();
    },
  },
  {
    ...ledger,
    name: 'a fault of the ledger is reported as a refusal',
    breaks: 'no refusal without a reason: a credit is lost',
    plant: () => {
      const isTime = everyNth(40);
      return does((below) => ({
        credit: async (posting, signal) =>
          isTime() ? { kind: 'refused', reason: 'refused' } : below.credit(posting, signal),
      }))();
    },
  },
];
