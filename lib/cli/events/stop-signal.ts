import { catchStopSignals } from '../serve/stop-signals';
import { exitCodes } from '../terminal/failure';

/** Aborts at the first SIGTERM or SIGINT. The second ends the process at once: a disk or a receiver may stand still. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  const { first, second } = catchStopSignals();
  void first.then(() => stopping.abort());
  void second.then(() => process.exit(exitCodes.wrong));
  return stopping.signal;
}
