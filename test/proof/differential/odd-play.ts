import { createOperatorHandler } from '../../../lib/operator/http/handler';
import { createRequestSigner } from '../../../lib/proof';
import { callInProcess } from '../../operator/http/in-process-call';
import { gameRounds, type OddAct, type OddHistory } from './odd-calls';
import { type Subject, textOf } from './play';

const secret = 'secret-of-odd-calls-0123456789';

/**
 * Plays a history through the whole HTTP handler, and tells every answer and every round in the end, a line each. It
 * ends before a call whose outcome is unknown: its void would lift a balance out of range, which a ledger does and other
 * stores do not (docs/ledger.md).
 */
export async function tellOddCalls(
  { store, clock }: Subject,
  operatorId: string,
  { policy, players, acts }: OddHistory,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { playerId, real, bonus } of players) {
    const balances = {
      real: { units: real },
      ...(bonus === null ? {} : { bonus: { units: bonus } }),
    };
    for (const currency of ['EUR', 'USD']) {
      await store.players.openPlayer({ operatorId, playerId, currency, balances });
    }
  }
  let signedAt = clock.now();
  const signer = createRequestSigner({ operatorId, secret, now: () => ++signedAt });
  const { handle, close } = createOperatorHandler({
    ...policy,
    store,
    clock,
    operators: [{ operatorId, secrets: [secret] }],
    rememberedSignatures: 1000,
    deadlineMs: 1000,
    logger: silent,
    discountCheck: ({ debit }) => debit.discount <= 5n,
  });
  const sent: OddCall['body'][] = [];
  let isKnown = true;
  for (const act of acts) {
    const body = bodyOf(act, sent);
    if (body === null) {
      lines.push(textOf(await move(act)));
      continue;
    }
    sent.push(body);
    const answer = await callInProcess(handle, signer.doTransactions(body));
    isKnown = !isUnknown(answer, body);
    if (!isKnown) break;
    lines.push(`${textOf(body)} ${textOf(answer)}`);
  }
  await close();
  if (isKnown) lines.push(...(await roundsOf()));
  return lines;

  async function move(act: OddAct): Promise<unknown> {
    if (act.kind === 'block') {
      return store.players.setBlocked({ operatorId, playerId: act.playerId }, act.blocked);
    }
    if (act.kind !== 'deposit' && act.kind !== 'withdraw') return null;
    const { kind, playerId, units, reference } = act;
    const order = { operatorId, playerId, currency: 'EUR', amount: { units }, reference };
    return store.players[kind](order);
  }

  async function roundsOf(): Promise<string[]> {
    const told: string[] = [];
    for (const playerId of [...players.map((one) => one.playerId), 'stranger']) {
      for (const gameRound of gameRounds) {
        const report = await store.rounds.readRound({ operatorId, playerId, gameRound });
        // Each handler draws the ids of its deliveries.
        told.push(textOf(report).replaceAll(/"delivery":"[^"]*"/g, '"delivery":""'));
      }
    }
    return told;
  }
}

/** What a call sends; null for an act that is none. */
function bodyOf(act: OddAct, sent: readonly OddCall['body'][]): OddCall['body'] | null {
  if (act.kind === 'call') return act.body;
  return act.kind === 'again' ? (sent[act.call % Math.max(1, sent.length)] ?? null) : null;
}

/** Whether a transaction of a call is left out of its answer (D6.1, D7). */
function isUnknown(
  { status, body }: Awaited<ReturnType<typeof callInProcess>>,
  { transactionCount }: OddCall['body'],
): boolean {
  const { hashesProcessed: known = [] } = body as { hashesProcessed?: readonly unknown[] };
  const isWhole = known.length === 0 && !textOf(body).includes('"id":9007');
  return status >= 500 || (!isWhole && known.length !== transactionCount);
}

type OddCall = Extract<OddAct, { kind: 'call' }>;

const silent = { info: () => {}, warn: () => {}, error: () => {} };
