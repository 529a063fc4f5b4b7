import { type Command, Option } from 'commander';
import { CommandFailure, messageOf, withoutLogin } from './terminal/failure';
import { decimalsFlag, namespaceFlag } from './terminal/flags';
import { initStore, redisForm } from './stores/redis';

interface InitFlags {
  readonly store?: string;
  readonly namespace?: string;
  readonly decimals?: number;
  readonly acceptLoss?: true;
}

/** Adds `rgs-wallet init`. */
export function addInit(program: Command): void {
  program
    .command('init')
    .summary('make a store in an empty Redis')
    .description(
      'Makes a store in Redis where there is none, and changes nothing where there is one. Once for each wallet: after that an empty Redis has lost its data, and is refused. In PostgreSQL rgs-wallet migrate does this.',
    )
    .addOption(new Option('--store <address>', 'redis://...').env('WALLET_STORE'))
    .addOption(namespaceFlag())
    .addOption(decimalsFlag())
    .option('--accept-loss', 'use a server whose settings can lose money (development)')
    .action((flags: InitFlags) => run(flags));
}

async function run({ store, ...options }: InitFlags): Promise<void> {
  if (store === undefined || !redisForm.test(store)) {
    throw new CommandFailure(
      '--store must be an address of Redis; rgs-wallet migrate makes a store in PostgreSQL',
    );
  }
  const { made } = await initStore({ ...options, url: store }).catch((error: unknown) => {
    if (error instanceof CommandFailure) throw error;
    const address = withoutLogin(store);
    throw new CommandFailure(`The store ${address} cannot be made: ${messageOf(error)}`);
  });
  process.stdout.write(made ? 'The store is made.\n' : 'Nothing to do: there is a store.\n');
}
