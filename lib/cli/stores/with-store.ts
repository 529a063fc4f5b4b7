import { CommandFailure, keptStore, messageOf } from '../terminal/failure';
import type { NamedStoreFlags } from '../terminal/flags';
import { EarlyLog } from '../terminal/log';
import { type OpenedStore, openStore, type StoreChoice } from './open-store';

/**
 * Opens the store of the flags, does the work, and closes the store.
 * @throws CommandFailure for no store, for one that cannot be used, and for a value of a flag that the store refuses.
 */
export async function withStore<T>(
  flags: NamedStoreFlags & Omit<Partial<StoreChoice>, 'store'>,
  work: (opened: OpenedStore) => Promise<T>,
  open: typeof openStore = openStore,
): Promise<T> {
  const opened = await open({ ...flags, store: keptStore(flags) }, new EarlyLog());
  const done = closing(opened.store, () => work(opened));
  return done.catch((error: unknown) => {
    throw error instanceof TypeError ? new CommandFailure(messageOf(error)) : error;
  });
}

/** Does the work, and closes what it works on. */
export async function closing<T>(
  owner: { close(): Promise<void> },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } finally {
    await owner.close();
  }
}
