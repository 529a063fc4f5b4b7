import type { OpenHost, StoreName } from '../../lib/proof/simulator';
import { openRedisModel } from '../../test/servers/in-process/redis/host';

/** The option of a world that opens the server of its store; nothing for a store that needs none. */
export function hostOf(store: StoreName): { readonly openHost?: OpenHost } {
  return store === 'lua' ? { openHost: openRedisModel } : {};
}
