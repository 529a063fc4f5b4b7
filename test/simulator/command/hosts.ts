import type { HostedName, OpenHost, StoreName } from '..';
import { openPostgresModel } from '../../servers/in-process/postgres/host';
import { openRedisModel } from '../../servers/in-process/redis/host';

const hosts: Readonly<Record<HostedName, OpenHost>> = {
  lua: openRedisModel,
  sql: openPostgresModel,
};

/** The option of a world that opens the server of its store; nothing for a store that needs none. */
export function hostOf(store: StoreName): { readonly openHost?: OpenHost } {
  return store === 'memory' || store === 'ledger' ? {} : { openHost: hosts[store] };
}
