// The proxy in a process of its own: node proxy-process.js <port> <port>. It sends its parent its port, and on request how many
// calls it has sent to both.
import { RepeatingProxy } from './proxy';

async function main(): Promise<void> {
  const [one = 0, other = 0] = process.argv.slice(2).map(Number);
  const proxy = new RepeatingProxy([one, other]);
  process.on('message', () => process.send?.(proxy.repeated));
  process.on('disconnect', () => process.exit(0));
  process.send?.(await proxy.listen());
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : 'the proxy failed'}\n`);
  process.exit(1);
});
