import { catchStopSignals } from '../serve/stop-signals';

/**
 * Aborts at the first SIGTERM or SIGINT. The second ends the process as if nothing caught it: a disk may stand still, and
 * `process.exit` waits for it.
 */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  const { first, second } = catchStopSignals();
  void first.then(() => stopping.abort());
  void second.then(() => {
    process.removeAllListeners('SIGTERM');
    process.kill(process.pid, 'SIGTERM');
  });
  return stopping.signal;
}
