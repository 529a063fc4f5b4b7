import {
  type Answer,
  type CaseContext,
  described,
  must,
  mustAnswer,
  mustBeRefused,
  mustSucceed,
  totalOf,
} from '../../talk';
import { type CaseOfGroup, casesIn } from '../../talk/case';
import {
  getSigning,
  mustBe4xx,
  type NamedRequest,
  signatureHeaders,
  signedDebit,
  withHeader,
  withStrangeSecret,
} from './forge';
import { beside, hostileShapes, listsInLists, packed, padded, type Shape } from './hostile-shapes';
import { openRound } from '../steps';

/** How much longer than usual a hostile request may take, and what is always allowed, in milliseconds. */
const [maxTimes, minMs] = [20, 2000];

/** What of the rules of a hostile request differs from the usual. */
interface Leave {
  /** A server may end the connection before it has read all. */
  readonly mayCut: boolean;
}

/**
 * Sends hostile requests one after the other.
 * @throws CaseFailure unless each is answered 4xx in time, and the wallet keeps working with the money it had.
 */
async function mustEndure(
  context: CaseContext,
  requests: readonly NamedRequest[],
  { mayCut }: Leave = { mayCut: false },
): Promise<void> {
  const before = await context.balance();
  const maxMs = Math.max(minMs, maxTimes * context.usualMs());
  for (const [what, request] of requests) {
    const answer = await soonest(context, request, maxMs);
    const { kind, ms } = answer.exchange.reply;
    const late = `${what} must be answered within ${maxMs} ms, but it took ${Math.round(ms)} ms`;
    must(isInTime(answer, maxMs), late, answer);
    if (kind !== 'cut' || !mayCut) mustBe4xx(answer, what);
    const after = mustSucceed(await context.getBalance(), `getBalance after ${what}`);
    const isSame = totalOf(after, context.currency) === before;
    must(isSame, `no money may move by ${what}, but the balance differs`, after);
  }
}

/** The first answer in time, or the last of three: a machine may stand still for once, a costly body is slow each time. */
async function soonest(
  context: CaseContext,
  request: NamedRequest[1],
  maxMs: number,
): Promise<Answer> {
  for (let left = 2; ; left--) {
    const answer = await context.send(request);
    if (left === 0 || isInTime(answer, maxMs)) return answer;
  }
}

function isInTime({ exchange: { reply } }: Answer, maxMs: number): boolean {
  return reply.kind !== 'timeOut' && reply.ms <= maxMs;
}

/** A debit with a body of this shape, under the signature of a valid one by a wrong secret: it can move nothing. */
function hostile(context: CaseContext, what: string, shape?: Shape): NamedRequest {
  return [what, signedDebit(context, { change: shape, by: withStrangeSecret(context) })];
}

/** A getBalance with any query, rightly signed for the first player. */
function getBalanceOf(context: CaseContext, what: string, query: string): NamedRequest {
  return [what, getSigning(context, [context.playerId, context.currency], query)];
}

const common = {
  rule: 'Operator API 7, rule 2; 8, gaps (D2.1)',
  expected:
    'each is answered 4xx, about as soon as any other; the wallet keeps working, and no money moves',
  otherwise:
    'The specification sets no limits; what is in front of the wallet may keep such calls off.',
} as const;

const named: Readonly<Record<string, string>> = {
  nesting: 'JSON that is nested deeply',
  members: 'JSON with thousands of members',
  numbers: 'numbers of thousands of digits, or with huge exponents',
  texts: 'long texts, and texts that are broken',
  transactions: 'a thousand transactions, or something else in their place',
};

