import { catchStopSignals } from '../serve/stop-signals';

/** Aborts at the first SIGTERM or SIGINT. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  void catchStopSignals().first.then(() => stopping.abort());
  return stopping.signal;
}
