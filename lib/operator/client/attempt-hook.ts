import type { AttemptEvent } from '../../protocol/client';
import type { EventListener, Events } from '../events';

/** The user's hook as a listener; what it throws goes to `log`. */
export function attemptHook(
  onAttempt: (event: AttemptEvent) => unknown,
  log: Events,
): EventListener {
  const failed = (error: unknown): void =>
    log.emit({ kind: 'hookFailed', hook: 'onAttempt', error, names: {} });
  return {
    wants: (kind) => kind === 'rgsAttempt',
    on: (event) => {
      if (event.kind !== 'rgsAttempt') return;
      try {
        // A hook that is async must not end the process.
        Promise.resolve(onAttempt(event.attempt)).catch(failed);
      } catch (error) {
        failed(error);
      }
    },
  };
}
