// The load in its own process: node process.js <order as JSON>, which sends its results to its parent.
import { Load } from './load';
import type { LoadMessage, LoadOrder } from './messages';

const tell = (message: LoadMessage) => process.send?.(message);
const order = JSON.parse(process.argv[2] ?? '') as LoadOrder;
new Load(order, (kind) => tell({ kind })).run().then(
  (result) =>
    process.send?.({ kind: 'result', result } satisfies LoadMessage, () => process.exit(0)),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : 'the load failed'}\n`);
    process.exit(1);
  },
);
process.on('disconnect', () => process.exit(1));
