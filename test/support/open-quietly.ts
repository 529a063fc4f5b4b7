import type { FullStore, NewPlayer } from '../../lib/operator/wallet';

/** Opens a player whose opening every declared consumer has read: what waits after it is what the test does. */
export async function openQuietly(
  store: Pick<FullStore, 'players' | 'events'>,
  player: NewPlayer,
): Promise<void> {
  await store.players.openPlayer(player);
  const { operatorId } = player;
  for (const { consumer, waiting } of await store.events.lag(operatorId)) {
    if (waiting === 0) continue;
    for await (const batch of store.events.read({ consumer, operatorId })) {
      await batch.done();
      break;
    }
  }
}
