// Follows the wallet: takes what `rgs-wallet events deliver` posts, and keeps each event once, as a line of a file.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET = '', EVENTS_FILE = 'events.jsonl', PORT = 3001 } = process.env;
const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
if (key.length < 24) throw new Error('WEBHOOK_SECRET must be what --secret-file of deliver holds');

const file = await open(EVENTS_FILE, 'a+');
const text = (await file.readFile()).toString('utf8');
const whole = text.slice(0, text.lastIndexOf('\n') + 1); // a line that a crash cut short was never accepted
await file.truncate(Buffer.byteLength(whole));
const seen = new Set(whole.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line).id)));

function isGenuine({ headers }, body) {
  const {
    'webhook-id': id,
    'webhook-timestamp': at,
    'webhook-signature': signatures = '',
  } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(at)) < 300)) return false;
  const mac = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest();
  return signatures.split(' ').some((one) => {
    const sent = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return sent.length === mac.length && timingSafeEqual(sent, mac);
  });
}

let turn = Promise.resolve(); // one after the other: an answer says that all before it is on the disk
function keep(events) {
  turn = turn.then(async () => {
    const fresh = events.filter(({ id }) => !seen.has(id));
    if (fresh.length === 0) return;
    await file.appendFile(fresh.map((event) => `${JSON.stringify(event)}\n`).join(''));
    await file.datasync();
    for (const { id } of fresh) seen.add(id);
  });
  return turn;
}

async function answer(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isGenuine(request, body)) return void response.writeHead(401).end();
  await keep(JSON.parse(body.toString('utf8')).data.events);
  response.writeHead(204).end();
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy()); // it is sent again
}).listen(PORT, '127.0.0.1');
await once(server, 'listening');
console.log(`http://127.0.0.1:${server.address().port}/`);
