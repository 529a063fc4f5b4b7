// A small service that owns the balances. Its whole state is in its file, line by line: each movement is
// one line with its key, and no answer is sent before the lines that it depends on are on disk. One
// process for each file.
//   FILE=balances.log PORT=4000 node balance-service.mjs
import {
  closeSync,
  existsSync,
  fdatasync,
  ftruncateSync,
  openSync,
  readFileSync,
  write,
} from 'node:fs';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { Balances } from './balances.mjs';

const { FILE = 'balances.log', PORT = '0' } = process.env;
const [writeTo, sync] = [promisify(write), promisify(fdatasync)];

/** Complete lines only; the line that a crash cut off was never answered. */
const text = existsSync(FILE) ? readFileSync(FILE) : Buffer.alloc(0);
const whole = text.subarray(0, text.lastIndexOf('\n') + 1);
const file = openSync(FILE, 'a');
ftruncateSync(file, whole.length);

const balances = new Balances();
for (const line of whole.toString('utf8').split('\n'))
  if (line !== '') balances.apply(JSON.parse(line));

let waiting = [];
let flushing = Promise.resolve();

/** Resolves when all lines so far are on disk; concurrent waits share one fdatasync. */
function durable(line) {
  if (line !== undefined) waiting.push(line);
  if (waiting.length === 0) return flushing;
  flushing = flushing.then(async () => {
    const lines = waiting;
    waiting = [];
    if (lines.length === 0) return;
    const bytes = Buffer.from(lines.join(''));
    const { bytesWritten } = await writeTo(file, bytes);
    if (bytesWritten !== bytes.length) throw new Error('the disk is full');
    await sync(file);
  });
  flushing.catch((error) => {
    console.error(error);
    process.exit(1); // the state on disk is unknown: the next start reads it
  });
  return flushing;
}

async function answer(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const order = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  const { event, reply } = balances.decide(request.url.slice(1), order);
  if (event !== undefined) balances.apply(event);
  const told = reply(); // now, with the state after this event
  await durable(event === undefined ? undefined : `${JSON.stringify(event)}\n`);
  return told;
}

const server = createServer((request, response) => {
  answer(request).then(
    ({ status, ...body }) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    },
    (error) => {
      console.error(error);
      response.writeHead(500).end();
    },
  );
});
server.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}`),
);
process.once('SIGTERM', () => server.close(() => closeSync(file))); // closed after the last answer
