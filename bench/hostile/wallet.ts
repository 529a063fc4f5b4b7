// A wallet in its own process, with two operators, one of whom is rotating its secret, and an admin port with one
// person. It sends its parent both ports, and on request its CPU time in microseconds.
import { basicAuth } from '../../lib/cli/admin/basic-auth';
import { hashPassword } from '../../lib/cli/admin/password';
import { createAdminService } from '../../lib/cli/admin/service';
import { createWalletService } from '../../lib/cli/serve/wallet-service';
import { createOperatorHandler } from '../../lib/operator/http/handler';
import { createCallWatch } from '../../lib/operator/operations';
import { createMemoryStore } from '../../lib/operator/stores/memory';
import { silentLogger, systemClock, systemRandom } from '../../lib/platform';
import { operatorId, secret } from '../terms';
import type { Ports } from './requests';

const host = '127.0.0.1';

async function main(): Promise<void> {
  const store = createMemoryStore();
  const handler = createOperatorHandler({
    store,
    operators: [
      { operatorId, secrets: [secret, `${secret}-older`] },
      { operatorId: 'other', secrets: [`${secret}-of-the-other`] },
    ],
  });
  const password = await hashPassword(secret, systemRandom);
  const maria = { id: 'maria', name: null, may: ['look'], password } as const;
  const ports = { clock: systemClock, random: systemRandom };
  const signIn = basicAuth(new Map([[maria.id, maria]]), ports);
  const admin = createAdminService({
    settings: {
      port: 0,
      host,
      signIn,
      users: null,
      publicOrigin: null,
      signOut: null,
      openHours: null,
      timeZone: null,
      booksZone: null,
      archiveChecks: [],
    },
    store,
    operators: [operatorId],
    calls: createCallWatch(),
    creditTo: 'real',
    log: silentLogger,
    routes: new Map(),
  });
  const money = await createWalletService({ handler, store }).listen(0, host);
  const listening: Ports = { money, admin: await admin.listen(0, host) };
  process.send?.(listening);
}

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.on('disconnect', () => process.exit(0));
void main();
