// A player who deposits 20 or more gets free plays: once for each deposit, whatever is resent. RGS_URL,
// OPERATOR_ID and OPERATOR_SECRET say where the RGS is and who calls; REFERENCE and AMOUNT replace the
// data of your cashier. The money is in memory here: use a store that keeps it.
import { createMemoryStore, formatAmount, parseAmount } from 'rgs-wallet-kit';
import { createRgsClient, RgsClientError } from 'rgs-wallet-kit/client';

const { RGS_URL, OPERATOR_ID, OPERATOR_SECRET } = process.env;
const { REFERENCE = 'psp-7781', AMOUNT = '25.00' } = process.env;
const player = { operatorId: OPERATOR_ID, playerId: 'ann' };
const rgs = createRgsClient({ baseUrl: RGS_URL, operatorId: OPERATOR_ID, secret: OPERATOR_SECRET });
const store = createMemoryStore();
const least = parseAmount('20', store.decimals);

async function deposit(amount, reference) {
  const result = await store.players.deposit({ ...player, currency: 'EUR', amount, reference });
  if (result.kind !== 'done') throw new Error(`the deposit is ${result.kind}: send it again`);
  console.log(`deposit ${reference}: balance ${formatAmount(result.account.real, store.decimals)}`);
  // Also for a replayed deposit: the process may have died before it granted the free plays.
  if (parseAmount(amount, store.decimals) >= least) await grantFreePlays(reference);
}

async function grantFreePlays(reference) {
  const { serial, count, used } = await rgs.assignPlayerFreerounds({
    playerId: player.playerId,
    gameCode: 'bells',
    serial: `deposit-${reference}`, // derived from the deposit alone: no repeat can grant a second package
    currency: 'EUR',
    stake: '0.50',
    count: 10,
  });
  console.log(`free plays ${serial}: ${count}, ${used} used`);
}

await store.players.openPlayer({ ...player, currency: 'EUR', balances: { real: '0' } });
try {
  await deposit(AMOUNT, REFERENCE);
  await deposit(AMOUNT, REFERENCE); // the payment provider reports it twice
} catch (error) {
  if (!(error instanceof RgsClientError)) throw error;
  // The money has arrived anyway. Put the deposit on a list and retry later.
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
await store.close();
