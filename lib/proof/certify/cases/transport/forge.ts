import { parseJson } from '../../../../protocol/json/parse';
import {
  readSignedParts,
  Secret,
  sign,
  signatureHeaders,
  type SignedPart,
} from '../../../../protocol/signature';
import type { Credentials, Header, WalletRequest } from '../../client';
import type { Shape } from './hostile-shapes';
import { formatAmount } from '../../../../protocol/money/amount';
import {
  type Answer,
  type CaseContext,
  decimals,
  described,
  must,
  mustBeRefused,
  type Refusal,
  totalOf,
} from '../../talk';

export { signatureHeaders };

/** A request, and what it is in a sentence of the report. */
export type NamedRequest = readonly [what: string, request: WalletRequest];

/** The operator with a secret that nobody has. */
export function withStrangeSecret({ operator }: CaseContext): Credentials {
  return { ...operator, secret: new Secret('a secret that no operator has') };
}

/** The wallet's time as the service writes it. */
export function isoNow(context: CaseContext, offsetMs = 0): string {
  return new Date(context.clock.now() + offsetMs).toISOString();
}

/** The three headers, signed now over these texts. */
function headersSigning(
  context: CaseContext,
  fields: readonly string[],
  by: Credentials,
): readonly Header[] {
  const parts = fields.map((text): SignedPart => ({ name: '', text, isAmount: false }));
  return headersOf(parts, by, isoNow(context));
}

function headersOf(parts: readonly SignedPart[], by: Credentials, timestamp: string): Header[] {
  const { secret, operatorId } = by;
  return [
    [signatureHeaders.authId, operatorId],
    [signatureHeaders.timestamp, timestamp],
    [signatureHeaders.signature, sign(secret, operatorId, timestamp, parts)],
  ];
}

/** POST /doTransactions, signed over these texts, whatever the body says. */
export function postSigning(
  context: CaseContext,
  fields: readonly string[],
  body: string,
): WalletRequest {
  return postOf(headersSigning(context, fields, context.operator), body);
}

function postOf(headers: readonly Header[], body: string): WalletRequest {
  const all: Header[] = [...headers, ['Content-Type', 'application/json']];
  return { method: 'POST', path: '/doTransactions', headers: all, body: Buffer.from(body) };
}

/** GET /getBalance with any query, signed over these texts. */
export function getSigning(
  context: CaseContext,
  fields: readonly string[],
  query: string,
  by = context.operator,
): WalletRequest {
  const headers = headersSigning(context, fields, by);
  return { method: 'GET', path: `/getBalance?${query}`, headers, body: null };
}

/** A signed debit of one stake in a new round; `change` makes another body under its signature. */
export function signedDebit(
  context: CaseContext,
  { by, change }: { readonly by?: Credentials; readonly change?: Shape | undefined } = {},
): WalletRequest {
  const round = context.round();
  const body = round.message([round.firstDebit(context.stake)]);
  const request = context.sign(body, by === undefined ? {} : { by });
  return change === undefined ? request : withBody(request, change(body));
}

/** A call that is signed with a timestamp of any form. */
export function signedAt(context: CaseContext, body: string, timestamp: string): WalletRequest {
  const { parts } = readSignedParts('doTransactions', parseJson(body));
  if (parts === null) throw new TypeError('the message cannot be signed');
  return postOf(headersOf(parts, context.operator, timestamp), body);
}

/** The same request with another body under the same signature. */
export function withBody(request: WalletRequest, body: string | Uint8Array): WalletRequest {
  return { ...request, body: typeof body === 'string' ? Buffer.from(body) : body };
}

/** The same request with these values of a header: none, one or several. */
export function withHeader(
  request: WalletRequest,
  name: string,
  ...values: readonly string[]
): WalletRequest {
  const others = request.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
  return { ...request, headers: [...others, ...values.map((value): Header => [name, value])] };
}

/** The value of a header; empty if there is none. */
export function headerOf({ headers }: WalletRequest, name: string): string {
  return headers.find(([one]) => one === name)?.[1] ?? '';
}

/** @throws CaseFailure unless each request is refused and the first player's money stays as it is. */
export async function mustAllBeRefused(
  context: CaseContext,
  requests: readonly NamedRequest[],
  refusal: Refusal = {},
): Promise<void> {
  const before = await context.balance();
  for (const [what, request] of requests) {
    mustBeRefused(await context.send(request), what, refusal);
  }
  await context.balanceMustBe(before, 'after what was refused');
}

/** The same, and each reply must have a status of 4xx. */
export async function mustAllBe4xx(
  context: CaseContext,
  requests: readonly NamedRequest[],
): Promise<void> {
  const before = await context.balance();
  for (const [what, request] of requests) mustBe4xx(await context.send(request), what);
  await context.balanceMustBe(before, 'after what was refused');
}

/** @throws CaseFailure unless the answer has a status of 4xx. */
export function mustBe4xx(answer: Answer, what: string): Answer {
  const is4xx = answer.status >= 400 && answer.status < 500;
  must(is4xx, `${what} must be answered 4xx, but got ${described(answer)}`, answer);
  return answer;
}

/**
 * @throws CaseFailure unless getBalance returns exactly this total; an amount that cannot be read is a failure
 * too, and not undecided, as it is what a case of amounts looks for.
 */
export async function mustHaveExactly(
  context: CaseContext,
  units: bigint,
  when: string,
): Promise<void> {
  const answer = await context.getBalance();
  const what = `the balance must be ${formatAmount(units, decimals)} ${when}`;
  must(answer.meaning === 'success', `${what}, but got ${described(answer)}`, answer);
  const total = totalOf(answer, context.currency);
  const came = total === null ? 'it cannot be read' : `it is ${formatAmount(total, decimals)}`;
  must(total === units, `${what}, but ${came}`, answer);
}
