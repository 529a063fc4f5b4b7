import { type Random, randomUuid } from '../../../platform/random';
import { Secret, signatureHeaders } from '../../../protocol/signature';
import { type Credentials, Gate, type WalletRequest } from '../client';
import type { CertificationOptions } from './options';
import {
  type Answer,
  type CaseContext,
  CaseFailure,
  createRound,
  described,
  type KeptForTheEnd,
  type LoadSlice,
  type LongCases,
  type PostOptions,
  totalOf,
  Undecided,
  unitsInOne,
} from '../talk';
import type { MoneyAtRisk } from './risk';
import type { PlayerBlock } from './commands/block';
import { byCommand, missing } from './commands/by-command';
import { KillInCase } from './commands/kills';
import { wireAmount } from './obstacles';
import type { CaseSteps } from './steps';
import type { RunWallet } from './wallet';

/** Pauses before a balance is read again that a wallet under load did not answer, in milliseconds. */
const readAgainMs = [250, 1000, 4000];

/** The step before a call that was sent twice: the wallet may have seen both. */
const sentAgain = 'the wallet closed a kept connection without a reply: sent again on a new one';

/** What all cases of a run share. */
export interface CaseContextParts {
  readonly options: CertificationOptions;
  readonly wallet: RunWallet;
  readonly random: Random;
  readonly risk: MoneyAtRisk;
  /** What the case does. */
  readonly steps: CaseSteps;
  readonly block: PlayerBlock;
  readonly settings: LongCases;
  readonly stake: bigint;
  /** Most units that may be at risk. */
  readonly budget: bigint;
  /** Each player's total when it was last read. */
  readonly totals: Map<string, bigint>;
  /** Units that the run has lost for good so far. */
  readonly lost: () => bigint;
  readonly note: (text: string) => void;
  /** What a case has kept for the end of the run. */
  readonly forTheEnd: { kept: KeptForTheEnd | null; load: readonly LoadSlice[] };
  readonly gameCode: string;
  /** What the wallet usually takes for a reply, in milliseconds; null before the first one. */
  readonly usualMs: () => number | null;
}

/**
 * The context of one case.
 * @param spared Calls between the first one that may move money and a kill of the wallet; null for no kill.
 */
