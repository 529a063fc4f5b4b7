/**
 * The promise's outcome, or an error after a time-out or when the signal aborts; then the promise's
 * outcome is ignored. Leaves no timer and no listener behind.
 */
export function within<T>(ms: number, promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const letGo = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    };
    const giveUp = (): void => {
      letGo();
      reject(new Error('no answer in time'));
    };
    const timer = setTimeout(giveUp, Math.max(1, ms));
    signal?.addEventListener('abort', giveUp);
    const answered = (answer: T): void => {
      letGo();
      resolve(answer);
    };
    const failed = (error: unknown): void => {
      letGo();
      reject(error);
    };
    promise.then(answered, failed);
    if (signal?.aborted) giveUp();
  });
}
