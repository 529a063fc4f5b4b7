import type { Round } from '../../rounds';
import type { Running, SandboxSettings } from '../process';

/** The round of this id, of the first provider that has one; null if there is none. */
export function findRound(
  running: Running,
  { providers }: Pick<SandboxSettings, 'providers'>,
  gameRound: string,
): Round | null {
  const service = running.service();
  for (const { gameProviderId } of providers) {
    const round = service.round(gameProviderId, gameRound);
    if (round !== null) return round;
  }
  return null;
}