/** Bytes that are meant to do harm; those of doTransactions are not rightly signed. */
export const robustnessCases = casesIn('robustness', [
  ...Object.entries(hostileShapes).map(
    ([id, shapes]): CaseOfGroup => ({
      ...common,
      id: `hostile-${id}`,
      given: 'a player with money',
      when: `calls come with ${named[id]}, signed with a wrong secret`,
      play: (context) =>
        mustEndure(
          context,
          shapes.map(([what, shape]) => hostile(context, what, shape)),
        ),
    }),
  ),
  {
    ...common,
    id: 'signed-nesting',
    given: 'a player with money',
    when: 'a rightly signed debit comes with lists in lists, 20,000 deep, in a field that is not signed',
    expected: 'it is answered 4xx, and no money moves',
    play: (context) =>
      mustEndure(context, [
        [
          'a signed debit with deep nesting',
          signedDebit(context, { change: beside(listsInLists(20_000)) }),
        ],
      ]),
  },
  {
    ...common,
    id: 'body-over-256-kib',
    given: 'a player with money',
    when: 'a rightly signed debit comes with 300 KB of white space after it',
    expected: 'it is answered 4xx, or the connection ends; no money moves',
    play: (context) =>
      mustEndure(
        context,
        [['a body of 300 KB', signedDebit(context, { change: (body) => padded(body, 300_000) })]],
        { mayCut: true },
      ),
  },
  {
    ...common,
    id: 'body-of-megabytes',
    given: 'a player with money',
    when: 'a body of 4 MB comes, signed with a wrong secret',
    expected:
      'it is answered 4xx, or the connection ends; the wallet keeps working, and no money moves',
    play: (context) =>
      mustEndure(
        context,
        [hostile(context, 'a body of 4 MB', (body) => padded(body, 4 * 1024 * 1024))],
        { mayCut: true },
      ),
  },
  {
    ...common,
    id: 'body-that-unpacks',
    given: 'a player with money',
    when: 'a body of a few KB comes that is 8 MB when it is unpacked, with Content-Encoding gzip',
    play: (context) => {
      const [what, request] = hostile(context, 'a packed body of 8 MB', packed);
      return mustEndure(context, [[what, withHeader(request, 'Content-Encoding', 'gzip')]]);
    },
  },
  {
    ...common,
    id: 'long-headers',
    given: 'a player with money',
    when: 'calls come with a signature of 12 KB, and with 150 headers',
    expected:
      'each is answered 4xx, or the connection ends; the wallet keeps working, and no money moves',
    play(context) {
      const [what, request] = hostile(context, 'a signature of 12 KB');
      const long = withHeader(request, signatureHeaders.signature, 'A'.repeat(12_000));
      const [, other] = hostile(context, 'many headers');
      const more = Array.from({ length: 150 }, (_, at) => [`X-More-${at}`, 'y'] as const);
      const many = { ...other, headers: [...other.headers, ...more] };
      return mustEndure(
        context,
        [
          [what, long],
          ['150 headers', many],
        ],
        { mayCut: true },
      );
    },
  },
  {
    ...common,
    id: 'long-query',
    given: 'a player with money',
    when: 'getBalance comes with 12 KB of parameters, of escapes and of marks',
    expected: 'each is answered 4xx, or the connection ends; the wallet keeps working',
    play: (context) =>
      mustEndure(
        context,
        [
          getBalanceOf(context, '12 KB of escapes', `playerId=${'%C3%A9'.repeat(2000)}`),
          getBalanceOf(context, '12 KB of &', '&'.repeat(12_000)),
          getBalanceOf(
            context,
            '1,500 parameters',
            Array.from({ length: 1500 }, (_, at) => `p${at}=1`).join('&'),
          ),
        ],
        { mayCut: true },
      ),
  },
  {
    ...common,
    id: 'broken-escapes',
    given: 'a player with money',
    when: 'getBalance comes with escapes that are broken, or not UTF-8',
    play: (context) =>
      mustEndure(
        context,
        ['%', '%zz', '%ff', '%00', '%ed%a0%80'].map((text) => {
          const query = `playerId=${text}&currency=${context.currency}`;
          return getBalanceOf(context, `a playerId of ${text}`, query);
        }),
      ),
  },
  {
    ...common,
    id: 'other-paths-and-methods',
    rule: 'Operator API 4 (D6.3)',
    given: 'a player with money',
    when: 'a debit comes to /getBalance, a query to /doTransactions, and a call to a path that is not served',
    play(context) {
      const post = signedDebit(context);
      const [, get] = getBalanceOf(context, 'a query', `playerId=x&currency=${context.currency}`);
      return mustEndure(context, [
        ['a POST to /getBalance', { ...post, path: '/getBalance' }],
        ['a GET of /doTransactions', { ...get, path: '/doTransactions' }],
        ['a call to /doTransaction', { ...post, path: '/doTransaction' }],
      ]);
    },
  },
  {
    id: 'player-id-with-quotes',
    rule: 'Operator API 4.2 (on error 4xx/5xx, never 200)',
    given: 'a wallet that may keep its players in a database',
    when: "rightly signed getBalance calls come with player ids such as ' OR '1'='1",
    expected: 'each is refused as an unknown player, in time',
    async play(context) {
      const sql = [`' OR '1'='1`, `"; DROP TABLE players; --`];
      for (const playerId of [...sql, '../../etc/passwd', '*', '{"$ne":null}', '%']) {
        const answer = await context.getBalance({ playerId });
        mustBeRefused(answer, `a getBalance of the player ${playerId}`);
      }
      mustSucceed(await context.getBalance(), 'getBalance afterwards');
    },
  },
  {
    id: 'credit-with-strange-reason',
    rule: 'Operator API 4.1, rule 6 (a credit must never fail with a 5xx); 2.1 (free text)',
    given: 'a round with a debit',
    when: 'credits come whose reason holds quotes, a NUL character, and 5,000 letters',
    expected: 'each is answered, and not with a 5xx',
    async play(context) {
      const { round } = await openRound(context);
      for (const [what, reason] of [
        ['quotes', `'); DROP TABLE rounds; --"`],
        ['a NUL character', 'spin \u0000 7'],
        ['5,000 letters', 'x'.repeat(5000)],
      ] as const) {
        const answer = await round.send(round.credit(context.stake / 2n, { reason }));
        const credit = `a credit whose reason holds ${what}`;
        mustAnswer(answer, credit);
        const claim = `${credit} must not be answered 5xx, but got ${described(answer)}`;
        must(answer.status < 500, claim, answer);
      }
    },
  },
]);
