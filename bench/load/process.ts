// The load in its own process: its parent sends it orders, one after the other, and is sent the results.
import { Load } from './load';
import type { LoadMessage, LoadOrder } from './messages';

const tell = (message: LoadMessage) => process.send?.(message);

process.on('message', (order: LoadOrder) => {
  new Load(order, (kind) => tell({ kind })).run().then(
    (result) => tell({ kind: 'result', result }),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : 'the load failed'}\n`);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(1));
