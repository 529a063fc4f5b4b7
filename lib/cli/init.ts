import { type Command, Option } from 'commander';
import { CommandFailure, messageOf, print, printJson, withoutLogin } from './terminal/failure';
import {
  acceptLossFlag,
  assumeDurableFlag,
  callDecimals,
  decimalsFlag,
  jsonFlag,
  namespaceFlag,
  unitFlag,
} from './terminal/flags';
import { initStore, redisForm, type RedisInitOptions } from './stores/redis';

interface InitFlags extends Omit<RedisInitOptions, 'url'> {
  readonly store?: string;
  readonly json?: true;
}

/** Adds `rgs-wallet init`. */
export function addInit(program: Command): void {
  program
    .command('init')
    .summary('create a store in an empty Redis')
    .description(
      'Creates a store in an empty Redis; changes nothing if a store exists. Run it once for each wallet: after that an empty Redis counts as lost data and is refused. For PostgreSQL use rgs-wallet migrate.',
    )
    .addOption(new Option('--store <address>', 'redis://...').env('WALLET_STORE'))
    .addOption(namespaceFlag())
    .addOption(decimalsFlag())
    .addOption(unitFlag())
    .addOption(acceptLossFlag())
    .addOption(assumeDurableFlag())
    .addOption(jsonFlag())
    .action((flags: InitFlags) => run(flags));
}

async function run({ store, json, ...options }: InitFlags): Promise<void> {
  if (store === undefined || !redisForm.test(store)) {
    throw new CommandFailure(
      '--store must be a Redis address; for PostgreSQL use rgs-wallet migrate',
    );
  }
  callDecimals(options);
  const { made } = await initStore({ ...options, url: store }).catch((error: unknown) => {
    if (error instanceof CommandFailure) throw error;
    const address = withoutLogin(store);
    throw new CommandFailure(`The store ${address} cannot be created: ${messageOf(error)}`);
  });
  if (json) printJson({ created: made });
  else print(made ? 'Store created.' : 'Nothing to do: the store exists.');
}