export function createCaseContext(
  parts: CaseContextParts,
  spared: number | null = null,
): CaseContext {
  const { options, wallet, random, risk, settings, totals, gameCode } = parts;
  const { clock, signer, operator, currency } = wallet;
  const { secondOperator, otherSecret } = options;
  const [playerId = '', second] = options.playerIds;
  let mayUseBalance = false;
  const onlyInTime = (): void => {
    if (wallet.timeLeftMs() === 0) throw new Undecided('the time of the run was over');
  };
  const killAndStart = async (): Promise<void> => {
    const { kill, start } = options;
    if (kill === undefined || start === undefined) missing('--kill and --start');
    parts.steps.add('the wallet is killed and started');
    await byCommand(kill);
    await byCommand(start);
    await wallet.untilItAnswers(playerId);
  };
  const killing = spared === null ? null : new KillInCase(killAndStart, spared);
  const sendThrough = async (
    request: WalletRequest,
    url?: string,
    gate?: Gate,
  ): Promise<Answer> => {
    onlyInTime();
    const body = request.method === 'POST' ? Buffer.from(request.body ?? '').toString('utf8') : '';
    const { operatorId } = operator;
    const valuesOf = (wanted: string) =>
      request.headers.flatMap(([name, value]) => (name === wanted ? [value] : []));
    const ids = valuesOf(signatureHeaders.authId);
    // Of a header that comes twice a wallet may take either.
    const by = ids.includes(operatorId) ? operatorId : (ids[0] ?? operatorId);
    const [signature = ''] = valuesOf(signatureHeaders.signature);
    const sent = { operatorId: by, signature, body };
    const limit = mayUseBalance ? null : parts.budget - parts.lost();
    if (!risk.add(sent, { totals, limit })) {
      const most = wireAmount(parts.budget);
      throw new Undecided(`it would stake more than the --stake-budget of ${most} allows`);
    }
    const deliver = () => wallet.send(request, url, gate);
    const answer = await (killing === null ? deliver() : killing.around(body !== '', deliver));
    if (answer.exchange.isSentAgain) parts.steps.add(sentAgain);
    parts.steps.add(answer.exchange);
    risk.settle(sent, answer);
    return answer;
  };
  const send: CaseContext['send'] = (request, url) => sendThrough(request, url);
  const post = async (body: string, { url, ...signing }: PostOptions = {}): Promise<Answer> =>
    send(signer.doTransactions(body, signing), url);
  const getBalance: CaseContext['getBalance'] = (parameters = {}, { url, ...signing } = {}) => {
    const all = Object.entries({ playerId, currency, ...parameters });
    const present = all.filter((one): one is [string, string] => one[1] !== undefined);
    return send(signer.getBalance(Object.fromEntries(present), signing), url);
  };
  const balance = async (player = playerId): Promise<bigint> => {
    let answer = await getBalance({ playerId: player });
    for (const pauseMs of readAgainMs) {
      if (answer.meaning !== 'silent') break;
      await clock.pause(pauseMs);
      answer = await getBalance({ playerId: player });
    }
    const total = answer.meaning === 'success' ? totalOf(answer, currency) : null;
    if (total === null) {
      throw new Undecided(`getBalance did not return the balance: ${described(answer)}`, answer);
    }
    totals.set(player, total);
    return total;
  };
  const newHash = (): string => randomUuid(random);
  return {
    clock,
    random,
    currency,
    gameCode,
    settings,
    stake: parts.stake * unitsInOne,
    playerId,
    otherPlayerId: () => second ?? missing('a second --player'),
    operator,
    otherSecret: () =>
      otherSecret === undefined
        ? missing('--other-secret-env')
        : { operatorId: operator.operatorId, secret: new Secret(otherSecret) },
    secondOperator: () =>
      secondOperator === undefined
        ? missing('--second-operator-id and --second-secret-env')
        : credentialsOf(secondOperator),
    urls: wallet.urls,
    async restart() {
      const { restart, kill, start } = options;
      parts.steps.add('the wallet is restarted');
      if (restart !== undefined) await byCommand(restart);
      else if (kill !== undefined && start !== undefined) {
        await byCommand(kill);
        await byCommand(start);
      } else missing('--restart, or --kill and --start');
      await wallet.untilItAnswers(playerId);
    },
    kill: killAndStart,
    block: () => parts.block.set(),
    unblock: () => parts.block.lift(),
    useBalance() {
      if (options.useBalance !== true) missing('--use-balance');
      mayUseBalance = true;
    },
    note: parts.note,
    timeLeftMs: () => wallet.timeLeftMs(),
    usualMs: () => parts.usualMs() ?? 0,
    keepForTheEnd(kept) {
      parts.forTheEnd.kept = kept;
    },
    keptForTheEnd: () => parts.forTheEnd.kept,
    keepLoad(slices) {
      parts.forTheEnd.load = slices;
    },
    loadSoFar: () => parts.forTheEnd.load,
    knowsMemory: options.memoryBytes !== undefined,
    memoryBytes: () => byCommand(options.memoryBytes ?? (() => missing('--memory'))),
    newHash,
    round({ playerId: player = playerId, gameRound = newHash(), by, url } = {}) {
      const how = { ...(by === undefined ? {} : { by }), ...(url === undefined ? {} : { url }) };
      return createRound({
        playerId: player,
        gameCode,
        gameRound,
        currency,
        newHash,
        now: () => clock.now(),
        post: (body) => post(body, how),
      });
    },
    post,
    sign(body, signing) {
      const request = signer.doTransactions(body, signing);
      const [, signature = ''] =
        request.headers.find(([name]) => name === signatureHeaders.signature) ?? [];
      risk.noteSigned(signature, body);
      return request;
    },
    send,
    async sendAtOnce(requests) {
      const gate = new Gate(clock, requests.length);
      const sent = requests.map(async (request, at) => {
        const url = wallet.urls[at % wallet.urls.length] ?? '';
        // A connection that has been answered on is accepted, not in a queue of the wallet's system.
        await getBalance({}, { url });
        return sendThrough(request, url, gate);
      });
      try {
        return { answers: await Promise.all(sent), spreadMs: gate.spreadMs };
      } finally {
        gate.open();
      }
    },
    getBalance,
    balance,
    async balanceMustBe(units, when, player) {
      const total = await balance(player);
      if (total === units) return;
      throw new CaseFailure(
        `the balance must be ${wireAmount(units)} ${when}, but it is ${wireAmount(total)}`,
      );
    },
  };
}

/** An operator's credentials, its secret wrapped. @throws TypeError for a secret that is too short. */
export function credentialsOf(of: {
  readonly operatorId: string;
  readonly secret: string;
}): Credentials {
  return { operatorId: of.operatorId, secret: new Secret(of.secret) };
}
