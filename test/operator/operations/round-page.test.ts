import { describe, expect, test } from '@jest/globals';

import { roundStates, unseenRound } from '../../../lib/operator/gameround';
import { balanceSteps } from '../../../lib/operator/operations/page/round/balance-steps';
import { becauseOf } from '../../../lib/operator/operations/page/words';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { credit, debit, RoundPlay, voidOf } from '../../../lib/proof/contracts/repairs/round-play';
import { errorCatalogue } from '../../../lib/protocol/operator-api/catalogue';
import { maria, open, putRound, queryOf, storeWithAnn, verdictOf, wordsOf } from './fixture';

const all = ['look', 'propose', 'approve'] as const;

async function played() {
  const store = createMemoryStore({ history: true });
  const play = await RoundPlay.open({ store, players: store.players });
  const { operatorId, playerId, gameRound } = play.round;
  const browser = open(store, {
    operators: [operatorId],
    authorize: () => ({ ...maria, may: all }),
  });
  const query = new URLSearchParams({ player: playerId, round: gameRound }).toString();
  return {
    store,
    play,
    read: async () => (await browser.get(`/round?${query}`)).text,
    browser,
    query,
  };
}

/** The rows of the calls of a page. */
function lanesIn(page: string): string[] {
  return [...page.matchAll(/<tr><td class="t">.*?<\/tr>/gs)].map(([row]) => row);
}

function withoutTimes(rows: readonly string[]): string[] {
  return rows.map((row) => row.replace(/^.*?<\/td>/, ''));
}

/** The links of a page to parts of a round. */
function linksIn(page: string): string[] {
  const links = [...page.matchAll(/href="round(\?[^"]*from=\d+)#lanes"/g)];
  return links.map(([, to = '']) => to.replaceAll('&amp;', '&'));
}

