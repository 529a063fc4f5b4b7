/** The signals that ask a service to end. */
export interface StopSignals {
  /** Resolves to the name of the first signal, which asks for an orderly shutdown. */
  readonly first: Promise<string>;
  /** Resolves on the second signal, which asks for an immediate shutdown. */
  readonly second: Promise<void>;
}

const names = ['SIGTERM', 'SIGINT'] as const;

/** Catches SIGTERM and SIGINT from now on. */
export function catchStopSignals(): StopSignals {
  const first = new Promise<string>((resolve) => {
    for (const name of names) process.on(name, () => resolve(name));
  });
  const second = new Promise<void>((resolve) => {
    let count = 0;
    const onSignal = (): void => {
      count++;
      if (count === 2) resolve();
    };
    for (const name of names) process.on(name, onSignal);
  });
  return { first, second };
}

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
