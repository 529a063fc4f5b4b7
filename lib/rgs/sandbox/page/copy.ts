import type { WireCall } from '../view/wire';

/** Headers that the client makes anew for each request. */
const ofTheConnection = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'user-agent',
  'keep-alive',
]);

/** The call as a line of curl, with the signature that it had: a server takes it for five minutes at most. */
export function curlOf(call: WireCall): string {
  const host = call.headers['host'] ?? '127.0.0.1';
  const headers = keptHeaders(call).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const body = call.body.bytes === 0 ? [] : [`--data-binary ${quoted(call.body.text)}`];
  const parts = [
    `curl -sS -X ${call.method}`,
    ...headers,
    ...body,
    quoted(`http://${host}${call.path}`),
  ];
  return parts.join(' \\\n  ');
}

/** The call as a test of Jest that expects the status it had. */
export function testOf(call: WireCall): string {
  const headers = JSON.stringify(Object.fromEntries(keptHeaders(call)), null, 2).replaceAll(
    '\n',
    '\n    ',
  );
  const body = call.body.bytes === 0 ? '' : `\n    body: ${JSON.stringify(call.body.text)},`;
  return `test(${JSON.stringify(`${call.call} is answered ${call.status ?? 'with nothing'}`)}, async () => {
  // Sign anew: this signature is valid for five minutes.
  const reply = await fetch(baseUrl + ${JSON.stringify(call.path)}, {
    method: ${JSON.stringify(call.method)},
    headers: ${headers},${body}
  });
  expect(reply.status).toBe(${call.status ?? 'undefined'});
});`;
}

function keptHeaders({ headers }: WireCall): [string, string][] {
  return Object.entries(headers).filter(([name]) => !ofTheConnection.has(name.toLowerCase()));
}

/** Quoted for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
