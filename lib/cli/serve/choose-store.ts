import { CommandFailure } from '../terminal/failure';

/** Decides whether the service is only being tried out. */
export interface Surroundings {
  /** Whether a person sees the log and can stop the service. */
  readonly isTerminal: boolean;
  /** NODE_ENV. */
  readonly nodeEnv: string | undefined;
}

/**
 * The address of the store. Without a terminal, a service keeps money in memory only by an explicit option:
 * a forgotten variable in a deployment would lose every balance at the next restart.
 * @throws CommandFailure where none is named, and the service is no trial at a terminal.
 */
export function chooseStore(
  store: string | undefined,
  { isTerminal, nodeEnv }: Surroundings = surroundings(),
): string {
  if (store !== undefined) return store;
  if (isTerminal && nodeEnv !== 'production') return 'memory:';
  throw new CommandFailure(
    'No store: name one with --store or WALLET_STORE, such as postgres://... or redis://...; memory: keeps the money in this process and forgets it when the process ends',
  );
}

function surroundings(): Surroundings {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  return { isTerminal, nodeEnv: process.env['NODE_ENV'] };
}