describe('the page of a round', () => {
  test('begins with a sentence for every state', async () => {
    const verdicts = await Promise.all(
      roundStates.map(async (state) => {
        const store = await storeWithAnn();
        await putRound(store, { gameRound: 'r' }, state);
        const { text } = await open(store).get(`/round?${queryOf({ player: 'ann', round: 'r' })}`);
        return verdictOf(text);
      }),
    );
    expect(verdicts.every((one) => typeof one === 'string' && one !== '')).toBe(true);
    expect(new Set(verdicts).size).toBe(roundStates.length);
  });

  test('has words for every code with which a transaction can be refused', () => {
    expect(Object.keys(becauseOf).toSorted()).toEqual(Object.keys(errorCatalogue).toSorted());
    expect(Object.values(becauseOf).filter((text) => !/^[a-z]/.test(text))).toEqual([]);
  });

  test('says what was taken and given, what is owed, and the balance after each line', async () => {
    const { play, read } = await played();
    await play.call(debit('d', 40n, true));
    await play.call(credit('c', 15n));
    await play.call(credit('usd', 5n, 'USD'));
    const words = wordsOf(await read());
    expect(words).toContain(
      'The win of 0.0005 USD was refused, because the player had no account in its currency.',
    );
    expect(words).toContain(
      'Taken 0.004 EUR 1 bet Given, with repairs 0.0015 EUR 1 win, no repair',
    );
    expect(words).toContain('Not paid 0.0005 USD 1 win refused for good');
    expect(words).toContain('Result for the player −0.0025 EUR');
    expect(words).toContain('bet 0.004 EUR d accepted first bet 0.006 −0.004');
    expect(words).toContain('win 0.0015 EUR c accepted 0.0075 +0.0015');
    expect(words).toContain('win 0.0005 USD usd refused no USD account');
  });

  test('says of a win that went with a failed bet that nothing is owed, and never that every win was given (D4.5)', async () => {
    const { play, read } = await played();
    await play.call(debit('d', 40n, true));
    await play.call(debit('e', 1000n), credit('c', 15n));
    const owed =
      'The win of 0.0015 EUR was not given, because a bet had failed or was voided: nothing is owed for it.';
    expect(wordsOf(await read())).toContain(owed);
    await play.call({ type: 'end', hash: 'z' });
    await play.is('closed', 60n);
    expect(wordsOf(await read())).toContain(`It is over. ${owed}`);
  });

  test('leads from its first sentence to the repair: to propose one, or to the proposal that waits', async () => {
    const { play, read, browser, query } = await played();
    await play.call(debit('d', 40n, true));
    await play.call(credit('c', 15n));
    const wayOn = async () =>
      /role="status".*?<a href="#repairs">([^<]*)<\/a>/.exec(await read())?.[1];
    expect(await wayOn()).toBeUndefined();
    await play.call(credit('usd', 5n, 'USD'));
    expect(await wayOn()).toBe('Propose a repair');
    expect(wordsOf(await read())).toContain('The player does not have it.');
    const fields = Object.fromEntries(new URLSearchParams(query));
    const reason = 'Paid by the RGS itself.';
    await browser.post('/propose', { ...fields, kind: 'resolve', reference: 'x', reason });
    expect(await wayOn()).toBe('A proposal waits for approval');
    expect((await browser.get(`/round?${query}&print=1`)).text).not.toContain('#repairs');
  });

  test('says who paid a win that had been refused, and how much', async () => {
    const { play, read } = await played();
    await play.call(debit('d', 40n, true));
    await play.call(debit('e', 1000n));
    await play.call(credit('c', 15n));
    await play.repaired({});
    expect(wordsOf(await read())).toContain(
      'It is over. The win of 0.0015 EUR that was refused is paid: Anna Ö. \u{1f3b0} proposed it, bert approved it.',
    );
  });

  test('does not say that a win cannot be paid where none was refused', async () => {
    const store = await storeWithAnn();
    await putRound(store, { gameRound: 'r' }, 'cancelled');
    const page = await open(store, { authorize: () => ({ ...maria, may: all }) }).get(
      `/round?${queryOf({ player: 'ann', round: 'r' })}`,
    );
    expect(page.text).toContain('action="propose"');
    expect(page.text).not.toContain('<b>pay</b>');
  });

  test('strikes through what a void has undone', async () => {
    const { play, read } = await played();
    await play.call(debit('d', 40n, true));
    await play.call(credit('c', 15n));
    await play.call(voidOf('d'));
    const page = await read();
    const struck = [...page.matchAll(/<s>.*?<\/s><br><small class="mono"><bdi>(.*?)<\/bdi>/g)];
    expect(struck.map(([, hash]) => hash)).toEqual(['d', 'c']);
  });

  test('strikes through a repair that a void took back, and not its proposal', async () => {
    const { play, read } = await played();
    await play.call(debit('d', 40n, true));
    await play.call(debit('e', 1000n));
    await play.call(credit('c', 15n));
    await play.repaired({});
    expect(await read()).not.toContain('<s>');
    await play.call(voidOf('d'));
    const page = await read();
    const struck = [...page.matchAll(/<s>(.*?)<\/s>/g)].map(([, what = '']) =>
      wordsOf(what).trim(),
    );
    // In the order of their times, which may be of one millisecond.
    expect(struck.toSorted()).toEqual(['bet 0.004 EUR', 'made: pay']);
    expect(wordsOf(page)).toContain('made: pay taken back by a void');
  });

  test('shows the first and the last calls of a long round, and all others in parts that links lead to', async () => {
    const { play, read, browser, query } = await played();
    await play.call(debit('d-0', 1n, true));
    for (let at = 1; at < 250; at++) await play.call(credit(`c-${at}`, BigInt(at)));
    const ends = await read();
    expect(wordsOf(ends)).toContain('190 more calls: 21 to 80 81 to 140 141 to 200 201 to 250');
    const whole = lanesIn((await browser.get(`/round?${query}&print=1`)).text);
    expect(whole).toHaveLength(250);
    expect(lanesIn(ends)).toEqual([...whole.slice(0, 20), ...whole.slice(-40)]);
    const parts = await Promise.all(linksIn(ends).map((link) => browser.get(`/round${link}`)));
    expect(parts.flatMap(({ text }) => lanesIn(text))).toEqual(whole.slice(20));
    const [, second] = parts;
    expect(wordsOf(second?.text ?? '')).toContain('80 more calls: 21 to 80 the first and the last');
    expect(wordsOf(second?.text ?? '')).toContain('110 more calls: 141 to 200 201 to 250');
    const beyond = await browser.get(`/round?${query}&from=900`);
    expect(lanesIn(beyond.text)).toEqual(whole.slice(-1));
    const { status, text } = await browser.get(`/round.json?${query}&from=x`);
    expect([status, text]).toEqual([400, expect.stringContaining('the number of a block')]);
  });

  test('stays below 100 KB, however long the round: then its record is a link', async () => {
    const { play, read, browser, query } = await played();
    await play.call(debit('d'.repeat(64), 1n, true));
    expect(await read()).toContain('The whole round, as the store has it</summary><pre');
    for (let at = 0; at < 300; at++) await play.call(credit(`${'c'.repeat(60)}${at}`, 1n));
    const page = await read();
    expect(Buffer.byteLength(page)).toBeLessThan(100_000);
    expect(page).not.toContain('<pre');
    expect(page).toMatch(/<a href="round\.json\?[^"]+">The whole round, as the store has it<\/a>/);
    const part = (await browser.get(`/round?${query}&from=81`)).text;
    expect(Buffer.byteLength(part)).toBeLessThan(100_000);
  });

  test('stays below 100 KB where a call has several transactions, and its parts have every line', async () => {
    const { play, read, browser, query } = await played();
    await play.call(debit('d', 1n, true));
    for (let at = 0; at < 58; at++) {
      const hashes = ['a', 'b', 'c'].map((one) => `${one.repeat(60)}${at}`);
      await play.call(...hashes.map((hash) => credit(hash, 1n)));
    }
    const ends = await read();
    const whole = lanesIn((await browser.get(`/round?${query}&print=1`)).text);
    const parts = await Promise.all(linksIn(ends).map((link) => browser.get(`/round${link}`)));
    const pages = [ends, ...parts.map(({ text }) => text)];
    expect(Math.max(...pages.map((page) => Buffer.byteLength(page)))).toBeLessThan(100_000);
    expect(new Set(pages.flatMap(lanesIn))).toEqual(new Set(whole));
    // The first 7 calls have 19 lines.
    expect(pages.map((page) => lanesIn(page).length)).toEqual([19 + 39, 60, 60]);
    const back = wordsOf(parts[1]?.text ?? '');
    expect(back).toContain('27 more calls: 8 to 27 the first and the last');
  });

  test('cuts a call of many lines as a long round, into blocks that links lead to', async () => {
    const { play, read, browser, query } = await played();
    await play.call(debit('d', 1n, true));
    await play.call(
      ...Array.from({ length: 498 }, (_, at) => credit(`${'c'.repeat(60)}${at}`, 1n)),
    );
    const ends = await read();
    const print = (await browser.get(`/round?${query}&print=1`)).text;
    const [whole, blocks] = [lanesIn(print), (page: string) => page.match(/<tbody>/g)?.length];
    expect([whole.length, blocks(print)]).toEqual([499, 2]);
    const pages = new Map([['', ends]]);
    for (const page of pages.values()) {
      for (const link of linksIn(page)) {
        if (!pages.has(link)) pages.set(link, (await browser.get(`/round${link}`)).text);
      }
    }
    const texts = [...pages.values()];
    expect(Math.max(...texts.map((page) => Buffer.byteLength(page)))).toBeLessThan(100_000);
    // A block of a call that was begun before has its time.
    expect(new Set(withoutTimes(texts.flatMap(lanesIn)))).toEqual(new Set(withoutTimes(whole)));
    expect(lanesIn(ends)).toHaveLength(1 + 38);
    expect(wordsOf(ends)).toContain('same call');
    expect(wordsOf(ends)).toContain('more blocks: 2 to 4');
  });

  test('names 20 postings that the ledger has not answered, and how many more there are', async () => {
    const store = await storeWithAnn();
    const reversals = Array.from({ length: 500 }, (_, at) => `${'"'.repeat(120)}${at}`);
    const pending = { since: Date.now(), posts: [], reversals };
    const after = { ...unseenRound, version: 1, started: true, currency: 'EUR', pending };
    const round = { operatorId: 'casino', playerId: 'ann', gameRound: 'r' };
    await store.rounds.commit(round, { before: unseenRound, after, records: [], movements: [] });
    const { text } = await open(store).get(`/round?${queryOf({ player: 'ann', round: 'r' })}`);
    expect(text.match(/to reverse/g)).toHaveLength(20);
    expect(wordsOf(text)).toContain('480 more postings are in the JSON of this page.');
    expect(Buffer.byteLength(text)).toBeLessThan(100_000);
  });

  test.each(['"', '&', 'c', '\u{1f3b0}'])(
    'stays below 100 KB where hashes are as long as they may be, of %s',
    async (one) => {
      const { play, read, browser, query } = await played();
      await play.call(debit('d', 1n, true));
      const start = one.repeat(124 / one.length);
      for (let at = 0; at < 120; at++) await play.call(credit(`${start}${at}`, 1n));
      const ends = await read();
      const part = (await browser.get(`/round?${query}&from=41`)).text;
      expect(Math.max(Buffer.byteLength(ends), Buffer.byteLength(part))).toBeLessThan(100_000);
      expect(lanesIn(part)).toHaveLength(30);
    },
  );

  test('says before a proposal what would be refused, and with which command its cause goes away; a void is never chosen beforehand', async () => {
    const { store, play, read, browser } = await played();
    await play.call(debit('d', 40n, true));
    await play.call(credit('usd', 5n, 'USD'));
    const chosen = async () =>
      /<select name="kind"( required)?><option value="(\w*)"/.exec(await read())?.slice(1);
    expect(await chosen()).toEqual([' required', '']);
    const page = wordsOf(await read());
    expect(page).toContain(
      'Not possible now pay : The player has no account in the currency of the credit',
    );
    const { operatorId, playerId, gameRound } = play.round;
    expect(page).toContain(
      `rgs-wallet player open --operator ${operatorId} --player ${playerId} --currency USD`,
    );
    await store.players.openPlayer({
      operatorId,
      playerId,
      currency: 'USD',
      balances: { real: '0' },
    });
    expect(wordsOf(await read())).not.toContain('Not possible now');
    expect(await chosen()).toEqual([undefined, 'pay']);
    const reason = 'seen in the log of the RGS';
    const order = { player: playerId, round: gameRound, kind: 'pay', reason };
    expect((await browser.post('/propose', order)).status).toBe(303);
    expect(wordsOf(await read())).toContain('Another person than the proposer must approve it.');
  });
});

