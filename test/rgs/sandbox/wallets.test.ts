import type { IncomingMessage, ServerResponse } from 'node:http';

import { describe, expect, test } from '@jest/globals';
import { type FaultKind, virtualClock } from '../../../lib/rgs/sandbox';
import { noon, rig } from './rig';

interface Sent {
  readonly type: string;
  readonly hash: string;
  readonly amount?: number;
}

/** What a wallet of the test does to a call; true if it is done with it. */
type Mistake = (wallet: Wallet, sent: readonly Sent[], response: ServerResponse) => boolean;

/** A wallet over HTTP in 40 lines, which makes one mistake. */
class Wallet {
  balance = 1000;
  readonly moved = new Map<string, number>();
  mistake: Mistake = () => false;

  readonly listener = (request: IncomingMessage, response: ServerResponse): void => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const sent = text === '' ? [] : (JSON.parse(text) as { transactions: Sent[] }).transactions;
      if (this.mistake(this, sent, response)) return;
      for (const one of sent) this.move(one);
      this.reply(response, 200, sent);
    });
  };

  move({ type, hash, amount = 0 }: Sent): void {
    if (type === 'end') return;
    if (type === 'void') {
      this.balance -= this.moved.get(hash) ?? 0;
      this.moved.set(hash, 0);
      return;
    }
    if (this.moved.has(hash)) return;
    const change = type === 'credit' ? amount : -amount;
    this.moved.set(hash, change);
    this.balance += change;
  }

  reply(response: ServerResponse, status: number, sent: readonly Sent[], errorId?: number): void {
    const errorCode = errorId === undefined ? {} : { errorCode: { id: errorId, msg: 'no' } };
    const hashesProcessed = sent.map(({ hash }) => ({ hash, ...errorCode }));
    const balances = [{ type: 'real', currency: 'EUR', amount: this.balance }];
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...errorCode, hashesProcessed, balances }));
  }
}

describe('a wallet that is wrong is named over HTTP, with the first round that differs (B3)', () => {
  /** Two rounds that are right, one with the mistake, one that is right. */
  async function play(mistake: Mistake, fault: FaultKind | null, isVoided = false) {
    const wallet = new Wallet();
    const { run, sandbox, game, connect } = await rig({}, wallet.listener);
    const token = await run(connect());
    const rounds: string[] = [];
    for (const isWrong of [false, false, true, false]) {
      const round = await run(game.openRound({ token, stake: 100, currency: 'EUR' }));
      rounds.push(round.id);
      if (isWrong) wallet.mistake = mistake;
      if (isWrong && fault !== null) sandbox.faults.set({ line: 'rgs-wallet', kind: fault });
      if (isWrong && isVoided) await run(round.void());
      else await run(round.addWin({ rngCallId: 'r1', winAmount: 250, collect: true }));
      await run(sandbox.idle());
      wallet.mistake = () => false;
    }
    const books = await run(sandbox.books());
    await run(sandbox.close());
    return { books, wrong: rounds[2] };
  }

  test('the right wallet agrees, no matter what is lost on its line', async () => {
    for (const fault of ['loseReply', 'twice', '503', 'html', 'cut'] as const) {
      const { books } = await play(() => false, fault);
      expect(books).toMatchObject({ agree: true, differences: [], doubts: [] });
    }
  });

  test('the right wallet agrees, although its reply to a doubled request is older than the next bet', async () => {
    const wallet = new Wallet();
    const { run, sandbox, game, connect } = await rig({}, wallet.listener);
    const opening = { token: await run(connect()), stake: 100, currency: 'EUR' };
    const won = await run(game.openRound(opening));
    let times = 0;
    const held: (() => void)[] = [];
    wallet.mistake = (_, sent, response) => {
      if (!sent.some(({ type }) => type === 'credit') || ++times !== 2) return false;
      const { balance } = wallet;
      held.push(() => {
        const later = wallet.balance;
        wallet.balance = balance;
        wallet.reply(response, 200, sent);
        wallet.balance = later;
      });
      return true;
    };
    sandbox.faults.set({ line: 'rgs-wallet', kind: 'twice' });
    await run(won.addWin({ rngCallId: 'r1', winAmount: 250, collect: true }));
    const next = await run(game.openRound(opening));
    for (const reply of held) reply();
    await run(next.end());
    expect(await run(sandbox.books())).toMatchObject({ agree: true, differences: [], doubts: [] });
  });

  test.each<[string, FaultKind | null, Mistake, boolean]>([
    [
      'no dedup',
      'loseReply',
      (wallet, sent) => {
        for (const { hash } of sent) wallet.moved.delete(hash);
        return false;
      },
      false,
    ],
    [
      'no dedup, of a request that the line doubled',
      'twice',
      (wallet, sent) => {
        for (const { hash } of sent) wallet.moved.delete(hash);
        return false;
      },
      false,
    ],
    [
      'a void that is forgotten',
      null,
      (wallet, sent, response) => {
        if (sent[0]?.type !== 'void') return false;
        wallet.reply(response, 200, sent);
        return true;
      },
      true,
    ],
    [
      'a credit that is refused under a 5xx, and paid',
      null,
      (wallet, sent, response) => {
        if (!sent.some(({ type }) => type === 'credit')) return false;
        for (const one of sent) wallet.move(one);
        wallet.reply(response, 500, sent, 9000);
        return true;
      },
      false,
    ],
  ])('%s', async (_, fault, mistake, isVoided) => {
    const { books, wrong } = await play(mistake, fault, isVoided);
    expect(books.agree).toBe(false);
    expect(books.differences[0]?.round).toBe(wrong);
  });

  test('a 200 on a debit that was declined', async () => {
    const wallet = new Wallet();
    const { run, sandbox, game, connect } = await rig({}, wallet.listener);
    const token = await run(connect());
    const right = await run(game.openRound({ token, stake: 100, currency: 'EUR' }));
    await run(right.end());
    wallet.mistake = (one, sent, response) => {
      one.reply(response, 200, sent);
      return true;
    };
    const wrong = await run(game.openRound({ token, stake: 5000, currency: 'EUR' }));
    expect((await run(sandbox.books())).differences[0]).toMatchObject({
      round: wrong.id,
      service: '-4100',
      wallet: '900',
    });
  });
});

describe('the virtual clock of the sandbox', () => {
  test('it is published, and starts at the given address', () => {
    expect(virtualClock({ startedAt: noon }).now()).toBe(noon);
  });
});
