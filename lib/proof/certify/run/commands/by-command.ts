import { NotTried, Undecided } from '../../talk';

/** Runs a command of the user's. @throws Undecided if it fails. */
export async function byCommand<T>(command: () => Promise<T>): Promise<T> {
  try {
    return await command();
  } catch (error) {
    if (error instanceof Undecided) throw error;
    throw new Undecided(error instanceof Error ? error.message : String(error));
  }
}

/** @throws NotTried */
export function missing(option: string): never {
  throw new NotTried(option);
}