function line(real: string, moved: string) {
  return {
    what: 'credit' as const,
    hash: 'h',
    kind: null,
    outcome: 'accepted',
    currency: 'EUR',
    amount: moved,
    discount: null,
    serial: null,
    moved: { real: moved, bonus: '0' },
    balance: { currency: 'EUR', real, bonus: null },
    note: null,
    repair: null,
  };
}

describe('the steps of the balance', () => {
  test('stand within the width for whatever balances, and on one place where nothing moved', () => {
    const lines = [line('-5', '-5'), line('9007199254740993', '3'), line('0.0001', '0')];
    for (const { from, to } of balanceSteps(lines, 'EUR').values()) {
      expect([from, to].every((at) => at !== null && at >= 4 && at <= 88)).toBe(true);
    }
    const still = line('7', '0');
    expect([...balanceSteps([still, still], 'EUR').values()]).toEqual([
      { from: 46, to: 46, isRefused: false },
    ]);
  });

  test('go on without a point beside a line without a balance, where it is the same before and after', () => {
    const unknown = { ...line('0', '0'), balance: null, moved: null };
    const same = [line('7', '2'), unknown, line('7', '0')];
    expect(balanceSteps(same, 'EUR').get(unknown)).toEqual({
      from: 88,
      to: 88,
      isRefused: false,
      isBetween: true,
    });
    const moved = [line('7', '2'), unknown, line('8', '0')];
    expect(balanceSteps(moved, 'EUR').get(unknown)).toBeUndefined();
    expect(balanceSteps([line('7', '2'), unknown], 'EUR').get(unknown)).toBeUndefined();
  });
});
